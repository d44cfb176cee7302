"""Two trainings on one screen and one clock."""

from pathlib import Path

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.commands import Play, PlayOn
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.side_by_side_session import SideBySideSession, To
from tests.support.game import values_of
from tests.support.screen_driver import Both
from tests.support.trainings import new_session

SHORT = Parameters(cycles=4, episodes=10)


def both(size: tuple[int, int] = (120, 36), paused: bool = True) -> Both:
    return Both(SHORT, paused=paused).resize(*size)


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
def test_each_half_is_a_screen_with_its_name(size: tuple[int, int]) -> None:
    title, names, *_ = both(size).press("n").text().splitlines()
    assert title.startswith(" negotiation-tui  side by side  original 5×5")
    assert title.rstrip().endswith("‖ paused (4 offers/s)" if size[0] > 80 else "‖ paused")
    assert names.index("seller first") < size[0] // 2 <= names.index("buyer first")


@pytest.mark.parametrize("height", range(7, 13))
def test_the_footer_gives_way_to_the_halves(height: int) -> None:
    lines = both((80, height)).press("n").text().splitlines()
    if height < 8:
        assert lines[0].endswith("80×8")
    else:
        assert (lines[1].split()[0], len(lines)) == ("seller", height)
        assert lines[-1].startswith(" q quit" if height > 9 else "┗━━━")


def test_a_click_in_the_footer_presses_its_key_for_both() -> None:
    two = both((200, 40)).click("n next")
    assert two.played == [1, 1]
    assert two.click("q quit").model.quit


def test_the_clock_is_one_every_negotiation_begins_on_both_sides_together() -> None:
    two = both(paused=False)
    for _ in range(300):
        two.tick(0.05)
        assert two.played[0] == two.played[1]
        turns = [side.playback.visible if side.playback else 0 for side in two.model.sides]
        assert min(turns) > 0 or two.played == [1, 1] or turns == [0, 0]
    assert two.played[0] > 5


def test_each_half_learns_what_it_would_alone() -> None:
    two = both().press("c", "c")
    for role, trainer in zip(Role, two.trainers, strict=True):
        alone = ConcurrentTraining(Scenario.original(), SHORT, 7, train_agent=role)
        alone.run(2)
        for seat in Role:
            table = values_of(trainer.snapshot.agents[seat])
            assert np.array_equal(table[:], alone.q_table(seat))


def test_running_freely_neither_gets_far_ahead() -> None:
    long = Parameters(cycles=1000, episodes=100)
    left, right = (new_session(Scenario.original(), long, seed) for seed in (1, 2))
    pair = SideBySideSession(left, right)
    for side in (0, 1):
        pair.handle(To(side, PlayOn()))
    while min(left.played, right.played) < 1000:
        before = min(left.played, right.played)
        assert pair.running
        pair.step()
        assert min(left.played, right.played) >= before
        assert abs(left.played - right.played) <= 4 * (before + 16)


def test_a_box_lies_over_both() -> None:
    assert both().press("?").text().count("┌─ Help: ") == 1
    assert both().press("S").text().count("┌─ The seller's seat: ") == 1
    assert both().press("S", *"expon", "enter").text().count("exponential:_") == 1


def test_a_test_lies_over_each() -> None:
    assert both().press("c", "e").text().count("┌─ Test of both plans ") == 2


@pytest.mark.slow
@pytest.mark.terminal
def test_the_program_shows_a_recording_or_saved_tables_beside_a_seed(tmp_path: Path) -> None:
    from tests.support.pty_session import PROGRAM, Session  # there is none on Windows

    words = (*PROGRAM, "--seed", "7", "--paused", "--versus")
    file = tmp_path / "run.jsonl"
    record_to(new_session(Scenario.original(), SHORT, 9), file).handle(Play())
    with Session([*words, str(file)], 120, 36) as session:
        session.wait_for("run.jsonl, recorded")
        session.quit()
    training = ConcurrentTraining(Scenario.original(), SHORT, 9, train_agent=Role.BUYER)
    file = tmp_path / "other.npz"
    save_tables(file, TrainedTables.of(training))
    with Session([*words, str(file)], 120, 36) as session:
        session.wait_for("seed 7, seller first")
        session.wait_for("other: seed 9, buyer first")
        session.send("c", "1 of 4 cycles")
        session.quit()
