"""The pace `story`: captions, slow negotiations and quick cycles, until any pace key takes over."""

import pytest

from negotiation_tui.game.negotiation import NO_STATE
from negotiation_tui.game.roles import Role, States
from negotiation_tui.sessions.commands import PlayCycle, Tell
from negotiation_tui.sessions.story.fact import Fact
from tests.support.screen_driver import Screen


def story(seed: int = 7, width: int = 120, height: int = 36, **options: object) -> Screen:
    return Screen(
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
    """Let the story go on until a fact of this kind is told."""
    for _ in range(3000):
        told = screen.model.latest.caption
        if told and told.kind == kind:
            return told
        screen.doze(0.1)
    raise AssertionError(f"{kind} was not told")


@pytest.mark.parametrize("seed", range(3))
def test_the_whole_training_is_told_in_about_three_minutes(seed: int) -> None:
    screen = story(seed, width=80 if seed % 2 else 120)
    until(screen, "finished")
    assert 150 <= screen.now <= 210
    assert screen.model.latest.nash_conv
    assert screen.model.latest.nash_conv.total == pytest.approx(0, abs=5e-4)


def test_nothing_is_asked_of_the_session_but_facts_and_cycles() -> None:
    screen = story()
    assert not screen.trainer.running
    asked: list[object] = []
    for _ in range(40):
        screen.prompt = False
        screen.doze(1)
        asked += screen.model.commands
        screen.prompt = True
        screen.answer()
    assert {type(command) for command in asked} == {Tell, PlayCycle}


def test_the_caption_and_the_bar_show_the_fact() -> None:
    screen = story()
    fact = until(screen, "opens_at")
    assert screen.line(f"▸ Cycle {fact.cycle}: {fact.says[0]}")
    screen.doze(0.1)
    playback = screen.model.playback
    assert playback
    assert playback.negotiation.test
    role, price = fact.about
    assert playback.negotiation.transcript.turns[0].price == price
    assert playback.negotiation.transcript.opener is role
    screen.doze(2)
    assert "by their plans · after cycle" in screen.text()


def test_a_sample_of_the_training_is_called_a_guess() -> None:
    screen = story()
    until(screen, "practice")
    screen.doze(0.1)
    playback = screen.model.playback
    assert playback
    assert playback.negotiation.learner is Role.SELLER
    assert playback.negotiation.transcript.turns[0].state == NO_STATE
    assert "a guess from training, begun in round 5" in screen.text()
    assert screen.model.latest.negotiations == 1


def test_a_caption_stays_long_enough_to_be_read() -> None:
    screen = story()
    shown: list[float] = []
    since, last = 0.0, None
    while len(shown) < 12:
        screen.doze(0.1)
        now = screen.model.latest.caption
        if now is not last:
            shown.append(screen.now - since)
            since, last = screen.now, now
    assert min(shown[1:]) > 3


@pytest.mark.parametrize(("key", "pace"), [("+", "4 offers/s"), ("-", "4 offers/s")])
def test_any_pace_key_takes_over_and_d_gives_it_back(key: str, pace: str) -> None:
    screen = story().doze(20).press(key)
    assert screen.line(f"pace: {pace}; D gives the story back")
    assert screen.model.pace.text == pace
    assert pace in screen.text()
    screen.doze(5).press("+", "+", "+", "+", "+", "+", "+")
    assert screen.model.pace.text == "flat out"
    screen.work(2000).press("D")
    assert screen.model.pace.directed
    assert not screen.trainer.running
    assert "▶ story  cycle" in screen.text()
    until(screen, "opens_at")


def test_a_narrow_screen_tells_a_caption_on_pages() -> None:
    screen = story(width=80, height=24)
    first, second = screen.model.caption_pages or screen.doze(0.1).model.caption_pages
    assert screen.line(f"▸ {first}")
    seen = [screen.doze(0.1).text() for _ in range(60)]
    assert any(f"▸ {second}" in text for text in seen)
    screen = story(width=50, height=50)
    until(screen, "finished")
    *begun, last = screen.model.caption_pages
    assert last.endswith("r starts again.")
    assert all(page.endswith((".", " …")) and len(page) <= 46 for page in begun)
