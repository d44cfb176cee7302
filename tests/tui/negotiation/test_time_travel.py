"""Back and forth through what was on the bar, and what-ifs from there."""

import gc
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.jit import is_compiling
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.timeline import what_if
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from negotiation_tui.tui.negotiation.model import size_of
from negotiation_tui.tui.toolkit.timeline import History
from tests.support.game import seeds
from tests.support.screen_driver import STATIC, Picture, Screen, picture
from tests.support.trainings import new_session

moves = st.lists(st.sampled_from([".", "n", "c", ",", "[", "]", "space"]), max_size=15)
starts = st.sampled_from(
    [("original", (None, None)), ("legacy", STATIC), ("original", ("midpoint", None))]
)


def panes(screen: Screen) -> Picture:
    """Return the panes at rest, without the last line of the screen."""
    screen.settle()
    return picture(screen.frame())[:-1]


def begun(start: tuple[str, tuple[str | None, str | None]], keys: list[str]) -> Screen:
    """A paused screen on which something was shown."""
    screen = Screen(start[0], strategies=start[1], cycles=6, episodes=9)
    screen.press(".")
    for key in keys:
        screen.press(key).tick(0.3, 0.1)
    return screen.press("space") if screen.model.running else screen


@settings(max_examples=6, deadline=None)
@given(start=starts, keys=moves, steps=st.integers(1, 12))
@pytest.mark.slow
def test_so_many_back_and_forward_is_the_same_picture(
    start: tuple[str, tuple[str | None, str | None]], keys: list[str], steps: int
) -> None:
    screen = begun(start, keys)
    film = [panes(screen)]
    for _ in range(steps):
        was = screen.shown
        screen.press(",")
        if screen.shown == was:
            assert screen.line("this is the beginning")
            break
        film.append(panes(screen))
    while len(film) > 1:
        assert panes(screen) == film.pop()
        screen.press(".")
    assert panes(screen) == film.pop()


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(start=starts, keys=moves, steps=st.integers(1, 4))
def test_cycles_back_and_forward_end_in_the_present(
    start: tuple[str, tuple[str | None, str | None]], keys: list[str], steps: int
) -> None:
    screen = begun(start, keys).press("n")
    screen.press(*"]" * 9)
    was = panes(screen)
    back = 0
    for _ in range(steps):
        before = screen.shown
        screen.press("[")
        back += screen.shown != before
    screen.press(*"]" * back)
    if back:
        assert screen.model.place is None
    screen.press("n") if not screen.model.playback or not screen.model.playback.over else None
    assert panes(screen) == was


def test_space_plays_the_past_up_to_the_present_and_on() -> None:
    screen = Screen("legacy", strategies=STATIC, pace="16").press("n", "n", "n", ",", "[")
    assert screen.press(",").line("this is the beginning: ] goes forward")
    assert screen.model.snapshot.negotiations == 0
    played = screen.model.latest.negotiations
    screen.press("space")
    assert screen.line("▶ past: cycle 0")
    while not screen.model.in_present:
        assert screen.model.latest.negotiations == played
        screen.tick(0.2, 0.1)
    screen.tick(10, 0.2)
    assert screen.model.latest.negotiations > played


def shown_by(trainer: TrainingSession, negotiations: int, command: do.Command) -> list[Snapshot]:
    """Yield the snapshots of a session, negotiation by negotiation."""
    shown = []
    for _ in range(negotiations):
        trainer.handle(command)
        trainer.idle()
        shown.append(trainer.snapshot)
    return shown


def with_newest(kept: History[Snapshot], snapshot: Snapshot) -> History[Snapshot]:
    """The history with one snapshot more."""
    return kept.with_newest(snapshot, size_of(snapshot, kept.newest))


@pytest.mark.parametrize(("scenario", "least", "most"), [("original", 5, 8), ("fine", 80, 105)])
def test_an_entry_takes_the_memory_that_the_page_says(scenario: str, least: int, most: int) -> None:
    trainer = new_session(Scenario.of(scenario), Parameters(), 1)
    kept: History[Snapshot] = History()
    for snapshot in shown_by(trainer, 60, do.Play()):
        kept = with_newest(kept, snapshot)
    assert least <= kept.size / 60 / 1000 <= most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "command", "n"),
    [("original", do.PlayCycle(), 30), ("legacy", do.Play(), 30), ("hidden", do.Play(), 15)],
)
def test_the_memory_stated_is_what_is_used(scenario: str, command: do.Command, n: int) -> None:
    strategies = STATIC if scenario == "legacy" else (None, None)
    trainer = new_session(Scenario.of(scenario), Parameters(cycles=1000), 1, strategies)
    shown_by(trainer, 3, command)
    while is_compiling():  # a thread that allocates memory
        time.sleep(0.01)
    tracemalloc.start()
    kept: History[Snapshot] | None = History()
    try:
        for snapshot in shown_by(trainer, n, command):
            assert kept is not None
            kept = with_newest(kept, snapshot)
        assert kept is not None
        assert len(kept.entries) == n
        # What the trainer itself holds on to is counted, and not given back with the history.
        stated = kept.size - with_newest(History(), trainer.snapshot).size
        del snapshot
        gc.collect()
        with_all = tracemalloc.get_traced_memory()[0]
        kept = None
        gc.collect()
        used = with_all - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert used / 1.3 < stated < used * 1.3, f"{used / n:.0f} bytes each, {stated / n:.0f} stated"


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
    scenario, midpoint = Scenario.of("legacy"), strategy("midpoint")
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
