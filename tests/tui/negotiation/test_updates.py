"""One update with its numbers, a step at a time; and the list of settings."""

import re

import pytest

from tests.support.screen_driver import Screen

NUMBER = r"(\d+\.\d+)"
SUM = re.compile(rf"= {NUMBER}·{NUMBER} \+ {NUMBER}·(?:{NUMBER}·)?{NUMBER}  ")
LEARNERS = "", "sarsa", "monte-carlo", "q-lambda", "hysteretic"


def updates(screen: Screen) -> list[tuple[str, str]]:
    lines = [line.strip() for line in screen.text().splitlines()]
    return [(lines[n - 1], line) for n, line in enumerate(lines) if SUM.match(line)]


@pytest.mark.parametrize("name", LEARNERS)
def test_the_sum_of_an_update_is_its_value(name: str) -> None:
    spec = f"learned:{name}" if name else None
    screen, seen = Screen("original", strategies=(spec, None), cycles=6, episodes=40), 0
    screen.press("c", "c")
    for _ in range(60):
        screen.press(".")
        for what, why in updates(screen):
            old, *more = (float(each or 1) for each in SUM.match(why).groups())
            value, rate, factor, amount = more
            new = float(re.findall(NUMBER, what)[-1])
            assert new == pytest.approx(old * value + rate * factor * amount, abs=0.0062)
            assert what.startswith(("seller, ", "buyer, "))
            seen += 1
    assert seen >= 10


def test_each_step_shows_the_next_update_first() -> None:
    screen = Screen("original", strategies=("learned:monte-carlo", None), cycles=6, episodes=40)
    for _ in range(200):
        screen.press(".")
        playback = screen.model.playback
        if screen.model.over and len(screen.model.here.updates or ()) > 1:
            break
    game, first = playback.negotiation.key, screen.model.update
    screen.press(".")
    assert screen.model.playback.negotiation.key == game, "the game waits"
    assert screen.model.update != first


def test_nothing_is_noted_at_a_pace_that_is_not_seen() -> None:
    screen = Screen("original", cycles=6, episodes=400)
    while screen.model.pace.seen:
        screen.press("+")
    screen.press("space").tick(1.0)
    assert screen.model.here.negotiations
    assert screen.model.here.updates is None
    assert screen.model.update == ""


def test_a_learner_without_such_values_says_what_it_does() -> None:
    screen = Screen("original", strategies=("learned:reinforce", None), cycles=6, episodes=40)
    screen.press(*"......")
    while not screen.model.over:
        screen.press(".")
    assert "seller: makes what was played likelier by the reward" in screen.text()


def test_a_typed_value_holds_from_the_next_game_on() -> None:
    screen = Screen("original", cycles=6, episodes=40)
    screen.press("n", "A", *"2", "enter")
    assert "learning_rate: expected" in screen.text()
    screen.press("backspace", *"0.5", "enter")
    assert "learning_rate 0.5 (was 0.1) from game 2 of cycle 1 on" in screen.text()
    assert dict(screen.model.latest.settings)["learning_rate"] == 0.5
    screen.press("A", "down", "down", *"0.3", "esc")
    assert dict(screen.model.latest.settings)["exploration_start"] == 1


def test_in_the_past_it_holds_from_there() -> None:
    screen = Screen("original", cycles=6, episodes=40)
    screen.press("c", "c", "c", "[", "[", "A", *"0.5", "enter")
    screen.settle()
    assert screen.model.here.negotiations == 40
    assert screen.model.in_present
    text = " ".join(screen.text().split())
    assert "learning_rate 0.5 (was 0.1) from game 1 of cycle 2 on; left: negotiation-tui" in text
