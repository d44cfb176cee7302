"""What-ifs: another action from a moment of the past, and the turns that follow."""

from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.timeline import what_if
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from tests.support.game import seeds
from tests.support.screen_driver import STATIC, Screen
from tests.support.trainings import new_session

names = st.none() | st.sampled_from(sorted(STRATEGIES))


@settings(max_examples=15, deadline=None)
@given(seller=names, buyer=names, seed=seeds, played=st.integers(1, 12), data=st.data())
def test_it_is_as_it_was_up_to_there_and_by_the_rules_from_there(
    seller: str | None, buyer: str | None, seed: int, played: int, data: st.DataObject
) -> None:
    try:
        trainer = new_session(Scenario.original(), Parameters(), seed, (seller, buyer))
    except BadInputError:  # a best response to what has no table
        assert "best-response" in {seller, buyer}
        return
    trainer.handle(Play(played))
    then = trainer.snapshot
    was = then.negotiation
    assert was is not None
    turns = data.draw(st.integers(0, len(was.transcript.turns) - 1))
    position = was.transcript.first(turns).position
    assert position is not None
    action = data.draw(st.sampled_from(list(position.legal)))
    found = what_if(then, was, turns, action)
    assert found == what_if(then, was, turns, action), "the same question, the same answer"
    assert (found.number, found.what_if) == (was.number, turns)
    assert found.transcript.over
    assert found.transcript.turns[:turns] == was.transcript.turns[:turns]
    assert found.transcript.turns[turns].action == action
    for n, turn in enumerate(found.transcript.turns):
        asked = found.transcript.first(n).position
        assert asked is not None
        assert turn.action in asked.legal
        table = then.q_tables[turn.role]
        if n > turns and (seller, buyer)[turn.role] is None and table is not None:
            row = table[asked.state]
            assert row[turn.action] == max(row[legal] for legal in asked.legal)


def test_with_the_action_that_was_taken_static_players_do_the_same_again() -> None:
    scenario, midpoint = Scenario.legacy(), strategy("midpoint")
    trainer = new_session(scenario, Parameters(), 1, STATIC)
    trainer.handle(Play())
    was = trainer.snapshot.negotiation
    assert was is not None
    assert was.transcript.turns == negotiate(scenario, midpoint, midpoint).turns
    for n, turn in enumerate(was.transcript.turns):
        found = what_if(trainer.snapshot, was, n, turn.action)
        assert found.transcript == was.transcript


def asked(*keys: str) -> Screen:
    """Three offers of the static game on the bar, the list open."""
    return Screen("legacy", strategies=STATIC).press(".", ".", ".", "f", *keys)


def test_the_branch_plays_and_rests_at_its_end_until_esc() -> None:
    screen = asked("esc")
    screen.settle()
    was = screen.text().splitlines()[:-1]
    screen.press("f", "down", "enter")
    assert screen.line("what if, from turn 4 on · Esc goes back")
    assert screen.line("(what if)")
    screen.tick(20)
    assert screen.model.playback
    assert screen.model.playback.over
    assert not screen.model.running
    assert screen.model.latest.negotiations == 1
    screen.press("esc").settle()
    assert screen.text().splitlines()[:-1] == was


def test_it_trains_and_counts_nothing() -> None:
    screen = Screen("original").press("c", ".", "f")
    before = screen.model.latest
    screen.press("enter").tick(20)
    after = screen.model.latest
    assert after.negotiations == before.negotiations
    assert len(screen.model.history.entries) == 2
    assert all(a is b for a, b in zip(after.q_tables, before.q_tables, strict=True))
