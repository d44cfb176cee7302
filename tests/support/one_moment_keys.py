"""Drive a screen with random keys at the paces of a person, and judge its frames."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from negotiation_tui import Role, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import Specs
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.session import attempt
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import Recording, read
from tests.support.market_screen import Screen as Market
from tests.support.one_moment import Judge
from tests.support.programs import TALKER
from tests.support.screen_driver import watched
from tests.support.screen_loop import ScreenLoop
from tests.support.trainings import new_session

SIZES = (80, 24), (120, 36), (200, 60)
_SEATS = ["s"], ["b"], ["t"], ["S", *["down"] * 4, "enter"], ["B", *["down"] * 14, "enter"], ["o"]
_TIME = [","], ["."], ["["], ["]"], ["home"], ["end"], ["n"], ["c"], ["g", "1", "2", "enter"], ["r"]
_PACE = ["space"], ["+"], ["-"], ["+"] * 6, ["D"], ["space", "space"]
_VIEW = ["v"], ["z"], ["u"], ["2"], ["3"], ["4"], ["5"], ["7"], ["i"], ["esc"], ["e", "esc"], ["m"]
_ASKS = ["f", "enter"], ["f", "down", "enter", "."], [",", ",", "f", "down", "enter", "esc"], ["p"]
PHRASES = (*_SEATS, *_TIME, *_TIME, *_PACE, *_PACE, *_VIEW, *_ASKS, *_ASKS)
PLAYS = ["enter"], ["3", "enter"], ["4", "enter"], ["a"], ["x", "x"], ["enter"], ["a"], [","], ["."]
"""What a person does who plays; `p` and `esc` leave in the end."""
MARKET = (
    *([","], ["."], ["["], ["]"], ["n"], ["c"], ["space"], ["+"], ["-"], ["+"] * 5, ["D"], ["r"]),
    *([">"], ["&"], ["up"], ["down"], ["2"], ["6"], ["z"], ["v"], ["g", "9", "enter"], ["esc"]),
)


def trained(name: str, seats: Specs = (None, None)) -> Callable[[Random], ScreenLoop]:
    """Return a function that opens a training of a scenario."""

    def opened(random: Random) -> ScreenLoop:
        parameters, seed = Parameters(cycles=20, episodes=100), random.randrange(1000)
        session = new_session(Scenario.of(name), parameters, seed, seats)
        pace = random.choice(("story", "story", "story", "4", "16", "flat"))
        return watched(session, pace=pace, paused=False)

    return opened


def market(random: Random) -> ScreenLoop:
    limit = random.choice(("negotiations=2000", "steps=400"))
    return Market(limit=limit, paused=False, pace=random.choice(("story", "4", "flat")))


@cache
def recording(seats: Specs) -> Recording:
    """Record eight cycles, with a change in the middle."""
    session = new_session(Scenario.original(), Parameters(cycles=8, episodes=10), 3, seats)
    with TemporaryDirectory() as folder:
        recorder = record_to(session, Path(folder, "games.jsonl"))
        change = do.TakeSeats(((Role.SELLER, "boulware"),))
        for command in (*[do.PlayCycle()] * 4, change, *[do.PlayCycle()] * 4):
            attempt(recorder, recorder.handle, command)
        recorder.close()
        return read(Path(folder, "games.jsonl"))


def replayed(seats: Specs = (None, None)) -> Callable[[Random], ScreenLoop]:
    """Return a function that opens a recording."""

    def opened(random: Random) -> ScreenLoop:
        recorded = recording(seats)
        session = TrainingSession(recorded.run, recorded)
        return watched(session, pace=random.choice(("story", "4", "flat")), paused=False)

    return opened


CASES: dict[str, Callable[[Random], ScreenLoop]] = {
    **{name: trained(name) for name in ("original", "hidden", "patience")},
    "rule": trained("original", (None, "boulware")),
    "program": trained("original", (None, TALKER)),
    "recording": replayed(),
    "games": replayed((None, TALKER)),
    "market": market,
}


def drive(case: str, size: tuple[int, int], keys: int, seed: int) -> Judge:
    """Type a number of keys on the screens of a case."""
    random, judge, judged = Random(f"{case} {size} {seed}"), Judge(), 0
    while judged < keys:
        screen = CASES[case](random).resize(*size)
        judge.begin(screen)
        wait(screen, random.choice((0.0, 1.0, 4.0, 12.0)))
        judged += _typed(random, screen, judge, min(keys - judged, random.choice((15, 40))))
    return judge


def wait(screen: ScreenLoop, seconds: float) -> None:
    """Let time pass; the session works meanwhile."""
    while seconds > 0:
        screen.tick(0.1, 0.1)
        if screen.session.running:
            screen.step(1)
        seconds -= 0.1


def _typed(random: Random, screen: ScreenLoop, judge: Judge, keys: int) -> int:
    typed = list[str]()
    while len(typed) < keys:
        for key in _phrase(random, screen.model):
            typed.append(key)
            if key != "esc" and random.random() < 0.25:
                judge.hold(screen, key, random.random() < 0.3, typed)
            else:
                judge.press(screen, key, typed)
            if screen.model.quit:
                return len(typed)
        for _ in range(random.choice((0, 0, 1, 2, 3))):
            wait(screen, random.choice((0.3, 1.0, 3.4)))
            judge.frame(screen, typed)
    return len(typed)


def _phrase(random: Random, model: Any) -> Sequence[str]:
    if not hasattr(model, "playback"):
        return random.choice(MARKET)
    if model.modal and model.modal != "score" and random.random() < 0.8:
        return ["esc"]
    if model.human_playing and random.random() < 0.8:
        return ["p"] if random.random() < 0.2 else random.choice(PLAYS)
    if not (model.running or model.human_playing) and random.random() < 0.2:
        return random.choice((["space"], ["D"]))
    return random.choice(PHRASES)
