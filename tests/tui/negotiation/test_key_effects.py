"""Keys in the middle of a run: stepping, swapping seats, testing, restarting."""

import pytest

from tests.support.screen_driver import Screen


@pytest.mark.parametrize(("key", "pace"), [(".", "4"), ("n", "flat"), ("c", "1000n"), ("c", "16")])
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


def test_slower_than_a_free_run_halts_the_trainer() -> None:
    screen = Screen(paused=False, pace="100n")
    assert screen.trainer.running
    assert not screen.press("-").trainer.running
    assert screen.press("+").trainer.running


def test_a_test_shows_both_rules_and_counts_nothing() -> None:
    screen = Screen().press("c")
    text = screen.press("e").text()
    assert "1,000 negotiations" in text
    for words in ("corrected", "published", "seller's wallet", "rounds to a deal"):
        assert words in text
    assert [result.rule for result in screen.model.snapshot.tests] == ["corrected", "as-published"]
    assert screen.model.snapshot.negotiations == 100


def test_the_title_says_testing_only_while_a_test_is_on_the_bar() -> None:
    screen = Screen(cycles=2, episodes=20, pace="flat", paused=False).work(40)
    assert screen.model.snapshot.finished
    seen = set()
    for _ in range(300):
        screen.tick(0.1, 0.1).step()
        assert screen.model.playback
        test = screen.model.playback.negotiation.test
        assert ("testing" in screen.text().splitlines()[0]) == test
        seen.add(test)
        if True in seen:
            break
    assert seen == {False, True}
