"""The film on the price bar, and keys in the middle of a run."""

from dataclasses import replace
from itertools import pairwise

import pytest

from negotiation_tui.game.negotiation import Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from tests.support.screen_driver import STATIC, Screen

FRAME, ORIGINAL = 1 / 30, Scenario.original()


def sentence(screen: Screen) -> str:
    """Return the line of text under the heading of the price bar."""
    return screen.frame().line(2)


def said(turn: Turn, accept: int) -> str:
    """Return the description of a turn on the bar."""
    if turn.price is None:
        return "NO DEAL"
    if turn.action == accept:
        return f"DEAL at {turn.price} "
    return f"{turn.role} {'asks' if turn.role is Role.SELLER else 'offers'} {turn.price}"


def test_each_negotiation_that_is_trained_is_shown_offer_by_offer() -> None:
    training, played = ConcurrentTraining(ORIGINAL, Parameters(cycles=2, episodes=4), 7), []
    while not training.finished:
        training.run_episodes(1)
        assert training.last_negotiation is not None
        played.append(training.last_negotiation.turns)
    screen = Screen(paused=False, pace="16", cycles=2, episodes=4)
    accept = screen.model.snapshot.scenario.accept
    film: list[tuple[int, int]] = []
    while screen.shown[0] <= len(played) and screen.now < 60:
        if screen.shown[0] and (not film or film[-1] != screen.shown):
            film.append(screen.shown)
            number, visible = screen.shown
            assert said(played[number - 1][visible - 1], accept) in sentence(screen)
        screen.tick(0.02)
    assert film == [(n, k) for n, turns in enumerate(played, 1) for k in range(1, len(turns) + 1)]


@pytest.mark.parametrize(("pace", "seconds"), [("1", 1.0), ("16", 1 / 16)])
def test_an_offer_stays_as_long_as_the_pace_says(pace: str, seconds: float) -> None:
    screen = Screen("legacy", strategies=STATIC, paused=False, pace=pace).tick(0.02, 0.01)
    assert screen.shown == (1, 1)
    screen.tick(seconds * 0.9, 0.001)
    assert screen.shown == (1, 1)
    screen.tick(seconds * 0.15, 0.001)
    assert screen.shown == (1, 2)


@pytest.mark.slow
def test_flat_out_the_bar_shows_whole_negotiations_the_newest_each_time() -> None:
    screen = Screen(paused=False, pace="flat", episodes=1_000_000).work(10)
    film: list[tuple[int, int]] = []
    while len(numbers := sorted({number for number, _ in film})) < 4:
        screen.work(5).tick(0.1)
        if screen.shown not in film:
            film.append(screen.shown)
    assert max(b - a for a, b in pairwise(numbers)) > 5
    for number in numbers[:-1]:
        visible = [k for n, k in film if n == number]
        assert visible == list(range(1, len(visible) + 1))


def marker(screen: Screen) -> int:
    """Return the column where the seller's number begins."""
    line = screen.frame()
    row = next(y for y in range(line.height) if " SELLER " in line.line(y))
    return next(x for x, _, style in line.spans(row) if style == "seller-mark")


def test_the_marker_slides_from_price_to_price() -> None:
    screen = Screen("legacy", strategies=STATIC, pace="1").press(".", ".")
    start = marker(screen)
    screen.press(".")
    film = [marker(screen.tick(0.02)) for _ in range(20)]
    assert film == sorted(film, reverse=True)
    assert film[-1] < start - 20
    assert len(set(film)) > 5
    assert film[-1] == marker(screen.tick(1.0))


def test_without_animation_all_holds_still() -> None:
    """The deal is said at once, and nothing on the screen changes until the next turn."""
    screen = Screen("legacy", strategies=STATIC, pace="1")
    screen.model = replace(screen.model, animation=False)
    for keys in ("..", "n"):
        screen.press(*keys)
        frame = screen.frame()
        assert not screen.model.playback.moving
        assert screen.model.wait(1 / 30, screen.now) > 0.1
        for _ in range(10):
            now = screen.tick(FRAME).frame()
            assert all([*now.spans(y)] == [*frame.spans(y)] for y in range(frame.height))
    assert "DEAL at 65" in screen.text()
    screen.press("space").tick(1.0)
    positions = {marker(screen.tick(FRAME)) for _ in range(20)}
    assert len(positions) <= 2, "it jumps from price to price"


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
        test = screen.model.playback.negotiation.test
        assert ("testing" in screen.text().splitlines()[0]) == test
        seen.add(test)
        if True in seen:
            break
    assert seen == {False, True}
