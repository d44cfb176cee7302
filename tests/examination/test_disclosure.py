"""Bits, bluffs and beliefs, against sums over whole negotiations."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from negotiation_tui.examination import marks
from negotiation_tui.examination.marks import Examinee, calibration, disclosures, opponents
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from tests.examination.test_marks import GAMES, asked, exact, mixed

GAME = Scenario.from_dict(
    {
        "prices": [0, 2, 3, 7],
        "rounds": 3,
        "states": "opener-aware",
        "seller": {"limits": [1, 3], "weights": [2, 1]},
        "buyer": {"limits": [2, 3, 7]},
    }
)


def by_hand(
    scenario: Scenario, role: Role, table: TabularPolicy, opponent: TabularPolicy
) -> tuple[float, float]:
    """Bits and bluffs, from the chance of each negotiation."""
    bits, bluffs, offered = 0.0, 0.0, 0.0
    for opener in scenario.opener.roles:
        told: dict[tuple[int, ...], dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for limits in product(*(range(scenario.n_tables(each)) for each in Role)):
            own, game = limits[role], scenario.drawn(*limits)
            weights = [scenario.chances(each)[n] for each, n in zip(Role, limits, strict=True)]
            pending: list[tuple[tuple[int, ...], float]] = [((), float(np.prod(weights)))]
            while pending:
                offers, mass = pending.pop()
                at = Position.after(game, opener, offers)
                policy = table if at.role is role else opponent
                chances = policy.probabilities[policy.row(at)]
                for action in np.flatnonzero(chances).tolist():
                    now = mass * chances[action]
                    if action >= game.accept:
                        told[offers[opener is not role :: 2]][own] += now
                        continue
                    pending.append(((*offers, game.prices[action]), now))
                    if at.role is role:
                        offered += now
                        row = at.state
                        n = len(table.n_actions) // table.n_tables
                        others = range(own + 1, table.n_tables)
                        if role is Role.BUYER:
                            others = range(own)
                        shown = [table.probabilities[k * n + row, action] for k in others]
                        bluffs += now * any(each >= chances[action] - 1e-12 for each in shown)
        for ends in told.values():
            for limit, mass in ends.items():
                share = mass / sum(ends.values()) / scenario.chances(role)[limit]
                bits += mass * np.log2(share) / len(scenario.opener.roles)
    return bits, bluffs / offered


@pytest.mark.parametrize("role", Role)
def test_bits_and_bluffs_are_sums_over_negotiations(role: Role) -> None:
    rng = np.random.default_rng(1)
    table = exact(GAME, role, mixed(GAME, role, rng))
    tables = dict(opponents(GAME, role.other))
    for found in disclosures(Examinee(GAME, role, table)):
        opponent = tables[found.opponent]
        bits, bluffs = by_hand(GAME, role, table, opponent)
        assert found.bits == pytest.approx(bits, abs=1e-12)
        assert found.least == pytest.approx(bits, abs=1e-12)
        assert found.bluffs == pytest.approx(bluffs, abs=1e-12)
        pair = (table, opponent) if role is Role.SELLER else (opponent, table)
        gains = expected_play(GAME, *pair).pretending(role, 0.99)
        assert found.pretending == pytest.approx(gains, abs=1e-12)


def test_a_player_whose_limit_is_known_gives_nothing_away() -> None:
    assert not disclosures(Examinee(GAMES["original"], Role.SELLER, STRATEGIES["linear"]))


def test_a_player_that_remembers_offers() -> None:
    found = disclosures(Examinee(GAME, Role.SELLER, strategy("micro")))
    assert {each.pretending for each in found} == {None}
    bits = [each.bits or 0.0 for each in found]
    assert min(bits) >= 0
    assert 0 < max(bits) <= 1


@pytest.mark.slow
def test_bits_of_answers_lie_on_both_sides_of_the_truth() -> None:
    scenario, role, rng = GAMES["hidden"], Role.SELLER, np.random.default_rng(2)
    chances = mixed(scenario, role, rng)
    known = disclosures(Examinee(scenario, role, exact(scenario, role, chances)))
    few = [
        disclosures(Examinee(scenario, role, asked(scenario, role, chances, 10, rng)))
        for _ in range(5)
    ]
    for truth, *found in zip(known, *few, strict=True):
        assert truth.bits
        assert np.mean([each.least for each in found]) < truth.bits
        assert np.mean([each.bits for each in found]) > truth.bits


def test_too_many_sequences_have_no_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MOST", 100)
    examinee = Examinee(GAME, Role.SELLER, untrained_policy(GAME, Role.SELLER))
    found = disclosures(examinee)
    assert {each.bits for each in found} == {each.least for each in found} == {None}


def test_stated_beliefs_beside_those_of_bayes() -> None:
    """The buyer of limit 7 alone opens with 0, by its table; then Bayes' rule is certain."""
    rows = np.zeros((GAME.n_rows(Role.BUYER), GAME.n_actions))
    for limit, first in enumerate((1, 1, 0)):
        rows[limit * GAME.n_states : (limit + 1) * GAME.n_states, GAME.walk_away] = 1
        rows[limit * GAME.n_states] = np.eye(GAME.n_actions)[first]
    table = exact(GAME, Role.BUYER, rows)
    at = Position.after(GAME.drawn(0, 2), Role.BUYER, (0,))
    stated = np.array([0.0, 0.5, 0.5])
    found = calibration([(at, stated, 2), (at, stated, 0)], table)
    assert found is not None
    assert found.n == 2
    assert found.stated == pytest.approx((0.5 + 1.5) / 2)
    assert found.bayes == pytest.approx((0 + 2) / 2)
    assert calibration([], table) is None
