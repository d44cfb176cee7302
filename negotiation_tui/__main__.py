"""The program: `negotiation-tui`, or `python -m negotiation_tui`."""

import os
import sys
from typing import NoReturn


def run() -> NoReturn:
    """Run the command line and end with its status, even amid imports or a compiler's work."""
    status: int | str | None
    try:
        from negotiation_tui.cli.main import main

        status = main()
    except KeyboardInterrupt:  # before there was anything to break off
        status = 130
    except SystemExit as left:
        status = left.code
    compiling = sys.modules.get("negotiation_tui.runtime.jit")
    if compiling and compiling.at_work() and isinstance(status, int):
        # LLVM crashes where Python ends by and by, and nobody would wait for it.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    run()
