"""Marks of players: exact where chances are known, honest where sampled; what players disclose."""

from collections import defaultdict
from dataclasses import replace
from itertools import product
from runpy import run_path

import numpy as np
import pytest

from negotiation_tui import STRATEGIES, BadInputError, Position, Role, States, strategy
from negotiation_tui.examination import marks
from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.examine import with_opener
from negotiation_tui.examination.marks import (
    Examinee,
    calibration,
    disclosures,
    exploitability,
    opponents,
    regrets,
    yardstick,
)
from negotiation_tui.examination.reply import AutomatonPlay, fixed_reply
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import PRESETS
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows, untrained_policy
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.solvers import histories
from negotiation_tui.solvers.belief_induction import TableAnswerer
from negotiation_tui.solvers.best_response import BestResponse, best_response
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.payoffs import first_best
from tests.support.game import game, some
from tests.support.lotteries import interim, lottery, stack
from tests.support.paths import DOCS
from tests.support.plans import Plan

FINDINGS = run_path(str(DOCS / "examination_findings.py"))
SMALL, mixed, asked = (FINDINGS[name] for name in ("SMALL", "mixed", "answers"))
GAMES = {
    name: replace(Scenario.of(SMALL if name == "small" else name), states=States.OPENER_AWARE)
    for name in ("original", "hidden", "small")
}
RATE = 0.99


def exact(scenario: Scenario, role: Role, chances: Floats) -> TabularPolicy:
    return TabularPolicy.of_probabilities(scenario, role, chances)


@pytest.mark.slow
def test_named_opponents_have_tables_in_every_preset() -> None:
    for name in PRESETS:
        for role in Role:
            tables = marks.opponents(replace(Scenario.of(name), states=States.OPENER_AWARE), role)
            assert tuple(n for n, _ in tables) == OPPONENTS


@pytest.mark.parametrize("spec", ["tit-for-tat", "micro", "boulware:accept=combi"])
def test_players_with_a_memory_have_exact_marks(spec: str) -> None:
    """The values themselves: `tests/solvers/test_histories.py`."""
    examinee = Examinee(GAMES["hidden"], Role.SELLER, strategy(spec))
    found = exploitability(examinee)
    assert found.least == pytest.approx(found.earned, abs=1e-12)
    assert found.most == pytest.approx(found.earned, abs=1e-12)
    assert not found.losses
    assert all(each.regret.error <= 1e-12 for each in regrets(examinee))


def test_players_that_cannot_be_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "MAX_HISTORIES", 1000)
    with pytest.raises(BadInputError, match="policy of its own"):
        Examinee(GAMES["original"], Role.SELLER, STRATEGIES["best-response"])
    examinee = Examinee(
        Scenario.of("fine"), Role.SELLER, strategy("zero-intelligence:accept=combi")
    )
    with pytest.raises(BadInputError, match="histories"):
        exploitability(examinee)


@pytest.mark.parametrize(
    "game", ["small", *(pytest.param(n, marks=pytest.mark.slow) for n in ("original", "hidden"))]
)
def test_the_costliest_decision_is_worth_its_cost(game: str) -> None:
    """Playing the better action in that decision, all else unchanged, earns exactly so much."""
    scenario, rng = GAMES[game], np.random.default_rng(3)
    for role in Role:
        chances = mixed(scenario, role, rng)
        examinee = Examinee(scenario, role, exact(scenario, role, chances))
        for found in regrets(examinee):
            assert [each.cost for each in found.losses] == sorted(
                [each.cost for each in found.losses], reverse=True
            )
            for decision in found.losses:
                better = chances.copy()
                better[decision.row] = np.eye(scenario.n_actions)[decision.action]
                other = regrets(Examinee(scenario, role, exact(scenario, role, better)))
                same = next(each for each in other if each.opponent == found.opponent)
                gain = found.regret.mean - same.regret.mean
                assert gain == pytest.approx(decision.cost, abs=1e-12)
        replies, _ = examinee.replies()
        share = exploitability(examinee)
        now = examinee.earned(examinee.plays(replies), role).mean
        for decision in share.losses:
            better = chances.copy()
            better[decision.row] = np.eye(scenario.n_actions)[decision.action]
            changed = Examinee(scenario, role, exact(scenario, role, better))
            after = changed.earned(changed.plays(replies), role).mean
            gain = (after - now) / first_best(scenario)
            assert gain == pytest.approx(decision.cost, abs=1e-12)


