"""The program where all that only Unix has is missing: `python -m tests.support.bare_system …`.

Without words it imports every module of the package and prints, for each that cannot be, its name
and why. With `--pdcurses KEYS` before the words there is a stand-in for windows-curses, whose
user types those keys, and the program believes itself on Windows. `X:Y:STATE` is a report of the
mouse; a longer text without a colon is waited for. On stderr it then says how long curses was asked
to wait at most, how many colours it has, in which colours it showed text, and what was drawn last.
`--pdcurses16` has 16 colours.
"""

import errno
import importlib
import io
import os
import pkgutil
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType
from typing import Any

UNIX_MODULES = frozenset(
    {
        *("_curses", "crypt", "curses", "fcntl", "grp", "nis", "ossaudiodev", "posix", "pty"),
        *("pwd", "readline", "resource", "spwd", "syslog", "termios", "tty"),
    }
)
UNIX_SIGNALS = """
    SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGUSR1
    SIGUSR2 SIGWINCH alarm pause setitimer siginterrupt
"""
UNIX_CALLS = """
    fork forkpty getegid geteuid getgid getloadavg getpgid getppgid getuid killpg mkfifo nice
    openpty pipe2 posix_spawn sched_getaffinity setpgid setsid sysconf uname wait3 wait4
"""


class _Blocker:
    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in UNIX_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def block() -> None:
    # Those that the interpreter needs to go on here are imported before, and kept by it.
    for name in ("numpy", "multiprocessing.util", "subprocess", "selectors", "tempfile", "shutil"):
        importlib.import_module(name)
    sys.meta_path.insert(0, _Blocker())
    for name in [name for name in sys.modules if name.partition(".")[0] in UNIX_MODULES]:
        if name != "posix":
            del sys.modules[name]
    for name in UNIX_SIGNALS.split():
        with suppress(AttributeError):
            delattr(signal, name)
    for name in UNIX_CALLS.split():
        with suppress(AttributeError):
            delattr(os, name)


def _by_xterm(colour: int) -> int:
    return XTERM[colour & 7] | colour & 8 if 0 <= colour < 16 else colour


class CursesError(Exception):
    """What the stand-in raises."""


