"""Agents of a market whose saved policies have weights."""

from dataclasses import replace

import numpy as np
import pytest

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.checkpoint import save_tables
from negotiation_tui.learning.compiling import new_backend
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from tests.support.mixed import random_policy
from tests.support.trained_tables import trained

GAME = replace(Scenario.original(), opener=Opener.SELLER)
KINDS = "learned", "averaged-tit-for-tat", "m.npz", "m.npz"


def saved() -> tuple[TabularPolicy, TabularPolicy]:
    """Save `m.npz`."""
    rng = np.random.default_rng(1)
    seller, buyer = (random_policy(GAME, role, rng) for role in Role)
    save_tables("m.npz", replace(trained(GAME), learned_policies=(seller, buyer)))
    return seller, buyer


@pytest.mark.slow
def test_plain_and_compiled_it_is_the_same_market() -> None:
    """Learners, rules with a memory, and policies with weights, in several price ranges."""
    backend = new_backend()
    if backend is None:
        pytest.skip("needs numba")
    saved()
    agents = [
        Agent(f"{role}-{number}", role, reservation, strategy)
        for role, reservations in ((Role.SELLER, (0, 1, 2, 0)), (Role.BUYER, (5, 4, 3, 5)))
        for number, (reservation, strategy) in enumerate(zip(reservations, KINDS, strict=True))
    ]
    plain, compiled = (
        MarketSimulation(GAME, agents, RunLength("negotiations", 2000), 5) for _ in range(2)
    )
    compiled.use(backend)
    plain.run()
    compiled.run()
    for name, value in plain.state().items():
        np.testing.assert_array_equal(value, compiled.state()[name], err_msg=name)


def test_openings_are_as_frequent_as_their_weights() -> None:
    seller = saved()[Role.SELLER].probabilities[START, :5]
    assert 0 < seller.max() < 1
    agents = [Agent(f"s{n}", Role.SELLER, 0, "m.npz") for n in range(200)]
    agents += [Agent(f"b{n}", Role.BUYER, 5, "zero-intelligence") for n in range(200)]
    market, counts = (
        MarketSimulation(GAME, agents, RunLength("negotiations", 10_000), 5),
        np.zeros(5),
    )
    while not market.finished:
        counts += np.bincount(market.watch().turns[:, 0], minlength=5)
    assert counts / 10_000 == pytest.approx(seller, abs=5 * 0.005)
