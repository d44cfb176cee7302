"""The program: `negotiation-tui`, or `python -m negotiation_tui`."""

import os
import sys

try:
    from negotiation_tui.runtime import interrupts
except KeyboardInterrupt:  # before the program handles Ctrl-C
    os._exit(130)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> "NoReturn":
    """Run the command line and exit with its status, even during imports or compilation."""
    interrupts.handle()
    import gc

    gc.set_threshold(100_000)  # imports make much that stays: looking for garbage among it is slow
    if "OPENBLAS_NUM_THREADS" not in os.environ:  # numpy's threads start slowly
        os.putenv("OPENBLAS_NUM_THREADS", "1")  # not in os.environ, which the user's programs get
    status: int | str | None
    try:
        from negotiation_tui.cli.main import main

        status = main()
    except KeyboardInterrupt:  # from a section of `Interruptible`
        status = 130
    except SystemExit as exiting:
        status = exiting.code
    jit = sys.modules.get("negotiation_tui.runtime.jit")
    if jit and jit.is_compiling() and isinstance(status, int):
        # LLVM crashes if Python shuts down normally during a compilation.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    gc.freeze()  # or Python looks for garbage twice before it ends
    sys.exit(status)


if __name__ == "__main__":
    run()
