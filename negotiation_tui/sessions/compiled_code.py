"""The compiled code of a live training, made in the background once that pays."""

from functools import partial

from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import (
    compiled_for,
    seconds_for_learners,
    seconds_to_compile,
)
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.jit import BackgroundCompiler

_TIMED = 100
"""Episodes of a batch that tell how long the rest takes."""


class CompiledCode:
    """Code for the occupants of both seats; it is used from the moment that it is ready."""

    def __init__(self) -> None:
        self._compiler: BackgroundCompiler[Backend] | None = None

    def used_by(self, training: ConcurrentTraining) -> bool:
        """True if a training runs with it now."""
        return self._compiler is not None and training.backend is self._compiler.done

    def apply(self, training: ConcurrentTraining) -> None:
        """Let a training use the code if it is ready."""
        ready = self._compiler and self._compiler.done
        if ready and training.backend is not ready:
            training.use(ready)

    def begin(self, training: ConcurrentTraining, n: int, seconds: float) -> None:
        """Begin to compile, unless the work ahead ends before; the last `n` episodes took so long.

        Both loops share this process, so the compiler takes twice as long.
        """
        ahead = seconds / n * (training.parameters.total - training.episode)
        if self._compiler is None and n >= _TIMED:
            needed = training.occupants.seated, training.scenario.hidden
            if ahead > 2 * (seconds_to_compile() + seconds_for_learners(*needed)):
                self._compiler = BackgroundCompiler(partial(compiled_for, *needed))
                self._compiler.begin()

    def changed(self, training: ConcurrentTraining) -> None:
        """Go on with the plain loop if somebody took a seat whose code is not ready."""
        ready = self._compiler and self._compiler.done
        if ready and seconds_for_learners(training.occupants.seated, training.scenario.hidden):
            training.use(PLAIN)
            self._compiler = None
