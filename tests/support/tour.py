"""The tour without a terminal, played by keys on a clock of its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from negotiation_tui.sessions import tour_progress as files
from negotiation_tui.sessions.tour_progress import Progress
from negotiation_tui.sessions.tour_session import Open, TourSession
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tour.lesson import Lesson
from negotiation_tui.tui.tour.lessons import LESSONS
from negotiation_tui.tui.tour.model import TourModel
from negotiation_tui.tui.tour.update import render, start, update
from tests.support.screen_loop import ScreenLoop

PLAIN = RenderOptions(animation=False)
NUMBERS = {lesson.name: number for number, lesson in enumerate(LESSONS, 1)}
FLAT_OUT = ("space",)
PLAYED: Mapping[tuple[str, int], tuple[str, ...]] = {
    ("bar", 0): (".", ".", "."),
    ("bar", 1): ("n",),
    ("deadline", 0): ("n",),
    ("deadline", 1): ("o",),
    ("patience", 0): (".", ".", "."),
    ("patience", 1): ("c",) * 50,
    ("table", 0): ("n",),
    ("table", 1): ("c",),
    ("exploration", 0): ("c", "c", "c"),
    ("exploration", 1): ("c",) * 47,
    ("opener", 0): FLAT_OUT,
    ("first", 0): FLAT_OUT,
    ("first", 1): ("e",),
    ("market", 0): FLAT_OUT,
}
"""The keys for each thing to do but playing oneself, by lesson and number."""


class Tour(ScreenLoop):
    """The tour from a lesson on, counted from 1."""

    model: TourModel

    def __init__(
        self,
        number: int = 1,
        *,
        width: int = 120,
        height: int = 36,
        progress: Progress | None = None,
        path: Path | None = None,
        options: RenderOptions = PLAIN,
    ) -> None:
        lesson = LESSONS[number - 1]
        first = Open(lesson.session, lesson.work)
        session = TourSession(first, lambda progress: files.write(path, progress))
        model = TourModel(session.snapshot, LESSONS, number - 1, progress=dict(progress or {}))
        super().__init__(session, update, render, start(model.drawn_with(options)))
        self.resize(width, height)

    @property
    def lesson(self) -> Lesson:
        return self.model.lesson

    @property
    def inner(self) -> Any:
        return self.model.inner

    def compute(self) -> Self:
        while self.model.latest.facts is None:
            self.step()
        return self

    def solve(self) -> Self:
        before = self.lesson.steps[: self.model.step]
        number = sum(step.check is not None for step in before)
        if self.lesson.name == "buyer":
            return self._negotiate()
        *first, last = PLAYED[self.lesson.name, number]
        assert not self.press(*first).tick(1.0).model.did, "done before its last key"
        self.press(last).tick(1.0)
        while not self.model.did:
            assert self.session.running
            self.step().tick(0.1)
        return self

    def _negotiate(self) -> Self:
        for _ in range(20):
            self.tick(3.0)
            if self.model.did:
                break
            position = self.inner.position
            last = position is not None and position.last_decision
            self.press("a" if last else "enter")
        return self

    def go_to(self, field: str) -> Self:
        """Do and answer all that comes before the next step that has a field."""
        place = self.model.place
        while not getattr(self.model.present, field):
            self.pass_step()
            assert self.model.place == place, "the lesson has no such step"
        return self

    def pass_step(self, choice: int = 1) -> Self:
        """Do the present step, answer it with a choice, and go on."""
        step = self.model.present
        if step.check:
            self.solve()
        if step.choices:
            self.compute().press(str(choice))
        return self.press("enter")

    def right_choice(self) -> int:
        """Return the digit of the right answer to the present question."""
        ask = self.model.present
        facts = self.compute().model.facts
        assert facts is not None
        texts = [self.model.written(choice) for choice in ask.choices]
        return texts.index(facts[ask.right]) + 1
