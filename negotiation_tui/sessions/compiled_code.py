"""The compiled loop of a training that is shown, made in the background."""

from functools import partial

from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.runtime.jit import BackgroundCompiler

_TIMED = 100  # episodes of a batch that tell how long the rest takes


class CompiledCode:
    """Code for the occupants of both seats; it is used from the moment that it is ready."""

    def __init__(self) -> None:
        self._compiler: BackgroundCompiler[Backend] | None = None

    def apply(self, training: ConcurrentTraining) -> None:
        ready = self._compiler and self._compiler.done
        if ready and training.backend is not ready:
            training.use(ready)

    def compile_if_it_pays(self, training: ConcurrentTraining, n: int, seconds: float) -> None:
        """Compile, unless the training ends before; its last `n` episodes took some seconds.

        Both loops share this process, so the compiler takes twice as long.
        """
        from negotiation_tui.learning.compiling import fastest_backend, seconds_to_compile

        ahead = seconds / n * (training.parameters.total - training.episode)
        if self._compiler is None and n >= _TIMED:
            needed = training.seated, training.scenario.hidden
            if ahead > 2 * seconds_to_compile(*needed):
                self._compiler = BackgroundCompiler(partial(fastest_backend, *needed))
                self._compiler.begin()

    def changed(self, training: ConcurrentTraining) -> None:
        """Go on with the plain loop if somebody took a seat whose code is not ready."""
        from negotiation_tui.learning.compiling import seconds_to_compile

        ready = self._compiler and self._compiler.done
        if ready and seconds_to_compile(training.seated, training.scenario.hidden):
            training.use(PLAIN)
            self._compiler = None
