"""The terminal: the only place that knows curses, ncurses or PDCurses (windows-curses)."""

import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.tui.toolkit.canvas import NORMAL, Canvas, bounded
from negotiation_tui.tui.toolkit.keys import CHARACTERS
from negotiation_tui.tui.toolkit.messages import HangupError, Mouse, Pasted, Resized
from negotiation_tui.tui.toolkit.own_output import apart, screen_descriptor
from negotiation_tui.tui.toolkit.sequences import BEGUN, INTRODUCERS, SEQUENCE, meaning
from negotiation_tui.tui.toolkit.theme import OWN_COLOUR, Theme, kind_of

try:
    import curses
except ImportError as error:
    hint = "a Python built with curses"
    if sys.platform == "win32":
        import sysconfig

        here = f"Python {sysconfig.get_python_version()} on {sysconfig.get_platform()}"
        hint = (
            f"windows-curses; if pip finds none for {here}, use another Python, WSL, or commands"
            " without a screen, such as train, market --text or --once"
        )
    raise BadInputError(f"this Python has no curses: the screen needs {hint}") from error

PDCURSES = sys.platform == "win32"
POLL_SECONDS = 0.01
"""Seconds between two checks for keys on Windows: PDCurses' own waits ignore Ctrl-C."""
_CURSES = """
up KEY_UP KEY_A2, down KEY_DOWN KEY_C2, left KEY_LEFT KEY_B1, right KEY_RIGHT KEY_B3,
pgup KEY_PPAGE KEY_A3, pgdn KEY_NPAGE KEY_C3, home KEY_HOME KEY_A1, end KEY_END KEY_C1,
insert KEY_IC, delete KEY_DC, backspace KEY_BACKSPACE, enter KEY_ENTER PADENTER,
shift-tab KEY_BTAB kcbt2, - PADMINUS, + PADPLUS, . PADSTOP
"""
"""The names in curses of each key, on the number pad too; not all are constants in Python."""
_OF_CURSES = {"kxIN": "", "kxOUT": ""} | {
    code: name for name, *codes in (each.split() for each in _CURSES.split(",")) for code in codes
}
_NAMES: dict[str | int, str] = {
    **CHARACTERS,
    **{curses.KEY_F0 + n: f"f{n}" for n in range(1, 13)},
    **{getattr(curses, each): _OF_CURSES[each] for each in _OF_CURSES if hasattr(curses, each)},
}
_SGR, _SGR_BEGIN, _X10 = re.compile(r"\[<(\d+);(\d+);(\d+)([Mm])"), "[<", "[M"
"""A report of the mouse as xterm writes it, and the beginning of the old form without a limit."""
_PASTE, _MOUSE = (b"\x1b[?2004",), (b"\x1b[?1000", b"\x1b[?1002", b"\x1b[?1006")
_PIECE = 100  # milliseconds after which an escape sequence is over without its end
_BUTTONS = {0: "press", 32: "drag", 64: "up", 65: "down"}
"""The buttons that mean something; 32 is added while the mouse moves."""
_SIZE, _USUAL = ("COLUMNS", "LINES"), (80, 24)
"""The variables by which users set the size, and the size of a terminal that tells none."""
_NO_MOUSE = Mouse("other", -1, -1)
_ATTRIBUTES = {"bold": curses.A_BOLD, "reverse": curses.A_REVERSE, "underline": curses.A_UNDERLINE}

_BASIC = 16
"""Number of colours that each have a light variant, 8 further on.

PDCurses has no bold on Windows and takes the light variant instead, also of a colour that has
none: white, 231, becomes the grey 239.
"""


def _quit_is_a_key() -> None:
    """Make the key of SIGQUIT a key like others while a screen is shown."""
    if sys.platform == "win32":
        return
    import termios

    with contextlib.suppress(termios.error, OSError):
        modes = termios.tcgetattr(screen_descriptor())
        modes[6][termios.VQUIT] = bytes([os.fpathconf(0, "PC_VDISABLE") & 255])
        termios.tcsetattr(screen_descriptor(), termios.TCSANOW, modes)
        curses.def_prog_mode()


