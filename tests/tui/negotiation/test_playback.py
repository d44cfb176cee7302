"""The film on the price bar, keys in the middle of a run, and the story that any pace key ends."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from textwrap import wrap

import pytest

from negotiation_tui import Role, Scenario, States, Turn
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions.commands import PlayCycle, Tell
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.tui.negotiation.words import pages
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from tests.support.screen_driver import STATIC, Screen

FRAME, ORIGINAL = 1 / 30, Scenario.original()


def said(turn: Turn, accept: int) -> str:
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
            assert said(played[number - 1][visible - 1], accept) in screen.frame().line(2)
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
    return screen.text().find("◀")


def test_the_marker_slides_from_price_to_price_unless_all_holds_still() -> None:
    screen = Screen("legacy", strategies=STATIC, pace="1").press(".", ".")
    start = marker(screen)
    screen.press(".")
    film = [marker(screen.tick(0.02)) for _ in range(20)]
    assert film == sorted(film, reverse=True)
    assert film[-1] < start - 20
    assert len(set(film)) > 5
    assert film[-1] == marker(screen.tick(1.0))
    screen = Screen("legacy", strategies=STATIC, pace="1")
    screen.model = replace(screen.model, options=RenderOptions(animation=False))
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
def test_a_step_pauses_a_run(pace: str, key: str) -> None:
    screen = Screen(paused=False, pace=pace, cycles=10_000).work(20).tick(1.0)
    played = screen.trainer.snapshot.negotiations
    place = screen.place
    screen.press(key)
    assert not screen.model.running
    assert not screen.trainer.running
    assert screen.line("paused")
    assert screen.place > place
    more = screen.trainer.snapshot.negotiations - played
    assert more in (range(1, 101) if key == "c" else (0, 1))
    assert screen.tick(5.0).shown == screen.shown


def test_the_title_says_testing_only_while_a_test_is_on_the_bar() -> None:
    screen = Screen(cycles=2, episodes=20, pace="flat", paused=False).work(40)
    assert screen.model.latest.finished
    screen.press(*"+" * 12)
    seen = set()
    for _ in range(300):
        screen.tick(0.1, 0.1).step()
        test = screen.model.playback.negotiation.test
        assert ("testing" in screen.text().splitlines()[0]) == test
        seen.add(test)
        if True in seen:
            break
    assert seen == {False, True}


def pages_told(screen: Screen) -> list[str]:
    fact = screen.model.snapshot.told
    assert fact is not None
    found: list[str] = screen.model.pages_of(fact)
    return found


def story(
    seed: int = 7, width: int = 120, height: int = 36, scenario: str = "original", **options: object
) -> Screen:
    return Screen(
        scenario,
        seed=seed,
        width=width,
        height=height,
        paused=False,
        pace="story",
        states=States.OPENER_AWARE,
        recipe="reverse-curriculum",
        **options,  # type: ignore[arg-type]
    )


def until(screen: Screen, kind: str) -> Fact:
    for _ in range(1000):
        told: Fact | None = screen.model.latest.story.caption
        if told and told.kind == kind:
            return told
        screen.doze(0.3)
    raise AssertionError(f"{kind} was not told")


@cache
def whole_story() -> tuple[float, Screen]:
    """Return the seconds of the story of a training, and its screen at the end."""
    screen = story(1, width=80, height=24)
    until(screen, "finished")
    return screen.now, screen


def test_the_whole_training_is_told_in_two_to_three_minutes() -> None:
    seconds, screen = whole_story()
    assert 120 <= seconds <= 180
    assert screen.model.latest.theory.nash_conv.total == pytest.approx(0, abs=5e-4)


def test_no_sentence_of_the_players_before_stays_under_the_new_ones() -> None:
    _, screen = whole_story()
    screen.doze(30).press("b")
    for _ in range(10):
        told = [line for line in screen.doze(1).text().splitlines() if line.startswith(" ▸ ")]
        assert all("midpoint" in line for line in told), told


@cache
def story_of_hidden_limits() -> tuple[float, dict[Fact, Negotiation]]:
    """Return its seconds, and for each fact the negotiation on the bar as it is told."""
    screen, told = story(1, 80, 24, "hidden"), dict[Fact, Negotiation]()
    while "in_the_end" not in {fact.kind for fact in told}:
        playback = screen.doze(0.5).model.playback
        told.setdefault(screen.model.latest.story.caption, playback.negotiation)
    return screen.now, told


def test_the_story_of_hidden_limits_takes_less_than_four_minutes() -> None:
    assert 130 <= story_of_hidden_limits()[0] <= 220


def test_the_story_of_hidden_limits_tells_who_bluffs_after_some_haggling() -> None:
    kinds = [fact.kind for fact in story_of_hidden_limits()[1]]
    assert kinds[:3] == ["hidden_limits", "hidden_limits", "guessing"]
    assert {"bluffs", "waits", "never_agree"} <= {*kinds}


def test_the_bar_has_the_limits_of_the_fact() -> None:
    for fact, shown in story_of_hidden_limits()[1].items():
        assert fact.limits in (None, shown.transcript.scenario.indices)
        assert shown.fixed == fact.rules
        assert not fact.rules or None not in shown.beliefs, "known from the first offer on"


def test_a_story_asks_the_session_for_its_steps_alone() -> None:
    screen = story()
    assert not screen.trainer.running
    asked: list[object] = []
    for _ in range(60):
        screen.prompt = False
        screen.doze(1)
        asked += screen.model.commands
        screen.prompt = True
        screen.answer()
    assert {type(command) for command in asked} == {Tell, PlayCycle}


def test_long_cycles_leave_time_for_keys() -> None:
    screen = story(1, scenario="legacy")
    until(screen, "guessing")
    screen.prompt = False
    while not screen.model.commands:
        screen.doze(0.1)
    assert screen.model.commands == (PlayCycle(in_steps=True),)
    screen.answer()
    assert screen.trainer.running
    assert not screen.press("space", ".").answer().model.running
    while screen.trainer.running:
        screen.step().doze(0.1)
    assert screen.model.latest.negotiations == screen.model.latest.parameters.episodes
    screen.prompt = True
    assert until(screen, "practice").cycle == 1


def test_a_fact_is_shown_with_its_caption() -> None:
    screen = story()
    fact = until(screen, "opens_at")
    assert screen.line(f"▸ {fact.says[0]}")
    screen.doze(0.1)
    playback = screen.model.playback
    assert playback.negotiation.test
    role, price = fact.about
    assert playback.negotiation.transcript.turns[0].price == price
    assert playback.negotiation.transcript.opener is role
    screen.doze(2)
    assert f"SHOW · the {str(role).upper()} opens" in screen.text()


def test_a_caption_stays_long_enough_to_be_read() -> None:
    screen = story()
    shown: list[float] = []
    since, last = 0.0, None
    while len(shown) < 6:
        screen.doze(0.1)
        now = screen.model.latest.story.caption
        if now is not last:
            shown.append(screen.now - since)
            since, last = screen.now, now
    assert min(shown[1:]) > 3


def test_any_pace_key_takes_over_from_the_story_until_d_gives_it_back() -> None:
    screen = story().doze(10).press("-")
    assert screen.line("pace: 4 offers/s; D returns to the story")
    assert screen.model.pace.text == "4 offers/s"
    screen.press("+", "+", "+", "+", "+", "+", "+")
    assert screen.model.pace.text == "flat out"
    assert screen.press(*"---").trainer.running
    assert not screen.press("-").trainer.running, "slower than a free run"
    assert screen.press("+").trainer.running
    assert screen.press("D").model.pace.directed
    assert not screen.trainer.running
    assert "▶ story" in screen.text()


def test_a_narrow_screen_tells_a_caption_on_pages() -> None:
    screen = story(width=80, height=19)
    until(screen, "last_decision")
    first, second = pages_told(screen)
    assert screen.line(f"▸ {first}")
    seen = [screen.doze(0.1).text() for _ in range(60)]
    assert any(f"▸ {second}" in text for text in seen)
    *begun, last = pages_told(story(width=50, height=50).doze(0.1))
    assert all(page.endswith((".", " …")) for page in (*begun, last))
    assert max(len(line) for page in (*begun, last) for line in page.splitlines()) <= 46


def test_two_rows_hold_a_caption_or_that_of_an_offer_of_the_first_game() -> None:
    fact = story(width=80, height=24).doze(0.1).model.latest.story.caption
    assert pages(fact, 80, rows=2) == ["\n".join(wrap(" ".join(fact.says), 76))]
    for visible, sentence in enumerate(fact.per_turn, 1):
        (page,) = pages(fact, 80, rows=2, visible=visible)
        assert page.split() == sentence.split()