class _Window:
    """A window of PDCurses: no wait is shorter than 50 ms, none is broken off."""

    size = (36, 120)

    def __init__(self, keys: Sequence[str | int], colours: int) -> None:
        self.colours = colours
        self.pairs = {0: (7, 0)}
        self.painted: set[tuple[int, int]] = set()
        self._keys = list(keys)
        self._wait = self.longest = 0
        self._seen = False
        self._cells: dict[tuple[int, int], str] = {}

    def getmaxyx(self) -> tuple[int, int]:
        return self.size

    def timeout(self, wait: int) -> None:
        self._wait, self.longest = wait, max(wait, self.longest)

    def get_wch(self) -> str | int:
        if self._wait:
            time.sleep(max(1, self._wait // 50) * 0.05)
        if not self._keys or not self._seen:  # the user looks, then types
            raise CursesError("no input")
        self._seen = False
        match self._keys[0]:
            case str(text) if ":" in text:
                x, y, state = map(int, text.split(":"))
                self._keys[0], self.report = MOUSE, (0, x, y, 0, state)
            case str(text) if len(text) > 1:
                if text not in self.text():
                    raise CursesError("no input")
                del self._keys[0]
        return self._keys.pop(0)

    def erase(self) -> None:
        self._cells.clear()

    def init_pair(self, pair: int, foreground: int, background: int) -> None:
        self.pairs[pair] = foreground, background

    def _paint(self, attribute: int) -> tuple[int, int]:
        """The colours that a console shows, as xterm numbers them: bold is the light variant."""
        foreground, background = self.pairs[attribute >> 24]
        if attribute & BOLD and foreground >= 0:
            foreground |= 8
        return _by_xterm(foreground), _by_xterm(background)

    def addstr(self, y: int, x: int, text: str, attribute: int) -> None:
        self.painted.add(self._paint(attribute))
        for n, character in enumerate(text):
            self._cells[y, x + n] = character
        if (y, x + len(text)) == self.size:
            raise CursesError("addwstr() returned ERR")

    def keypad(self, _: bool) -> None: ...

    def noutrefresh(self) -> None:
        self._seen = True

    def redrawwin(self) -> None: ...

    def text(self) -> str:
        height, width = self.size
        rows = ("".join(self._cells.get((y, x), " ") for x in range(width)) for y in range(height))
        return "\n".join(row.rstrip() for row in rows)


LEFT_OUT = ("__main__", "negmas_mechanism", "pettingzoo")
"""The last two are for packages that may not be there, and are imported where they are."""
BOLD = 1 << 20
COLOURS = ("BLACK", "BLUE", "GREEN", "CYAN", "RED", "MAGENTA", "YELLOW", "WHITE")
XTERM = (0, 4, 2, 6, 1, 5, 3, 7)  # the colours of PDCurses by xterm's numbers
PAD = {459: b"PADENTER", 464: b"PADMINUS", 465: b"PADPLUS"}
MOUSE = 539
MORE = ("BACKSPACE", "HOME", "END", "IC", "DC")
KEYS = ("UP", "DOWN", "LEFT", "RIGHT", "PPAGE", "NPAGE", "ENTER", "BTAB", "F1", "RESIZE", *MORE)


def pdcurses(window: _Window) -> Any:
    """A stand-in for curses as windows-curses 2.4 has it, as far as it is used.

    There is no `set_escdelay`, nor a bold of its own, and nobody may ask for terminfo.
    """
    curses: Any = ModuleType("curses")
    curses.error = CursesError
    for number, name in enumerate(KEYS, 1 << 9):
        setattr(curses, f"KEY_{name}", number)
    for bit, name in enumerate(("BOLD", "REVERSE", "UNDERLINE"), 20):
        setattr(curses, f"A_{name}", 1 << bit)
    curses.KEY_F0, curses.KEY_MOUSE = 264, MOUSE
    curses.ALL_MOUSE_EVENTS, curses.REPORT_MOUSE_POSITION = 0x1FFFFFFF, 0x20000000
    curses.BUTTON1_PRESSED, curses.BUTTON4_PRESSED = 2, 1 << 16
    curses.mouseinterval = curses.mousemask = lambda _: None
    curses.getmouse = lambda: window.report
    for number, name in enumerate(COLOURS):
        setattr(curses, f"COLOR_{name}", number)
    curses.COLORS = window.colours
    curses.termattrs = lambda: curses.A_REVERSE | curses.A_UNDERLINE
    curses.init_pair = window.init_pair
    curses.initscr = lambda: window
    curses.has_colors = lambda: True
    curses.keyname = lambda key: PAD.get(key, b"UNKNOWN KEY")
    curses.color_pair = lambda pair: pair << 24
    names = "noecho cbreak nocbreak echo endwin start_color use_default_colors doupdate"
    for name in (*names.split(), "update_lines_cols"):
        setattr(curses, name, lambda: None)
    curses.curs_set = lambda _: None
    return curses


class _Console(io.StringIO):
    """Somebody sits here."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError


class _ErrorConsole(_Console):
    """Stderr in a console: it cannot write where its descriptor leads elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._place = os.fstat(2)

    def write(self, text: str) -> int:
        if not os.path.samestat(self._place, os.fstat(2)):
            raise OSError(errno.EBADF, "The handle is invalid")
        return os.write(2, text.encode())

    def fileno(self) -> int:
        return 2


def unimportable() -> list[str]:
    import negotiation_tui

    found = []
    for each in pkgutil.walk_packages(negotiation_tui.__path__, "negotiation_tui."):
        if each.name.endswith(LEFT_OUT):
            continue
        try:
            importlib.import_module(each.name)
        except Exception as error:
            found.append(f"{each.name} {type(error).__name__}: {error}")
    return found


def main(words: Sequence[str]) -> int:
    block()
    if not words:
        print("\n".join(unimportable()))
        return 0
    from negotiation_tui.cli.main import main as program

    if words[0] == "--no-curses":
        sys.stdin = sys.stdout = _Console()
        return program(words[1:])
    if words[0] not in {"--pdcurses", "--pdcurses16"}:
        return program(words)
    keys = [int(key) if key.isdigit() else key for key in words[1].split(",")]
    window = _Window(keys, 16 if words[0] == "--pdcurses16" else 256)
    sys.modules["curses"] = pdcurses(window)
    sys.stdin = sys.stdout = _Console()
    before, sys.stderr = sys.stderr, _ErrorConsole()
    sys.platform = "win32"
    status = program(words[2:])
    sys.stderr = before
    print(f"asked curses to wait {window.longest} ms at most", file=sys.stderr)
    print(f"{sorted(window.painted)}\n{window.text()}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