class Terminal:
    """The terminal as a context: taken at the start, restored at the end.

    Draws in a theme; without `colour` in bold and reverse only. Raises BadInputError if the
    terminal cannot place its cursor.
    """

    def __init__(self, theme: Theme, colour: bool = True, mouse: bool = False) -> None:
        self._theme, self._colour, self._mouse = theme, colour, mouse
        self._attributes: dict[str, int] = {}
        self._pairs: dict[tuple[int, int], int] = {}
        self._undo = contextlib.ExitStack()
        self._shown: Canvas | None = None
        self._resized = False

    def __enter__(self) -> Self:
        _check_terminal()
        os.environ.setdefault("ESCDELAY", "25")
        self._catch("SIGWINCH", self._note_size)  # or curses takes a size without bounds
        try:
            # ncurses ignores Ctrl-Z while it draws, unless that is caught before it starts.
            self._catch("SIGTSTP", self._suspend)
            with uninterrupted("SIGTSTP"):
                self._screen = self._undo.enter_context(apart(_initscr))
                self._set_up()
        except BaseException:
            curses.endwin()
            self._undo.close()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        try:
            # A terminal that is gone takes nothing back.
            with uninterrupted(), contextlib.suppress(curses.error):
                self._report(False)
                self._screen.keypad(False)
                curses.nocbreak()
                curses.echo()
                curses.endwin()
        finally:
            self._undo.close()

    def size(self) -> tuple[int, int]:
        height, width = self._screen.getmaxyx()
        return width, height

    def keys(self, seconds: float) -> Iterator[str | Mouse | Resized | Pasted]:
        """Yield what was pressed, or new sizes, after at most `seconds`; or raise HangupError."""
        while (key := self._key(max(0.0, seconds))) is not None:
            if key:  # no report without a meaning
                yield key
            seconds = 0

    def draw(self, canvas: Canvas) -> None:
        """Show a canvas; writes only the cells that changed."""
        changed = canvas.changed_rows(self._shown)
        self._shown = canvas
        for y in changed:
            for x, text, style in canvas.spans(y):
                # curses writes the cell in the lower right corner, then reports an error
                # because the cursor has nowhere to go.
                with contextlib.suppress(curses.error):
                    self._screen.addstr(y, x, text, self._attribute(style))
        self._screen.noutrefresh()
        curses.doupdate()

    def repaint(self) -> None:
        """Make the next `draw` write the whole screen."""
        self._screen.redrawwin()

    def _set_up(self) -> None:
        curses.noecho()
        curses.cbreak()
        if not PDCURSES:  # or Ctrl-C drops pending output, such as the end of a colour
            curses.noqiflush()
            _quit_is_a_key()
        self._screen.keypad(True)
        with contextlib.suppress(curses.error):  # some terminals cannot hide the cursor
            curses.curs_set(0)
        self._colours, self._own_colours = 0, False
        if self._colour and curses.has_colors():
            curses.start_color()
            self._colours = kind_of(curses.COLORS)
            # As PDCurses numbers them, blue comes before red.
            names = ("BLACK", "RED", "GREEN", "YELLOW", "BLUE", "MAGENTA", "CYAN", "WHITE")
            self._basic = [getattr(curses, f"COLOR_{name}") for name in names]
            with contextlib.suppress(curses.error):  # then `_pair` draws 7 on 0
                curses.use_default_colors()
                self._own_colours = True
        if background := self._attribute(NORMAL):
            self._screen.bkgd(" ", background)
        self._report(True)

    def _report(self, on: bool) -> None:
        """Ask the terminal to mark pasted text and report the mouse, or to stop, if it can."""
        if not PDCURSES:
            modes, end = _PASTE + _MOUSE * self._mouse, b"h" if on else b"l"
            with contextlib.suppress(OSError):
                os.write(screen_descriptor(), b"".join(each + end for each in modes))
        elif self._mouse and hasattr(curses, "mousemask"):
            both = curses.ALL_MOUSE_EVENTS | curses.REPORT_MOUSE_POSITION
            curses.mouseinterval(0)
            curses.mousemask(both if on else 0)

    def _catch(self, name: str, handler: Callable[[int, FrameType | None], None]) -> None:
        number = getattr(signal, name, None)
        # It is ignored by nohup, or if the program is restricted.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            self._undo.callback(signal.signal, number, signal.signal(number, handler))

    def _suspend(self, number: int, _frame: FrameType | None) -> None:
        """Restore the terminal and stop, on Ctrl-Z; take it again on `fg`."""
        if curses.isendwin():  # a second one, or the program ends; to go on takes the terminal
            return
        self._report(False)
        curses.endwin()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._suspend)
        self._resized = True  # while it was stopped, nobody told it
        self._screen.redrawwin()
        self._screen.refresh()
        self._report(True)

    def _note_size(self, _number: int, _frame: FrameType | None) -> None:
        self._resized = True

    def _key(self, seconds: float) -> str | Mouse | Resized | Pasted | None:
        if (key := self._awaited(self._pressed, seconds)) is None:
            return None
        if key == curses.KEY_RESIZE:
            curses.update_lines_cols()
            return Resized(*self.size())
        if key == getattr(curses, "KEY_MOUSE", None):
            if PDCURSES:
                return self._pdcurses_mouse()
            old = (curses.tigetstr("kmous") or b"").endswith(b"M")
            rest = _X10 if old else self._sequence(_SGR_BEGIN)
            return self._meaning(rest) if rest else _NO_MOUSE
        if (begun := INTRODUCERS.get(key)) is not None and (rest := self._sequence(begun)):
            return self._meaning(rest)
        return _NAMES.get(key) or (key if isinstance(key, str) else _unnamed(key))

    def _sequence(self, begun: str = "") -> str:
        """Return an escape sequence without its Esc, or "" and read nothing."""
        self._screen.timeout(_PIECE if begun else 0)
        read: list[int | str] = []
        text = begun
        while BEGUN.fullmatch(text) and (key := self._pressed()) is not None:
            self._screen.timeout(_PIECE)
            read.append(key)
            text += key if isinstance(key, str) else "\0"
        if SEQUENCE.fullmatch(text):
            return text
        for each in reversed(read):
            (curses.ungetch if isinstance(each, int) else curses.unget_wch)(each)
        return ""

    def _meaning(self, rest: str) -> str | Mouse | Pasted:
        """Return the key, paste or report of the mouse of an escape sequence without its Esc."""
        if rest == _X10:  # three characters follow, each a number above 32
            self._screen.timeout(0)
            codes = [ord(key) - 32 for _ in range(3) if isinstance(key := self._pressed(), str)]
        elif report := _SGR.fullmatch(rest):
            codes = [*map(int, report.groups()[:3])] if report[4] == "M" else []
        else:
            return meaning(rest, self._character)
        if len(codes) < 3:
            return _NO_MOUSE
        button, x, y = codes
        return Mouse(_BUTTONS.get(button, "other"), y - 1, x - 1)

    def _character(self, wait: float) -> str:
        """Return the next character, NUL for a key of curses; empty if none comes in time."""
        key = self._awaited(self._read, wait)
        return key if isinstance(key, str) else "\0" if key else ""

    def _awaited(self, read: Callable[[], int | str | None], seconds: float) -> int | str | None:
        """Return the next key from curses, None if none comes in time; signals only interrupt."""
        end = time.monotonic() + seconds
        self._screen.timeout(0 if PDCURSES else round(seconds * 1000))
        while (key := read()) is None and (left := end - time.monotonic()) > 0:
            self._screen.timeout(0 if PDCURSES else round(left * 1000))
            time.sleep(min(left, POLL_SECONDS) * PDCURSES)
        return key

    def _pdcurses_mouse(self) -> Mouse:
        with contextlib.suppress(curses.error):
            _, x, y, _, state = curses.getmouse()
            if not state:  # a move, which PDCurses reports only while a button is down
                return Mouse("drag", y, x)
            bits = {
                "press": curses.BUTTON1_PRESSED,
                "up": curses.BUTTON4_PRESSED,
                "down": getattr(curses, "BUTTON5_PRESSED", 1 << 21),
            }
            return Mouse(next((each for each in bits if state & bits[each]), "other"), y, x)
        return _NO_MOUSE

    def _pressed(self) -> int | str | None:
        """Return the next key from curses, such as that for a new size; None if there is none."""
        if self._resized:
            self._resized = False
            width, height = _terminal_size()
            curses.resizeterm(height, width)  # a new size becomes a key
        return self._read()

    def _read(self) -> int | str | None:
        try:
            key: int | str = self._screen.get_wch()
        except curses.error:
            if not PDCURSES and not os.isatty(sys.stdin.fileno()):
                raise HangupError from None
            return None
        return key

    def _attribute(self, style: str) -> int:
        if style not in self._attributes:
            foreground, background, names = self._theme[style][self._colours]
            attribute = self._pair(foreground, background)
            for name in names:
                if name != "bold" or foreground < _BASIC or curses.termattrs() & curses.A_BOLD:
                    attribute |= _ATTRIBUTES[name]
            self._attributes[style] = attribute
        return self._attributes[style]

    def _pair(self, foreground: int, background: int) -> int:
        if not self._colours or (foreground, background) == (OWN_COLOUR, OWN_COLOUR):
            return 0
        if not self._own_colours:
            foreground = 7 if foreground == OWN_COLOUR else foreground
            background = 0 if background == OWN_COLOUR else background
        if (foreground, background) not in self._pairs:
            number = len(self._pairs) + 1
            try:
                curses.init_pair(number, self._numbered(foreground), self._numbered(background))
            except (curses.error, ValueError):  # the terminal has fewer pairs than it said
                return 0
            self._pairs[foreground, background] = number
        return curses.color_pair(self._pairs[foreground, background])

    def _numbered(self, colour: int) -> int:
        """Return the number that curses has for a colour of xterm's palette."""
        return self._basic[colour & 7] | colour & 8 if 0 <= colour < _BASIC else colour


