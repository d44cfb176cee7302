"""Players made ready: as tables where there are any, and the exact best response as one learns."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from negotiation_tui import LEARNERS, STRATEGIES, BadInputError, Position, Role, Scenario, strategy
from negotiation_tui.cli.main import main
from negotiation_tui.game.tabular_policy import TabularPolicy, untrained_policy
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.base import built_in, tabulate
from negotiation_tui.strategies.matchup import ready_players, tables_of
from negotiation_tui.strategies.rational import BeliefResponder, BestResponder
from negotiation_tui.strategies.time_dependent import Boulware
from tests.support.game import ORIGINAL, roles, scenarios, seeds, some
from tests.support.lotteries import interim, lottery, stack
from tests.support.mixed import Known

BEST = BestResponder()
TABULAR = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]


@settings(max_examples=20)
@given(
    scenarios(largest=5, rounds=4), roles, seeds, st.floats(0, 1), st.integers(1, 30),
    st.sampled_from(TABULAR),
)  # fmt: skip
@example(ORIGINAL, Role.SELLER, 1, 0.9, 30, "wolf-phc")
@example(ORIGINAL, Role.SELLER, 1, 0.9, 30, "roth-erev")
def test_each_cycle_it_answers_what_the_other_knows_then(
    scenario: Scenario, role: Role, seed: int, rate: float, episodes: int, name: str
) -> None:
    """Against a training in which its policy is put in the seat by hand before each cycle."""
    parameters, one = Parameters(episodes=episodes, discount_rate=rate), LEARNERS[name]
    pair = (BEST, one) if role is Role.SELLER else (one, BEST)
    by_itself = ConcurrentTraining(scenario, parameters, seed, True, Role.SELLER, *pair)
    by_hand = ConcurrentTraining(scenario, parameters, seed, True, Role.SELLER, one, one)
    for _ in range(6):
        other = by_hand.policy(role.other)
        assert isinstance(other, TabularPolicy)
        answer = some(best_response(scenario, role, other, rate).policy)
        by_hand.seat(role, Known(0, known=answer))
        by_hand.run(1)
    by_itself.run(6)
    assert np.array_equal(by_itself.q_table(role.other), by_hand.q_table(role.other))
    assert np.array_equal(by_itself.statistics.counts, by_hand.statistics.counts)
    assert by_itself.last_negotiation == by_hand.last_negotiation


def test_both_best_when_the_other_does_not_learn() -> None:
    training = ConcurrentTraining(ORIGINAL, train_both=False, buyer=BEST, train_agent=Role.BUYER)
    assert training.learner(0) is None
    training.run(2)
    assert not training.q_tables.any()


@pytest.mark.parametrize(
    ("opposite", "named"),
    [
        ("micro", "best-response: expected an opponent with a table, got micro, which depends on"),
        ("best-response", "got best-response, which responds too"),
    ],
)
def test_whom_it_cannot_answer(opposite: str, named: str) -> None:
    other = strategy(opposite)
    for pair in ((BEST, other), (other, BEST)):
        with pytest.raises(BadInputError, match=named) as raised:
            ConcurrentTraining(ORIGINAL, seller=pair[0], buyer=pair[1])
        assert "choose learned or" in str(raised.value)
        with pytest.raises(BadInputError, match=named):
            ready_players(ORIGINAL, pair[0], pair[1])
    training = ConcurrentTraining(ORIGINAL, seller=other)
    with pytest.raises(BadInputError, match=named):
        training.seat(Role.BUYER, BEST)
    assert training.strategy(Role.BUYER) is None
    training.run_episodes(10)


def test_it_has_no_actions_without_an_opponent() -> None:
    with pytest.raises(BadInputError, match="best-response: expected a known opponent"):
        BEST.support(Position(ORIGINAL, Role.SELLER))


@pytest.mark.slow
def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", "--seed", "1", "--cycles", "3", "--no-verbose", "--save", "t.npz"]
    assert main([*words, "--buyer", "best-response"]) == 0
    assert main(["test", "t.npz", "--buyer", "micro"]) == 0
    capsys.readouterr()
    assert main(["solve", "--policy", "t.npz"]) == 0
    out = capsys.readouterr().out
    assert "the buyer plays best-response" in out
    assert "its best response gets 0.0000 more" in out
    rows = ["--set", "buyer=best-response", "--set", "cycles=2", "--runs", "2", "--out", "r.csv"]
    assert main(["sweep", *rows, "--workers", "1"]) == 0


@pytest.mark.parametrize("seed", range(6))
def test_with_hidden_limits_each_limit_gets_what_its_best_response_is_worth(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenario, role = lottery(rng, 3, 2), Role(seed % 2)
    table, others = stack(scenario, role.other, rng)
    player = BEST.ready(scenario, role, table, 0.9)
    assert isinstance(player, BeliefResponder)
    assert player.tabulated(scenario, role) is None, "it heeds all offers"

    def plan(at: Position) -> dict[int, float]:
        actions = player.support(at)
        assert player.act(at, rng) in actions
        return dict.fromkeys(actions, 1 / len(actions))

    earned = interim(scenario, role, others, 0.9, [plan] * scenario.n_tables(role))
    assert earned == pytest.approx(player.response.interim, abs=1e-12)


MICRO, BOULWARE = STRATEGIES["micro"], STRATEGIES["boulware"]


class Mine(Boulware):
    """A rule that is built on one of the list, and is not of the list."""


def untrained(role: Role) -> TabularPolicy:
    return untrained_policy(ORIGINAL, role)


def same(one: object, other: object) -> bool:
    assert isinstance(one, TabularPolicy)
    assert isinstance(other, TabularPolicy)
    return np.array_equal(one.actions, other.actions) and np.array_equal(
        one.n_actions, other.n_actions
    )


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_is_ready_as_its_table_or_itself(name: str, role: Role) -> None:
    held, opponent = STRATEGIES[name], untrained(role.other)
    ready, table = held.ready(ORIGINAL, role, opponent, 0.9), held.tabulated(ORIGINAL, role)
    assert held.needs_opponent == (name == "best-response")
    if held.needs_opponent:
        assert table is None
        assert same(ready, best_response(ORIGINAL, role, opponent, 0.9).policy)
    elif "history" in held.depends_on:
        assert table is None
        assert ready is held
    else:
        assert same(ready, tabulate(ORIGINAL, role, held))
        assert ready is table, "it is not computed twice"
    seller, buyer = (held, opponent) if role is Role.SELLER else (opponent, held)
    found = ready_players(ORIGINAL, seller, buyer, 0.9)
    assert found[role.other] is opponent, "a table is ready as it is"
    assert found[role] is ready or same(found[role], ready)


def test_a_table_is_kept_for_built_in_strategies_alone() -> None:
    first = BOULWARE.tabulated(ORIGINAL, Role.SELLER)
    assert Boulware().tabulated(ORIGINAL, Role.SELLER) is first
    mine = Mine().tabulated(ORIGINAL, Role.SELLER)
    assert mine is not Mine().tabulated(ORIGINAL, Role.SELLER)
    assert same(mine, some(first))
    assert not built_in(Mine())
    assert not built_in("boulware")


def test_tables_are_those_of_both_or_none() -> None:
    policy = untrained(Role.BUYER)
    tables = some(tables_of(ORIGINAL, BOULWARE, policy))
    assert same(tables[Role.SELLER], tabulate(ORIGINAL, Role.SELLER, BOULWARE))
    assert tables[Role.BUYER] is policy
    assert tables_of(ORIGINAL, MICRO, policy) is None
    assert tables_of(ORIGINAL, BOULWARE, MICRO) is None
