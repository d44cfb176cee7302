"""Keys in the middle of a run: stepping, swapping seats, testing, restarting."""

import numpy as np
import pytest

from negotiation_tui.sessions.commands import Halt, Play, PlayCycle, Run
from negotiation_tui.tui.negotiation.modals import modal_lines
from tests.support.screen_driver import STATIC, Screen


@pytest.mark.parametrize("key", [".", "n", "c"])
@pytest.mark.parametrize("pace", ["4", "16", "1000n", "flat"])
def test_stepping_works_while_running_and_pauses(pace: str, key: str) -> None:
    screen = Screen(paused=False, pace=pace, cycles=10_000).work(20).tick(1.0)
    played = screen.trainer.snapshot.negotiations
    number, visible = screen.shown
    screen.press(key)
    assert not screen.model.running
    assert not screen.trainer.running
    assert screen.line("paused")
    assert screen.shown > (number, visible)
    more = screen.trainer.snapshot.negotiations - played
    assert more in (range(1, 101) if key == "c" else (0, 1))
    assert screen.tick(5.0).shown == screen.shown


def test_one_offer_at_a_time_then_the_next_negotiation() -> None:
    screen = Screen()
    for number in (1, 2, 3):
        screen.press(".")
        assert screen.shown == (number, 1)
        turns = len(screen.model.snapshot.negotiation.transcript.turns)  # type: ignore[union-attr]
        for visible in range(2, turns + 1):
            assert screen.press(".").shown == (number, visible)


def test_n_ends_the_negotiation_that_was_begun() -> None:
    screen = Screen("legacy", strategies=STATIC).press(".", ".")
    assert "DEAL" not in screen.text()
    assert screen.press("n").line("DEAL at 65")
    assert screen.shown == (1, 9)
    assert screen.press("n").shown == (2, 9)


def test_c_shows_the_last_negotiation_of_the_cycle() -> None:
    assert "cycle 1/50 · negotiation 100/100" in Screen().press("c").text()
    assert "cycle 2/50 · negotiation 100/100" in Screen().press("c", ".", ".", "c").text()


def test_stepping_asks_the_trainer_for_no_more_than_is_shown() -> None:
    screen = Screen(prompt=False).press("n")
    assert screen.model.commands == (Play(),)
    assert screen.answer().press("c").model.commands == (PlayCycle(),)


def test_pausing_a_free_run_halts_the_trainer_and_going_on_restarts_it() -> None:
    screen = Screen(paused=False, pace="flat", prompt=False)
    assert screen.model.commands == (Run(None),)
    screen.answer()
    assert screen.trainer.running
    assert screen.press("space").model.commands == (Halt(),)
    assert not screen.answer().trainer.running
    assert screen.press("space").answer().trainer.running


def test_slower_than_a_free_run_halts_the_trainer() -> None:
    screen = Screen(paused=False, pace="100n")
    assert screen.trainer.running
    assert not screen.press("-").trainer.running
    assert screen.press("+").trainer.running


@pytest.mark.parametrize("pace", ["4", "flat"])
def test_t_in_the_middle_of_a_run_swaps_both_seats_and_keeps_the_tables(pace: str) -> None:
    screen = (
        Screen(paused=False, pace=pace, cycles=10_000, width=220)
        .work(300)
        .tick(1.0)
        .press("v", "space", "c")
    )
    learned = [table.copy() for table in screen.model.snapshot.q_tables if table is not None]
    screen.press("space", "t").work(100).tick(2.0)
    assert screen.model.running
    assert screen.model.snapshot.strategies == STATIC
    assert "seller MIDPOINT · buyer MIDPOINT" in screen.text()
    assert "not in use, midpoint plays" in screen.text()
    screen.press("space", "t").settle()
    assert "seller LEARNED · buyer LEARNED" in screen.text()
    for before, after in zip(learned, screen.model.snapshot.q_tables, strict=True):
        assert after is not None
        assert np.array_equal(before, after)


def test_t_brings_back_both_learners_after_one_seat_was_changed() -> None:
    screen = Screen().press("s", "t")
    assert screen.model.snapshot.strategies == STATIC
    assert screen.press("t").model.snapshot.strategies == (None, None)


def test_a_static_strategy_needs_no_table_until_its_learner_is_seated() -> None:
    screen = Screen("legacy", width=160, strategies=STATIC)
    assert screen.model.snapshot.q_tables == (None, None)
    assert "Seller's plan: midpoint" in screen.text()
    assert "Midpoint plays by fixed rules" in screen.press("v").text()
    assert screen.press("t").model.snapshot.q_tables[0] is not None
    assert "fixed rules" not in screen.text()


