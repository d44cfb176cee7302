"""Marks of players: exact where their chances are known, and honest where they were sampled."""

from dataclasses import replace
from runpy import run_path

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.examination import marks
from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.marks import Examinee, exploitability, regrets, yardstick
from negotiation_tui.examination.reply import Play
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import PRESETS, Scenario
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy
from negotiation_tui.solvers import histories
from negotiation_tui.solvers.payoffs import first_best
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from tests.support.paths import DOCS

FINDINGS = run_path(str(DOCS / "examination_findings.py"))
SMALL, mixed, asked = (FINDINGS[name] for name in ("SMALL", "mixed", "answers"))
GAMES = {
    name: replace(Scenario.of(SMALL if name == "small" else name), states=States.OPENER_AWARE)
    for name in ("original", "hidden", "small")
}
TABLES = [n for n, each in STRATEGIES.items() if each.tabulated(GAMES["hidden"], Role.SELLER)]
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
        drawn.append(np.mean([Play(*each).mean(role.other, RATE) for each in plays]))
    error = examinee.earned(examinee.plays(replies), role.other).error
    assert error == pytest.approx(np.std(drawn), rel=0.15)


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
    scenario, rng, role = GAMES["hidden"], np.random.default_rng(9), Role.BUYER
    chances = mixed(scenario, role, rng)
    known = Examinee(scenario, role, exact(scenario, role, chances))
    true_regret = [each.regret.mean for each in regrets(known)]
    true_share, biases = exploitability(known).earned, []
    for n in (1, 10, 50):
        players = [
            Examinee(scenario, role, asked(scenario, role, chances, n, rng)) for _ in range(40)
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
