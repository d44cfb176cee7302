"""A screen without a terminal and a session without a thread, driven step by step."""

from dataclasses import replace
from typing import Any, Self

from negotiation_tui import Opener, Scenario, States
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation import pace as paces
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import update
from negotiation_tui.tui.negotiation.watch import Begin, first_model, started
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.messages import Tick
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from tests.support.screen_loop import ScreenLoop, inside
from tests.support.trainings import new_session

Picture = list[list[tuple[int, str, str]]]
Seats = tuple[str | None, str | None]
STATIC: Seats = ("midpoint", "midpoint")


def picture(canvas: Canvas) -> Picture:
    """Return each row of a canvas as runs of one style: column, text and style."""
    return [list(canvas.spans(y)) for y in range(canvas.height)]


def begun(session: Any, pace: str = "4", paused: bool = True, ascii_only: bool = False) -> Model:
    """The first model of a session of negotiations."""
    session.idle()
    begin = Begin(paces.NAMES.index(pace), paused, advice=False)
    options = RenderOptions(ascii=ascii_only)
    return started(replace(first_model(session.snapshot, begin), options=options))


def watched(session: Any, **options: Any) -> ScreenLoop:
    """The screen of any session of negotiations, such as a replay, by the options of `begun`."""
    return ScreenLoop(session, update, render, begun(session, **options)).resize(120, 36)


class Screen(ScreenLoop):
    """The screen of a training. A `recipe` replaces `cycles` and `episodes`."""

    def __init__(
        self,
        scenario: str = "original",
        *,
        seed: int = 7,
        width: int = 120,
        height: int = 36,
        paused: bool = True,
        ascii_only: bool = False,
        pace: str = "4",
        cycles: int = 50,
        episodes: int = 100,
        strategies: Seats = (None, None),
        opener: Opener | None = None,
        prompt: bool = True,
        states: States = States.PUBLISHED,
        recipe: str | None = None,
        talk: bool = False,
    ) -> None:
        game = replace(Scenario.of(scenario), states=states, talk=talk)
        parameters = Parameters(cycles=cycles, episodes=episodes)
        if recipe is not None:
            parameters = RECIPES[recipe](game)
        self.trainer = new_session(game, parameters, seed, strategies, opener)
        model = begun(self.trainer, pace, paused, ascii_only)
        super().__init__(self.trainer, update, render, model, prompt)
        self.resize(width, height)

    def doze(self, seconds: float, frame: float = 1 / 30) -> Self:
        """Let time pass as the loop does: asleep for as long as the model allows."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + max(0.001, self.model.wait(frame, self.now)))
            self.tell(Tick(self.now))
        return self

    def work(self, at_least: int = 1) -> Self:
        goal = _number(self.model.snapshot) + at_least
        while self.trainer.running and _number(self.trainer.snapshot) < goal:
            self.trainer.step()
        self._publish()
        return self

    def pane(self, number: int) -> list[str]:
        """Return the lines of a pane at rest, without its frame, the heading first."""
        self.settle()
        return inside(self.model, self.frame(), number)

    def line(self, words: str) -> str:
        """Return the only line of the frame with this text."""
        lines = [line for line in self.text().splitlines() if words in line]
        assert len(lines) == 1, f"{words!r} on {len(lines)} lines of\n{self.text()}"
        return lines[0]

    @property
    def shown(self) -> tuple[int, int]:
        playback = self.model.playback
        return (sum(playback.negotiation.key), playback.visible) if playback else (0, 0)

    @property
    def place(self) -> tuple[int, int, int]:
        """The game, the turn, and the page below it: a step leads to another one."""
        playback = self.model.playback
        return (*self.shown, playback.page if playback else 0)


def _number(snapshot: Snapshot) -> int:
    return sum(snapshot.negotiation.key) if snapshot.negotiation else 0
