"""The tables of static strategies, as snapshots publish them."""

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.strategies.registry import strategy

PARAMETERS = Parameters(cycles=6, episodes=50)


def session(seller: str | None, buyer: str | None) -> TrainingSession:
    return TrainingSession(Scenario.original(), PARAMETERS, 11, (seller, buyer))


def test_a_strategy_with_a_table_publishes_it_and_a_learner_has_none() -> None:
    training = session("boulware", None)
    table = strategy("boulware").tabulated(Scenario.original(), Role.SELLER)
    assert training.snapshot.policies == (table, None)
    training.handle(do.PlayCycle())
    assert training.snapshot.policies == (table, None)
    training.handle(do.TakeSeat(Role.SELLER, None))
    assert training.snapshot.policies == (None, None)


def test_a_strategy_that_depends_on_the_history_has_none() -> None:
    assert session("tit-for-tat", None).snapshot.policies == (None, None)


def test_the_table_of_a_best_responder_follows_its_opponent_from_cycle_to_cycle() -> None:
    training = session(None, "best-response")
    first = training.snapshot.policies[Role.BUYER]
    assert first is not None
    training.handle(do.Play())
    assert training.snapshot.policies[Role.BUYER] is first
    training.handle(do.PlayCycle())
    assert training.snapshot.policies[Role.BUYER] is not first
