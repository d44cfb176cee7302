"""One update with its numbers, a step at a time; and the list of settings."""

import re

import pytest

from negotiation_tui import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from tests.support.game import some
from tests.support.screen_driver import Screen
from tests.support.trainings import new_session

NUMBER = r"(\d+\.\d+)"
SUM = re.compile(rf"= {NUMBER}·{NUMBER} \+ {NUMBER}·(?:{NUMBER}·)?{NUMBER}  ")
LEARNERS = "", "sarsa", "monte-carlo", "q-lambda", "hysteretic"


def updates(screen: Screen) -> list[tuple[str, str]]:
    lines = [line.strip() for line in screen.text().splitlines()]
    return [(lines[n - 1], line) for n, line in enumerate(lines) if SUM.match(line)]


@pytest.mark.parametrize("name", LEARNERS)
def test_the_sum_is_the_value(name: str) -> None:
    spec = f"learned:{name}" if name else None
    screen, seen = Screen("original", strategies=(spec, None), cycles=6, episodes=40), 0
    screen.press("c", "c")
    for _ in range(60):
        screen.press(".")
        for what, why in updates(screen):
            old, *more = (float(each or 1) for each in some(SUM.match(why)).groups())
            value, rate, factor, amount = more
            new = float(re.findall(NUMBER, what)[-1])
            assert new == pytest.approx(old * value + rate * factor * amount, abs=0.0062)
            assert what.startswith(("seller, ", "buyer, "))
            seen += 1
    assert seen >= 10


def test_a_step_shows_the_next_update() -> None:
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


def test_nothing_is_noted_in_a_run() -> None:
    session = new_session(Scenario.original(), Parameters(cycles=6, episodes=400), 7)
    session.handle(do.PlayOn(1000.0))
    while not session.snapshot.negotiations:
        session.step()
    assert session.snapshot.updates is None
    session.handle(do.Halt())
    session.handle(do.Play())
    assert session.snapshot.updates


def test_others_say_what_they_do() -> None:
    screen = Screen("original", strategies=("learned:reinforce", None), cycles=6, episodes=40)
    texts = [screen.press(".").text() for _ in range(20)]
    assert any("seller: makes what was played likelier by the reward" in text for text in texts)


def test_a_typed_value_holds() -> None:
    screen = Screen("original", cycles=6, episodes=40)
    screen.press("n", "A", *"2", "enter")
    assert "learning_rate: expected" in screen.text()
    screen.press("backspace", *"0.5", "enter")
    assert "learning_rate 0.5 (was 0.1) from game 2 of cycle 1 on" in screen.text()
    assert dict(screen.model.latest.settings)["learning_rate"] == 0.5
    screen.press("A", "down", "down", *"0.3", "esc")
    assert dict(screen.model.latest.settings)["exploration_start"] == 1


def test_in_the_past_it_holds_on() -> None:
    screen = Screen("original", cycles=6, episodes=40)
    screen.press("c", "c", "c", "[", "[", "A", *"0.5", "enter")
    screen.settle()
    assert screen.model.here.negotiations == 40
    assert screen.model.in_present
    text = " ".join(screen.text().split())
    assert "learning_rate 0.5 (was 0.1) from game 1 of cycle 2 on; left: negotiation-tui" in text
