"""NashConv equals that of OpenSpiel (Lanctot et al. 2019) for an independent game."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, solve
from tests.support.mixed import random_probabilities
from tests.support.open_spiel import BasePolicy, exploitability, spiel_game
from tests.support.plans import value

Floats = NDArray[np.float64]

SCENARIOS = [
    Scenario("smallest", (1, 2), 1, PriceRange(1, 2), PriceRange(1, 2)),
    Scenario("ranges", (2, 3, 5, 9), 2, PriceRange(3, 9), PriceRange(2, 5), reservation=(2, 7)),
    Scenario("apart", (1, 2, 3), 2, PriceRange(2, 3), PriceRange(1, 1)),
    Scenario("losses", (1, 2, 3), 2, PriceRange(1, 3), PriceRange(1, 2), reservation=(2, 3)),
]
LARGER = [
    pytest.param(scenario, DISCOUNT, marks=pytest.mark.slow)
    for scenario in (
        Scenario("three", (1, 2, 3), 3, PriceRange(1, 3), PriceRange(1, 3), reservation=(0, 3)),
        Scenario("wide", (1, 2, 3, 4, 6), 2, PriceRange(2, 6), PriceRange(1, 5)),
    )
]


@dataclass(frozen=True)
class Rules:
    """The rules as functions of the actions so far, for one opener; the seller is player 0."""

    scenario: Scenario
    opener: Role
    rate: float

    def over(self, actions: list[int]) -> bool:
        return bool(actions) and actions[-1] >= self.scenario.n_prices

    def mover(self, actions: list[int]) -> Role:
        return self.opener if len(actions) % 2 == 0 else self.opener.other

    def legal(self, actions: list[int]) -> list[int]:
        offers, n = self.scenario.offers(self.mover(actions)), len(actions)
        found = list(offers) if n < 2 * self.scenario.rounds - 1 else []
        if n:
            found += [self.scenario.n_prices] if actions[-1] in offers else []
            found += [self.scenario.n_prices + 1]
        return found

    def returns(self, actions: list[int]) -> list[float]:
        if not self.over(actions) or actions[-1] > self.scenario.n_prices:
            return [0.0, 0.0]
        price, n = self.scenario.prices[actions[-2]], len(actions)
        made = {self.opener: (n + 1) // 2, self.opener.other: n // 2}
        return [self.rate ** (made[role] - 1) * self.scenario.reward(role, price) for role in Role]

    def state(self, actions: list[int]) -> int:
        """The row of the mover's table."""
        role, n = self.mover(actions), len(actions)
        price = self.scenario.prices[actions[-1]] if n else None
        opened = role is self.opener
        return Position(self.scenario, role, max(0, n - 1) // 2, None, price, opened).state


def spiel_players(rules: Rules, game: Any, name: str, table: Floats) -> Any:
    """Both greedy over their tables, ties drawn uniformly; or by the table's probabilities."""

    class Players(BasePolicy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, _player: Any = None) -> dict[int, float]:
            player, legal = state.current_player(), state.legal_actions()
            row = table[player, rules.state(state.actions)]
            if name == "weights":
                return {action: row[action] for action in legal}
            most = row[legal].max()
            best = [action for action in legal if row[action] == most]
            return {action: (action in best) / len(best) for action in legal}

    return Players(game, [0, 1])


def tables(scenario: Scenario, name: str) -> Floats:
    """Both Q-tables: untrained, random, random with ties, or of the equilibria of both openers.

    With the name `weights` they are random probabilities.
    """
    rng = np.random.default_rng(len(name) + scenario.n_prices)
    shape = 2, scenario.n_states, scenario.n_actions
    if name == "weights":
        return np.stack([random_probabilities(scenario, role, rng) for role in Role])
    if name == "random":
        return rng.normal(size=shape)
    if name == "ties":
        return rng.integers(0, 2, shape) / 2
    q = np.zeros(shape)
    if name == "equilibrium":
        for opener in Role:
            actions = solve(scenario, opener).actions
            q[opener, 0, actions[0, 0]] = 1
            for ply in range(1, 2 * scenario.rounds):
                role = opener if ply % 2 == 0 else opener.other
                for i, price in enumerate(scenario.prices):
                    row = scenario.state_index(price, (ply - 1) // 2, role is opener)
                    q[role, row, actions[ply, i]] += 1
    return q


@pytest.mark.parametrize("name", ["untrained", "random", "ties", "weights", "equilibrium"])
@pytest.mark.parametrize("states", States)
@pytest.mark.parametrize(
    ("scenario", "rate"),
    [*((scenario, rate) for scenario in SCENARIOS for rate in (1.0, DISCOUNT)), *LARGER],
    ids=lambda found: getattr(found, "name", found),
)
def test_open_spiel_finds_the_same(
    scenario: Scenario, states: States, name: str, rate: float
) -> None:
    scenario = replace(scenario, states=states)
    table = tables(scenario, name)
    of = TabularPolicy.of_probabilities if name == "weights" else greedy
    policies = [of(scenario, role, table[role]) for role in Role]
    totals = []
    for opener in Role:
        rules = Rules(scenario, opener, rate)
        game = spiel_game(rules)
        players = spiel_players(rules, game, name, table)
        # Their nash_conv is the sum of these gains, from best responses found once more.
        theirs = [exploitability.best_response(game, players, int(role)) for role in Role]
        gains = [best["nash_conv"] for best in theirs]
        fixed = replace(scenario, opener=Opener.of(opener))
        ours = nash_conv(fixed, policies[0], policies[1], rate)
        assert ours.total == pytest.approx(sum(gains), abs=1e-9)
        assert ours.exploitability == pytest.approx(tuple(gains), abs=1e-9)
        for role, best in zip(Role, theirs, strict=True):
            own, other = policies[role], policies[role.other]
            found = best_response(scenario, role, other, rate).values[opener]
            assert found == pytest.approx(best["best_response_value"], abs=1e-9)
            worth = value(scenario, role, own, other, opener, rate)
            assert worth == pytest.approx(best["on_policy_value"], abs=1e-9)
        totals.append(sum(gains))
    ours = nash_conv(replace(scenario, opener=Opener.ALTERNATE), policies[0], policies[1], rate)
    assert ours.total == pytest.approx(np.mean(totals), abs=1e-9)
    if name == "equilibrium" and scenario.opener_aware and rate == DISCOUNT:
        assert ours.total == pytest.approx(0, abs=1e-9)
