"""Screens of every kind without a terminal: 60 random keys, clicks, sizes, moments, snapshots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from negotiation_tui import Role, Scenario
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.results_session import ResultsSession
from negotiation_tui.sessions.session import attempt
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.tui.market import model as market_model
from negotiation_tui.tui.market.keys import KEYS as MARKET_KEYS
from negotiation_tui.tui.market.pace import NAMES as MARKET_PACES
from negotiation_tui.tui.negotiation import pace as paces
from negotiation_tui.tui.negotiation.keys import KEYS, PRICE
from negotiation_tui.tui.negotiation.render import PANES
from negotiation_tui.tui.results import screen as results_screen
from negotiation_tui.tui.results.keys import KEYS as RESULTS_KEYS
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.messages import KeyPressed, Mouse, Tick
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.toolkit.theme import styles_of
from negotiation_tui.tui.tournament import model as tournament_model
from negotiation_tui.tui.tournament import update as tournament_update
from negotiation_tui.tui.tournament.keys import KEYS as TOURNAMENT_KEYS
from negotiation_tui.tui.tournament.model import PAIRING
from negotiation_tui.tui.tournament.render import render as tournament_render
from tests.soak.files import PLACES, damaged_bytes
from tests.support import screen_driver
from tests.support.game import game
from tests.support.market_screen import Screen as Market
from tests.support.market_screen import company, crowd
from tests.support.screen_driver import picture
from tests.support.screen_loop import ScreenLoop
from tests.support.students import misbehave
from tests.support.tour import Tour
from tests.support.trainings import new_session

SMALL, LONG = 4, 1000
MESSAGES = 60  # messages of one case
JUNK = ("enter", "KEY_F(5)", "f5", "\x00", "\x01", "\x1b", "é", "価", "\udcff", "", "resize", "  ")
MANY_LIMITS = game(
    {"min": 0, "max": 30},
    2,
    name="many",
    seller={"limits": [-(10**9), *range(29)]},
    buyer={"limits": {"min": 1, "max": 30}},
)
"""More hidden limits than have a bar each, one of them far beyond the prices."""
SEATS = (None, None, "midpoint", "boulware:beta=0.5", "random", "tit-for-tat", "best-response")


@dataclass
class Attacked:
    """A screen under attack, and what holds on this kind of screen alone."""

    loop: ScreenLoop
    keys: Keys
    sides: Callable[[Any], tuple[Any, ...]] = lambda model: (model,)
    """The models with panes that a model consists of."""
    holds: Callable[[ScreenLoop], None] = lambda _loop: None
    is_one_screen: bool = True


def attack(random: Random) -> None:
    attacked = random.choice(KINDS)(random)
    loop = attacked.loop
    loop.prompt = random.random() < 0.5
    loop.resize(*size(random))
    known = sorted(set(attacked.keys.commands) - {"q", "T"})
    before: Canvas | None = None
    for _ in range(MESSAGES):
        send(random, loop, known)
        if getattr(loop.model, "typing", False) and random.random() < 0.3:
            loop.press(random.choice(("enter", "esc")))  # a search takes nearly every key
        if loop.model.quit:  # by Enter in the help
            return
        before = check_frame(loop, before)
        if random.random() < 0.4 and attacked.is_one_screen:
            check_ways_out(attacked)
        check_rest(loop, before)
        attacked.holds(loop)


def size(random: Random) -> tuple[int, int]:
    """Return any size, often a usual or a very small one."""
    return random.choice(
        (
            (random.randint(1, 250), random.randint(1, 80)),
            (random.randint(1, 45), random.randint(1, 10)),
            random.choice(((80, 24), (120, 36), (200, 60), (40, 7), (1, 1), (250, 80))),
        )
    )


def send(random: Random, loop: ScreenLoop, known: list[str]) -> None:
    match random.choices(range(7), (60, 5, 12, 10, 8, 10, 9))[0]:
        case 0:
            loop.press(random.choice(known))
        case 1:
            loop.press(random.choice((*JUNK, chr(random.randrange(0x3000)))))
        case 2:
            loop.tick(random.choice((0.02, 0.5, 3.0)), random.choice((0.02, 0.3)))
        case 3:
            loop.resize(*size(random))
        case 4:
            loop.step(random.randint(1, 4))
        case 5:
            action = random.choice(("press", "press", "drag", "up", "down", "other"))
            loop.tell(Mouse(action, random.randint(-1, 80), random.randint(-1, 250)))
        case _:
            loop.answer(random.choice((1, 1, None)))


def check_frame(loop: ScreenLoop, before: Canvas | None) -> Canvas:
    """A frame has the size asked for; its characters fill a cell, its styles exist.

    It is the same if it takes what did not change from the one before.
    """
    canvas, model = loop.frame(), loop.model
    size = canvas.width, canvas.height
    assert size == (model.width, model.height)
    again = loop.render(model, Canvas(*size, canvas.ascii_only, before))
    assert picture(again) == picture(canvas)
    drawn, styles = set[str](), set[str]()
    for y in range(canvas.height):
        assert len(canvas.cells(y)) == canvas.width
        drawn |= set(canvas.line(y))
        styles |= {style for _, _, style in canvas.spans(y)}
    odd = [character for character in drawn if not character.isprintable()]
    assert not odd, f"drawn: {odd!r}"
    assert styles <= set(styles_of("dark"))
    if hasattr(model, "options") and model.options.ascii:
        assert canvas.text().isascii()
    return again


def check_ways_out(attacked: Attacked) -> None:
    """Esc closes what lies on top and never leaves, then `q` leaves and `?` shows the help.

    Where `q` would lose something it asks, and leaves when it is pressed again.
    """
    loop, sides = attacked.loop, attacked.sides
    model, later = loop.model, loop.now + 0.01
    if getattr(model, "typing", False):
        model = loop.update(model, KeyPressed("esc", later))
        assert (model.quit, model.typing) == (False, False)
    closed = loop.update(model, KeyPressed("esc", later))
    assert not closed.quit
    left = loop.update(closed, KeyPressed("q", later))
    if not left.quit:
        assert any("press q again" in side.message for side in sides(left))
        left = loop.update(left, KeyPressed("q", later))
    assert left.quit
    assert not [side.modal for side in sides(closed) if side.modal]
    helped = loop.update(closed, KeyPressed("?", later))
    assert {side.modal for side in sides(helped)} == {"help"}
    if all(side.layout().panes for side in sides(helped)) and helped.width >= 80:
        assert " Help: " in loop.render(helped).text()


def check_rest(loop: ScreenLoop, before: Canvas) -> None:
    """A paused screen that may sleep is the same afterwards."""
    model = loop.model
    wait = model.wait(0.03, loop.now)
    assert wait >= 0
    paused = not getattr(model, "running", True)
    if paused and wait > 0.03:
        after = loop.update(model, Tick(loop.now + 0.99 * wait))
        assert after is model or picture(loop.render(after)) == picture(before)
        assert not after.commands[len(model.commands) :]


def trained(random: Random) -> TrainingSession:
    name = random.choice(("original", "impatience", "legacy", "fine", "hidden", "many"))
    scenario = MANY_LIMITS if name == "many" else Scenario.of(name)
    seats = random.choice(SEATS), random.choice(SEATS)
    parameters = Parameters(cycles=random.randint(1, 4), episodes=random.choice((1, 5, 60)))
    if scenario.name == "legacy" or "best-response" in seats:
        seats = "midpoint", random.choice(("best-response", "boulware"))
    return new_session(scenario, parameters, random.randrange(100), seats)


def watched(random: Random) -> Attacked:
    """Open a training, sometimes with a person at the table, sometimes recorded."""
    session: Any = trained(random)
    if random.random() < 0.3:
        session = record_to(session, Path("recording.jsonl"))
    if random.random() < 0.3:
        attempt(session, session.handle, do.Sit(random.choice(list(Role))))
    return on_screen(random, session)


def on_screen(random: Random, session: Any) -> Attacked:
    loop = screen_driver.watched(session, **manner(random, paces.NAMES))
    return Attacked(loop, KEYS, holds=negotiation_holds)


def manner(random: Random, names: Sequence[str]) -> dict[str, Any]:
    """Return how a screen begins."""
    paused, ascii_only = (random.random() < 0.4 for _ in range(2))
    return {"pace": random.choice(names), "paused": paused, "ascii_only": ascii_only}


def negotiation_holds(loop: ScreenLoop) -> None:
    """The focus, the pace and the offers shown are in their ranges."""
    model = loop.model
    assert model.chosen in PANES
    assert model.detail in set(PANES) - {PRICE}
    assert 0 <= model.pace_index < len(paces.PACES)
    assert model.sent - len(model.commands) == loop.session.snapshot.status.handled
    if model.playback:
        turns = len(model.playback.negotiation.transcript.turns)
        assert 0 <= model.playback.visible <= turns
    assert model.pane_snapshot.negotiations <= model.snapshot.negotiations


def replayed(random: Random) -> Attacked:
    """Open a recording, sometimes of a session that was broken off in mid-line."""
    path = Path("recorded.jsonl")
    recorder = record_to(trained(random), path)
    for _ in range(random.randint(0, 12)):
        seated = do.TakeSeats(((random.choice(list(Role)), random.choice(SEATS[:-1])),))
        commands = do.Play(random.randint(1, 9)), do.PlayCycle(), do.Restart(), seated
        attempt(recorder, recorder.handle, random.choice(commands))
    if random.random() < 0.2:
        path.write_bytes(path.read_bytes()[: -random.randint(1, 40)])
    recording = read(path) if path.read_bytes().count(b"\n") else None
    if recording is None:  # its heading was cut
        return watched(random)
    return on_screen(random, TrainingSession(recording.run, recording))


def market(random: Random) -> Attacked:
    agents = company() if random.random() < 0.5 else crowd(random.choice((2, 3, 30, 300)))
    limit = random.choice(("negotiations=80", "negotiations=600", "steps=40", "steps=400"))
    loop = Market(limit=limit, agents=agents, **manner(random, MARKET_PACES))
    return Attacked(loop, MARKET_KEYS, holds=market_holds)


def market_holds(loop: ScreenLoop) -> None:
    """Offers and past are in their ranges, and the session follows whom the screen shows."""
    model = loop.model
    assert 0 <= model.frame <= market_model.frames(model.here)
    assert model.live or model.history.index(model.here.key) < len(model.history.entries) - 1
    if not model.commands:
        assert model.followed == loop.session.snapshot.followed
    ticks = [entry.tick for entry in model.history.entries]
    assert ticks == sorted(ticks)


class PlayedTournament:
    """A session that publishes rows of a small tournament, one of them refused, a few per step."""

    going = False

    def __init__(self, share: float) -> None:
        self.whole = played()
        self.snapshot = replace(self.whole, rows=self.whole.rows[: round(share * 25)])

    @property
    def running(self) -> bool:
        return self.going and not self.snapshot.finished

    def handle(self, command: do.PlayOn | do.Halt) -> None:
        self.going = isinstance(command, do.PlayOn)

    def idle(self) -> None:
        pass

    def step(self) -> float:
        rows = self.whole.rows[: len(self.snapshot.rows) + 3]
        self.snapshot = replace(self.whole, rows=rows)
        return 0.0


@cache
def played() -> ContestSnapshot:
    entrants = ("midpoint", "boulware", "micro", "random", "best-response")
    contest = StrategyContest.of(Scenario.original(), entrants, "published", negotiations=4)
    return ContestSnapshot(contest, contest.rows(None, 1, None))


def tournament(random: Random) -> Attacked:
    session = PlayedTournament(random.random())
    running, ascii_only = random.random() < 0.5, random.random() < 0.3
    options = RenderOptions(ascii=ascii_only)
    model = tournament_model.Model(session.snapshot, running=running, options=options)
    started = tournament_update.start(model)
    loop = ScreenLoop(session, tournament_update.update, tournament_render, started)
    return Attacked(loop, TOURNAMENT_KEYS, holds=tournament_holds)


def tournament_holds(loop: ScreenLoop) -> None:
    """The chosen pairing is in sight wherever there is room for a table."""
    model = loop.model
    covered = model.modal or model.message
    if model.width >= 40 and model.height >= 7 and not covered and model.chosen != PAIRING:
        mark = ">" if model.options.ascii else "▸"
        assert mark in loop.text()


def results(random: Random) -> Attacked:
    """Open the results of a class, some of whom misbehave."""
    misbehave(Path("class"))
    session = ResultsSession(["class"])
    options = RenderOptions(ascii=random.random() < 0.3)
    model = results_screen.Model(session.snapshot, options=options)
    loop = ScreenLoop(session, results_screen.update, results_screen.render, model)

    def meddle(_loop: ScreenLoop) -> None:
        """Cut a file, write to it, or put something else in its place."""
        path = random.choice(sorted(Path("class").rglob("*.jsonl")))
        if path.is_symlink() or not path.is_file() or random.random() < 0.5:
            return
        if random.random() < 0.2:
            path.unlink()
            random.choice(PLACES)(path)
        else:
            some = path.open("rb").read(100_000)
            path.write_bytes(damaged_bytes(random, some, some))

    return Attacked(loop, RESULTS_KEYS, holds=meddle)


def tour(random: Random) -> Attacked:
    """Open a lesson of the tour, where `q` ends the lesson's screen only."""
    return Attacked(
        Tour(random.choice((1, 3, 6)), path=Path("tour.json")), KEYS, is_one_screen=False
    )


KINDS: tuple[Callable[[Random], Attacked], ...] = (
    watched, tour, replayed, market, watched, market, results, tournament,
)  # fmt: skip
"""In this order the few cases of the ordinary test are of five kinds."""