def test_bounds_need_four_answers_and_meet_for_exact_chances() -> None:
    scenario, rng = GAMES["small"], np.random.default_rng(5)
    chances = mixed(scenario, Role.SELLER, rng)
    answers = asked(scenario, Role.SELLER, chances, 3, rng)
    few = exploitability(Examinee(scenario, Role.SELLER, answers))
    assert few.least is few.most is None
    stated = exploitability(Examinee(scenario, Role.SELLER, replace(answers, odds=chances)))
    known = exploitability(Examinee(scenario, Role.SELLER, exact(scenario, Role.SELLER, chances)))
    assert stated.least == pytest.approx(known.earned, abs=1e-12)
    assert stated.most == pytest.approx(known.earned, abs=1e-12)


LOSSES = game(3, 2, states="opener-aware", seller={"reservation": 2}, buyer={"reservation": 3})


def test_bounds_where_the_player_can_trade_at_a_loss() -> None:
    """Best replies to any legal move earn more than first best; a program may draw so."""
    legal = legal_rows(LOSSES, Role.SELLER)
    chances = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    known = exploitability(Examinee(LOSSES, Role.SELLER, exact(LOSSES, Role.SELLER, chances)))
    assert known.earned == known.most == pytest.approx(1.2617, abs=5e-5)
    answers = asked(LOSSES, Role.SELLER, chances, 10, np.random.default_rng(0))
    found = exploitability(Examinee(LOSSES, Role.SELLER, answers))
    assert some(found.least) < known.earned < some(found.most)


def test_the_upper_bound_allows_for_actions_that_were_not_seen() -> None:
    scenario, rng, bounds = GAMES["small"], np.random.default_rng(5), []
    answers = asked(scenario, Role.SELLER, mixed(scenario, Role.SELLER, rng), 10, rng)
    examinee = Examinee(scenario, Role.SELLER, answers)
    for smoothing in (0.0, 0.5):
        replies, value = examinee.replies(examinee.playing(answers.chances(smoothing=smoothing)))
        error = examinee.earned(examinee.plays(replies), Role.BUYER).error
        bounds.append((value + 2 * error) / first_best(scenario))
    assert some(exploitability(examinee).most) == pytest.approx(max(bounds), abs=1e-12)
    assert max(bounds) > min(bounds) + 0.01


def test_bounds_cover_the_truth_by_brute_force() -> None:
    """The reservation values lie inside the ranges, so that both roles can trade at a loss."""
    rng, covered, beyond = np.random.default_rng(11), 0, 0
    for number in range(40):
        role, prices = Role(number % 2), sorted(rng.choice(9, 3, replace=False).tolist())
        sides = {f"{each}": {"reservation": int(rng.integers(0, 9))} for each in Role}
        opener = str(rng.choice(["seller", "buyer", "alternate"]))
        scenario = game(prices, 2, states="opener-aware", opener=opener, **sides)
        chances, unit = mixed(scenario, role, rng), first_best(scenario) or 1.0

        def plan(at: Position, chances: Floats = chances) -> dict[int, float]:
            return {n: chance for n, chance in enumerate(chances[at.row].tolist()) if chance}

        values = interim(scenario, role.other, [plan], RATE, None)
        truth = float(values[list(scenario.opener.roles)].mean()) / unit
        known = exploitability(Examinee(scenario, role, exact(scenario, role, chances)))
        assert (known.least, known.most) == pytest.approx((truth, truth), abs=1e-12)
        answers = asked(scenario, role, chances, 10, rng)
        found = exploitability(Examinee(scenario, role, answers))
        least, most = some(found.least), some(found.most)
        assert least <= most
        covered += least - 1e-12 <= truth <= most + 1e-12
        beyond += truth > 1 or truth < 0
    assert beyond >= 4
    assert covered >= 39


