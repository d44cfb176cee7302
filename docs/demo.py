"""Record docs/demo.cast with asciinema: `python docs/demo.py`.

Types a few keys into the real program, in a terminal of 100 × 30, while asciinema records it.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from pathlib import Path

CAST = Path(__file__).with_name("demo.cast")
PROGRAM = f"{sys.executable} -m negotiation_tui --seed 7 --fps 6"
WIDTH, HEIGHT = 100, 30
TYPED = (
    (7.0, "+"),  # the story, then four offers a second
    (1.5, "+++++"),  # 10,000 negotiations a second
    (3.0, "["),
    (0.8, "["),
    (0.8, "g"),
    (0.6, "74\r"),
    (2.5, "2"),
    (0.6, "\x1b[B"),
    (0.8, "\r"),  # why this number
    (3.5, "\x1b"),
    (0.6, "\x1b[F"),
    (1.0, "t"),  # fixed rules against what was learned
    (1.0, "n"),
    (2.0, "t"),
    (1.0, "p"),
    (2.5, "2\r"),
    (2.5, "a"),
    (3.0, "qq"),
)
"""Seconds to wait, and the keys typed then."""


def main() -> None:
    """Record the session and print the size of the file."""
    child, terminal = pty.fork()
    if not child:
        environ = {
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "NEGOTIATION_TUI_CONFIG": os.devnull,
        }
        options = "--overwrite --quiet --idle-time-limit 1.5 --title negotiation-tui --command"
        record = ["asciinema", "rec", *options.split(), PROGRAM, str(CAST)]
        os.execvpe(record[0], record, {**os.environ, **environ})  # noqa: S606
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    _read(terminal, 2.0)
    for seconds, keys in TYPED:
        _read(terminal, seconds)
        os.write(terminal, keys.encode())
    _read(terminal, 5.0)
    os.waitpid(child, 0)
    print(CAST, f"{CAST.stat().st_size:,} bytes")


def _read(terminal: int, seconds: float) -> None:
    """Read and drop the program's output for some seconds, so that it never has to wait."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            try:
                if not os.read(terminal, 1 << 16):
                    return
            except OSError:  # the program ended
                return


if __name__ == "__main__":
    main()
