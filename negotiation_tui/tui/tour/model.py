"""The model of the tour: the screen of the present lesson, and the panel below it."""

import warnings
from collections.abc import Mapping
from typing import Any

from negotiation_tui.runtime.records import dataclass, field, replace
from negotiation_tui.sessions.tour_progress import Progress, Result
from negotiation_tui.sessions.tour_session import Figures, TourSnapshot
from negotiation_tui.tui.negotiation.keys import KEYS
from negotiation_tui.tui.negotiation.model import Model as PairModel
from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tour.lesson import Lesson, Step

TOUR_WIDTH, TOUR_HEIGHT = 60, 16  # the smallest screen of the tour, in cells


@dataclass(frozen=True, slots=True)
class TourModel:
    """State of the tour; `update` says how each message changes it."""

    latest: TourSnapshot
    lessons: tuple[Lesson, ...]
    place: int = 0  # the index of the lesson
    step: int = 0  # the index of the step; the number of steps on the page after the last lesson
    inner: Any = None  # the model of the lesson's screen
    opened: int = 0  # number of sessions asked for after the first
    did: bool = False  # true if the present step is done
    answers: Mapping[int, int] = field(default_factory=dict)
    """The first answer to each question of this lesson, by step; choices count from 0."""
    progress: Progress = field(default_factory=dict)
    hint: str = ""  # a message in place of the keys
    trouble: str | None = None  # the reason why the progress could not be read
    width: int = 80
    height: int = 24
    options: RenderOptions = field(default_factory=RenderOptions)
    commands: tuple[Any, ...] = ()
    quit: bool = False

    @property
    def repaints(self) -> int:
        return int(self.inner.repaints)

    @property
    def keys(self) -> Keys:
        keys = self.inner.keys if self.inner else KEYS
        assert isinstance(keys, Keys)
        return keys

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.place]

    @property
    def opening(self) -> bool:
        """True until the session of the present lesson is there."""
        return self.latest.opened < self.opened

    @property
    def ended(self) -> bool:
        """True on the page after the last lesson."""
        return self.step >= len(self.lesson.steps)

    @property
    def present(self) -> Step:
        if not self.ended:
            return self.lesson.steps[self.step]
        score = self.score
        return Step(
            f"The tour ends here: {score.right} of {score.asked} predictions were right. Every"
            " lesson can be seen again, and negotiation-tui tour --list shows your progress."
        )

    @property
    def facts(self) -> Figures | None:
        """The facts of the present lesson; None until they are computed."""
        return None if self.opening else self.latest.facts

    @property
    def open_question(self) -> tuple[str, ...]:
        """The choices of the question that waits for an answer; empty without one."""
        return () if self.step in self.answers else self.present.choices

    @property
    def hides_theory(self) -> bool:
        """True until the question is answered whose answer theory would show."""
        return any(step.hides and n not in self.answers for n, step in enumerate(self.lesson.steps))

    @property
    def to_do(self) -> bool:
        """True if the present step asks for something that is not done yet."""
        return self.present.check is not None and not self.did

    @property
    def held_back(self) -> bool:
        """True if a question follows that asks about what is not done yet."""
        rest = enumerate(self.lesson.steps[self.step + 1 :], self.step + 1)
        return self.to_do and any(step.choices and n not in self.answers for n, step in rest)

    @property
    def playing(self) -> bool:
        """True if the user still has to play as a person: then the screen gets Enter, too."""
        is_pair = isinstance(self.inner, PairModel)
        return self.to_do and is_pair and self.inner.human_playing

    @property
    def panel_height(self) -> int:
        return 8 if self.width < 100 else 7

    def drawn_with(self, options: RenderOptions) -> "TourModel":
        if self.trouble:
            warnings.warn(f"{self.trouble}; the tour began at its first lesson", stacklevel=1)
        return replace(self, options=options)

    def wait(self, frame: float, now: float) -> float:
        """Return the seconds until the screen changes by itself; a frame lasts `frame`."""
        if self.opening or self.latest.facts is None:
            return frame
        return float(self.inner.wait(frame, now))

    def written(self, text: str) -> str | None:
        """Return a text with its facts and keys; None if a fact is not computed yet."""
        try:
            return self.keys.format(text, self.facts or {})
        except KeyError:
            return None

    def right(self, step: int) -> bool | None:
        """True if the answer to a question was right; None if nobody knows yet."""
        ask, facts = self.lesson.steps[step], self.facts
        if facts is None or step not in self.answers:
            return None
        return self.written(ask.choices[self.answers[step]]) == facts[ask.right]

    @property
    def result(self) -> Result:
        verdicts = [self.right(step) for step in self.answers]
        return Result(verdicts.count(True), len(verdicts) - verdicts.count(None))

    @property
    def score(self) -> Result:
        """The predictions so far, in all lessons."""
        results = dict(self.progress)
        if self.answers:
            results[self.lesson.name] = self.result
        finished = [results[lesson.name] for lesson in self.lessons if lesson.name in results]
        return Result(sum(each.right for each in finished), sum(each.asked for each in finished))