@pytest.mark.slow
def test_errors_are_those_of_a_bootstrap() -> None:
    scenario, rng, role = GAMES["hidden"], np.random.default_rng(6), Role.SELLER
    answers = asked(scenario, role, mixed(scenario, role, rng), 10, rng)
    examinee = Examinee(scenario, role, answers)
    replies, _ = examinee.replies()
    chances, drawn = answers.chances(smoothing=0.5), []
    for _ in range(300):
        again = asked(scenario, role, chances, 10, rng).chances()
        plays = zip(replies, examinee.playing(again), strict=True)
        drawn.append(np.mean([AutomatonPlay(*each).mean(role.other, RATE) for each in plays]))
    error = examinee.earned(examinee.plays(replies), role.other).error
    assert error == pytest.approx(np.std(drawn), rel=0.15)


@pytest.mark.slow
def test_intervals_are_those_of_95_percent() -> None:
    """Of the regret, and of what replies to each half of the answers leave the player."""
    scenario, rng, off = LOSSES, np.random.default_rng(12), list[Floats]()
    for number in range(80):
        role = Role(number % 2)
        chances = mixed(scenario, role, rng)
        known = Examinee(scenario, role, exact(scenario, role, chances))
        examinee = Examinee(scenario, role, asked(scenario, role, chances, 10, rng))
        (one,), (other,) = (regrets(each, ("conceder",)) for each in (examinee, known))
        halves = [examinee.replies(examinee.answerers((half,)))[0] for half in (0, 1)]
        left = np.mean([known.earned(known.plays(replies), role).mean for replies in halves])
        found = exploitability(examinee).left
        errors = one.regret.mean - other.regret.mean, found.mean * first_best(scenario) - left
        off.append(np.array(errors) / [one.regret.error, found.error * first_best(scenario)])
    covered = (np.abs(off) <= 1).mean(axis=0)
    assert (covered >= 0.9).all()
    assert (covered < 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_bounds_cover_the_truth(game: str) -> None:
    scenario, rng, covered = GAMES[game], np.random.default_rng(8), 0
    for n in range(12):
        role = Role(n % 2)
        chances = mixed(scenario, role, rng)
        truth = exploitability(Examinee(scenario, role, exact(scenario, role, chances))).earned
        found = exploitability(Examinee(scenario, role, asked(scenario, role, chances, 10, rng)))
        assert found.least is not None
        assert found.most is not None
        covered += found.least <= truth <= found.most
    assert covered >= 11


@pytest.mark.slow
def test_regret_is_unbiased_and_naive_exploitability_is_not() -> None:
    scenario, rng, role = GAMES["original"], np.random.default_rng(9), Role.BUYER
    chances = mixed(scenario, role, rng)
    known = Examinee(scenario, role, exact(scenario, role, chances))
    true_regret = [each.regret.mean for each in regrets(known)]
    true_share, biases = exploitability(known).earned, []
    for n in (1, 10, 50):
        players = [
            Examinee(scenario, role, asked(scenario, role, chances, n, rng)) for _ in range(24)
        ]
        found = np.array([[each.regret.mean for each in regrets(player)] for player in players])
        off = found.mean(axis=0) - true_regret
        assert (abs(off) <= 4 * found.std(axis=0) / np.sqrt(len(players)) + 1e-12).all()
        earned = [exploitability(player).earned for player in players[:12]]
        biases.append(np.mean(earned) - true_share)
    assert biases[0] > 0.05
    assert biases[0] > 2 * biases[1] > 0
    assert biases[1] > biases[2]


def test_yardstick() -> None:
    found = dict(yardstick(GAMES["hidden"], Role.SELLER))
    assert tuple(found) == OPPONENTS
    assert found["hardliner"].earned < found["conceder"].earned


GAME = game(
    [0, 2, 3, 7],
    3,
    states="opener-aware",
    seller={"limits": [1, 3], "weights": [2, 1]},
    buyer={"limits": [2, 3, 7]},
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
        assert found.bits
        assert found.pretending
        assert found.bits.mean == pytest.approx(bits, abs=1e-12)
        assert {found.bits.error, *(each.error for each in found.pretending)} == {0}
        assert found.bluffs == pytest.approx(bluffs, abs=1e-12)
        pair = (table, opponent) if role is Role.SELLER else (opponent, table)
        gains = expected_play(GAME, *pair).pretending(role, 0.99)
        assert [each.mean for each in found.pretending] == pytest.approx(gains, abs=1e-12)


def test_a_player_whose_limit_is_known_gives_nothing_away() -> None:
    assert not disclosures(Examinee(GAMES["original"], Role.SELLER, STRATEGIES["linear"]))


def test_a_player_that_remembers_offers() -> None:
    found = disclosures(Examinee(GAME, Role.SELLER, strategy("micro")))
    assert {each.pretending for each in found} == {None}
    bits = [some(each.bits).mean for each in found]
    assert min(bits) >= 0
    assert 0 < max(bits) <= 1


NOISY = game(
    4,
    3,
    states="opener-aware",
    seller={"limits": [0, 1, 2]},
    buyer={"limits": [3, 4], "weights": [1, 3]},
)


@pytest.mark.slow
def test_intervals_cover_the_truth() -> None:
    found = FINDINGS["coverage"](NOISY, 100, np.random.default_rng(4))
    assert 0.93 <= found["bits"] <= 0.97
    assert 0.93 <= found["gains"] <= 0.99, "a gain of 0 is never missed from above"
    assert found["regret"] >= 0.93


@pytest.mark.parametrize("role", Role)
def test_answers_that_never_vary_leave_little_doubt(role: Role) -> None:
    """The errors of a program without noise are small, and its truth lies within."""
    table = with_opener(NOISY, role, some(strategy("boulware").tabulated(NOISY, role)))
    answers = asked(NOISY, role, table.probabilities, 10, np.random.default_rng(0))
    sampled, known = (
        disclosures(Examinee(NOISY, role, each), ("linear",))[0] for each in (answers, table)
    )
    told, truth = some(sampled.bits), some(known.bits)
    assert abs(told.mean - truth.mean) < told.error < 0.1
    for one, other in zip(some(sampled.pretending), some(known.pretending), strict=True):
        assert abs(one.mean - other.mean) <= one.error < 0.05


def test_too_many_sequences_have_no_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MAX_NUMBERS", 100)
    examinee = Examinee(GAME, Role.SELLER, untrained_policy(GAME, Role.SELLER))
    found = disclosures(examinee)
    assert {each.bits for each in found} == {None}


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


def reply_of(best: BestResponse, at: Position) -> int:
    """The action that is documented: accept, or the offer best for the role, or walk away."""
    actions, accept = best.best(at), at.scenario.accept
    offers = [action for action in actions if action < accept]
    if accept in actions:
        return accept
    if offers:
        return offers[-1] if at.role is Role.SELLER else offers[0]
    return actions[0]


@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
@pytest.mark.parametrize("seed", range(10))
def test_a_player_is_left_with_its_return_against_the_reply(seed: int, known: bool) -> None:
    rng = np.random.default_rng(100 + seed)
    scenario, role, rate = lottery(rng, 3, 3, known), Role(seed % 2), 0.9
    table, plans = stack(scenario, role, rng)
    best = best_response(scenario, role.other, table, rate)

    def replying(at: Position) -> dict[int, float]:
        return {reply_of(best, at): 1.0}

    others: list[Plan] = [replying] * scenario.n_tables(role.other)
    expected = interim(scenario, role, others, rate, plans) @ scenario.chances(role)
    for opener in Role:
        player = TableAnswerer(scenario, role.other, table, opener is role.other)
        reply, _ = fixed_reply(scenario, role, player, rate, opener is role)
        found = AutomatonPlay(reply, player).mean(role, rate)
        assert found == pytest.approx(expected[opener], abs=1e-12)