def _initscr() -> "curses.window":
    """Start curses with a bounded size."""
    if PDCURSES:
        return curses.initscr()
    size = dict(zip(_SIZE, map(str, _terminal_size()), strict=True))
    before = {name: os.environ.get(name) for name in _SIZE}
    os.environ.update(size)
    try:
        return curses.initscr()
    finally:
        for name, value in before.items():
            del os.environ[name]
            if value is not None:
                os.environ[name] = value


def _terminal_size() -> tuple[int, int]:
    """Return the terminal's width and height, or the user's COLUMNS and LINES, within bounds."""
    try:
        found = os.get_terminal_size(screen_descriptor())
    except OSError:
        found = os.terminal_size((0, 0))
    asked = (os.environ.get(name, "") for name in _SIZE)
    numbers = (int(text) if text.isdecimal() else 0 for text in asked)
    width, height = (a or b or c for a, b, c in zip(numbers, found, _USUAL, strict=True))
    return bounded(width, height)


def _unnamed(key: int) -> str:
    try:
        name = curses.keyname(key).decode("ascii", "replace")
    except ValueError:
        return f"key {key}"
    return _OF_CURSES.get(name, name)


def _check_terminal() -> None:
    if PDCURSES:  # a Windows console has no TERM
        return
    name = os.environ.get("TERM", "")
    try:
        curses.setupterm()
    except curses.error:
        raise BadInputError(
            f"TERM: terminal {name!r} is unknown; set TERM to a known one, such as xterm-256color"
        ) from None
    if not curses.tigetstr("cup"):
        raise BadInputError(
            f"TERM: terminal {name!r} cannot place its cursor; set TERM to one that can, such as"
            " xterm-256color, or print text with --once or --text"
        )