@pytest.mark.parametrize("width", [100, 110, 120, 160])
def test_what_is_said_in_place_of_a_table_fits_in_its_pane(width: int) -> None:
    text = Screen("legacy", width=width, strategies=STATIC).press("v").text()
    assert text.count("fixed rules") == text.count("learn.") == 2


@pytest.mark.parametrize(("presses", "openers"), [(1, "ss"), (2, "bb"), (3, "sb")])
def test_o_changes_who_opens_the_negotiations_to_come(presses: int, openers: str) -> None:
    screen = Screen("original", strategies=STATIC).press(*"o" * presses)
    opened = [screen.press("n").line(" opened").split(" opened")[0].split()[-1] for _ in range(2)]
    assert [name[0] for name in opened] == list(openers)


def test_a_test_shows_both_rules_and_teaches_nothing() -> None:
    screen = Screen().press("c")
    before = [table.copy() for table in screen.model.snapshot.q_tables if table is not None]
    text = screen.press("e").text()
    assert "1,000 negotiations" in text
    for words in ("corrected", "published", "seller's wallet", "rounds to a deal"):
        assert words in text
    assert [result.rule for result in screen.model.snapshot.tests] == ["corrected", "as-published"]
    assert screen.model.snapshot.negotiations == 100
    for old, new in zip(before, screen.model.snapshot.q_tables, strict=True):
        assert new is not None
        assert np.array_equal(old, new)


@pytest.mark.parametrize(("width", "height"), [(40, 24), (50, 15), (80, 24), (120, 36)])
def test_the_columns_of_a_test_stay_columns(width: int, height: int) -> None:
    lines = modal_lines(Screen("legacy", width=width, height=height).press("c", "e").model)
    first = next(n for n, line in enumerate(lines) if "corrected" in line)
    rows = lines[first + 1 : first + 11]
    ends = {len(row) for row in (lines[first], *rows)}
    assert ends == {len(lines[first])}
    assert len(lines[first]) <= width - 4
    assert [row.split()[0] for row in rows][::9] == ["accepted", "rounds"]


def test_a_test_that_takes_its_time_says_so() -> None:
    screen = Screen(prompt=False).press("e")
    assert screen.line("playing …")
    assert "rounds to a deal" in screen.answer().text()


def test_a_restart_gives_the_same_training() -> None:
    screen = Screen().press("c", "c")
    before = screen.model.snapshot.q_tables
    screen.press("r")
    assert screen.model.playback is None
    assert screen.line("restarted with seed 7")
    screen.press("c", "c")
    for old, new in zip(before, screen.model.snapshot.q_tables, strict=True):
        assert np.array_equal(old, new)  # type: ignore[arg-type]


@pytest.mark.parametrize("pace", ["4", "flat"])
def test_a_restart_while_running_runs_on(pace: str) -> None:
    screen = Screen(paused=False, pace=pace).work(50).tick(3.0).press("r")
    screen.work(50).tick(3.0)
    assert screen.model.running
    assert screen.model.playback is not None
    assert screen.model.snapshot.negotiations > 0


def test_going_on_at_once_after_a_restart_trains() -> None:
    screen = Screen(pace="flat", cycles=1, prompt=False).press("c").answer()
    assert screen.model.snapshot.finished
    screen.press("r", "space").answer().tick(1.0)
    assert screen.model.free_running
    assert screen.trainer.running


def test_a_control_key_is_named_so_that_one_can_read_it() -> None:
    assert "no such key: ?" not in Screen().press("\x01").text()


def test_an_offer_asked_for_while_a_cycle_is_on_its_way_is_of_the_next_negotiation() -> None:
    screen = Screen(prompt=False).press("c", ".", ".")
    screen.answer()
    assert screen.model.snapshot.negotiations == 101
    assert screen.shown == (101, 2)


def test_the_title_says_testing_only_while_a_test_is_on_the_bar() -> None:
    screen = Screen(cycles=2, episodes=20, pace="flat", paused=False).work(40)
    assert screen.model.snapshot.finished
    seen = set()
    for _ in range(600):
        screen.tick(0.1, 0.1).step()
        assert screen.model.playback
        test = screen.model.playback.negotiation.test
        assert ("testing" in screen.text().splitlines()[0]) == test
        seen.add(test)
        if True in seen:
            break
    assert seen == {False, True}
