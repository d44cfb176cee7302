"""A terminal in words: a line of text per event in place of frames, for those who hear the screen.

It tells the difference of two frames: the texts that their parts gave to `Canvas.tell`, by topic.

event    said when it is new: an offer, a deal, a caption
message  likewise, and again for each key
box      a box on top, said when it opens and when its lines change
title    said when it is new after a key, or after a while of silence, as one line
state    likewise, line by line
pane     the chosen pane, said when a key changes it and brings nothing else
score    said at first and on request, as the keys
"""

import codecs
import contextlib
import os
import re
import select
import signal
import sys
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.tui.toolkit.canvas import Canvas, as_ascii
from negotiation_tui.tui.toolkit.keys import CHARACTERS, ESC, written
from negotiation_tui.tui.toolkit.messages import HangupError, Pasted
from negotiation_tui.tui.toolkit.sequences import BEGUN, INTRODUCERS, SEQUENCE, meaning

_TOPICS = "message", "event", "box", "title", "state", "pane", "score", "keys"
SIZE = 160, 60
"""The frame that is heard: one column of keys and values per pane, and sentences on one line."""
_QUIET = 10.0  # seconds of silence after which a state is said that has changed
_PATIENCE = 0.7  # seconds after which a key without an answer has none
_ESCAPE, _POLL = 0.025, 0.05
_MARK = "▸"
_WORDS = {"←→": "Left or Right", "↑↓": "Up or Down", "✓": "tick", "✗": "cross", "…": "..."}
_WORDS |= {"←": "Left", "→": "Right", "↑": "Up", "↓": "Down", "−": "-"}
_WORDS |= {"‖ paused": "paused", "‖": "paused,", "▶": "running,", "▲": "triangle"}
_ALONE = re.compile(r"(?<!\S)[].,?\"[<>](?= )")
_MARKED = re.compile(rf"{_MARK}\s*")
_SIDES = str.maketrans("▶‖", "  ")  # in a title these are states
_SIGNS = {"/": "slash", "-": "minus", ".": "full stop"}
_WORD = re.compile("|".join(_WORDS))
_DRAWN = re.compile(r"[\u2500-\u25b7\u25b9-\u25ff\u2800-\u28ff]|·{2,}|_(?=\s|$)")
_PARTS = re.compile(r",?\s{2,}·?\s*|(?<![,:;]) · | (?=!\S)")
_CELL, _CHOSEN = re.compile(r"(?<=\s\s)·(?=\s|$)"), re.compile(r"\[([^][]*)\]")
_WINDOWS = {"H": "[A", "P": "[B", "K": "[D", "M": "[C", "G": "[H", "O": "[F", "\x0f": "[Z"}
_WINDOWS |= {"I": "[5~", "Q": "[6~", "R": "[2~", "S": "[3~", ";": "OP"}
"""The rest of the escape sequence of a key, by the character that a console of Windows has."""


class Speaker:
    """Standard output and input as a context, in place of a `Terminal`; each key has its answer."""

    def __init__(self, ascii_only: bool) -> None:
        self._ascii = ascii_only
        self._out, self._undo = sys.stdout, contextlib.ExitStack()
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._typed, self._ended = "", False
        self._before: dict[str, list[str]] = {topic: [] for topic in _TOPICS}
        self._stated: Sequence[str] = ()  # the states that were said last
        self._first = self._again = True
        self._waits = False  # true while the session works on a command
        self._asked = ""  # the last key, until it is answered
        self._said = self._pressed = time.monotonic()

    def __enter__(self) -> Self:
        if sys.platform == "win32":
            if not os.isatty(0):
                raise BadInputError("--speak: on Windows keys come from a console, not from a pipe")
        elif os.isatty(0):
            import termios
            import tty

            self._undo.enter_context(contextlib.suppress(termios.error))  # it may be gone
            self._undo.callback(termios.tcsetattr, 0, termios.TCSADRAIN, termios.tcgetattr(0))
            if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
                before = signal.signal(signal.SIGTSTP, self._suspend)
                self._undo.callback(signal.signal, signal.SIGTSTP, before)
            tty.setcbreak(0, termios.TCSADRAIN)
        return self

    def __exit__(self, *error: object) -> None:
        with uninterrupted():
            self._undo.close()

    def _suspend(self, *_signal: object) -> None:
        """Restore the terminal and stop, on Ctrl-Z; take it again on `fg`."""
        if sys.platform != "win32":
            self.__exit__()
            os.kill(os.getpid(), signal.SIGTSTP)
            self.__enter__()

    def size(self) -> tuple[int, int]:
        return SIZE

    def repaint(self) -> None:
        """Say in the next `draw` where everything is."""
        self._again = True

    def keys(self, seconds: float) -> Iterator[str | Pasted]:
        """Yield the next key, after at most `seconds`; raise HangupError after the last one."""
        now = time.monotonic()
        due = self._pressed + _PATIENCE if self._asked else self._said + _QUIET
        if key := self._key(max(0.0, min(seconds, due - now) if due > now else seconds)):
            self._asked, self._pressed = key if isinstance(key, str) else "paste", time.monotonic()
            self._before["message"] = []
            yield key
        elif self._asked and now >= due and not self._waits:
            again = _whole(self._before["pane"]) if self._asked.isdigit() else []
            self._say(again or [f"{plain(written(self._asked))}: nothing new"])
        elif now >= due and not self._asked:
            self._say_states()
        elif self._ended and not self._asked:
            raise HangupError

    def draw(self, canvas: Canvas) -> None:
        """Say what the frame tells, as far as it is new."""
        again, key = self._again, self._asked
        old = {topic: list[str]() for topic in _TOPICS} if again else self._before
        topics, events = _lines(canvas, old["event"])
        self._waits = not topics["pane"] and not topics["box"]
        if topics["box"] or not topics["pane"]:  # a box covers a part of the pane
            topics["pane"] = self._before["pane"]
        new = {topic: _beyond(old[topic], lines) for topic, lines in topics.items()}
        events, states = [*new["message"], *events], list[str]()
        if key or again:
            states = _beyond(events, [", ".join(new["title"]), *new["state"]])
            self._stated = *topics["title"], *topics["state"]
        box = _whole(topics["box"]) or [f"closed: {each}" for each in old["box"][:1]]
        if len(topics["box"]) == len(old["box"]):
            box = _changed(old["box"], topics["box"])
        pane = list[str]()
        if (key and topics["pane"][:1] != old["pane"][:1]) or (again and not self._first):
            pane = _whole(topics["pane"])
        elif key and not any((*events, *states, *box)):
            pane = _changed(old["pane"], topics["pane"])
        self._before, self._first, self._again = topics, False, False
        if again:
            keys = "; ".join(each.replace(", ", " ", 1) for each in new["keys"])
            rest = [*new["score"], f"keys: {keys}" * bool(keys)]
            self._say([*states, *box, *pane, *rest, *_beyond(rest, events)])
        else:
            self._say([*events, *states, *box, *pane])
        if time.monotonic() - self._said > _QUIET:
            self._say_states()

    def _say_states(self) -> None:
        """Say the states that are not known yet."""
        states = [*self._before["title"], *self._before["state"]]
        self._say(_beyond(self._stated, states))
        self._stated = states

    def _say(self, lines: Iterable[str]) -> None:
        for line in filter(None, lines):
            text = line.replace(_MARK, "")
            self._out.write(f"{as_ascii(text) if self._ascii else text}\n")
            self._said, self._asked = time.monotonic(), ""
        self._out.flush()

    def _key(self, wait: float) -> str | Pasted:
        """Return the next key, or what was pasted; empty if none comes in `wait` seconds."""
        text = self._typed or self._read(wait)
        text = ESC + INTRODUCERS[text] if text in INTRODUCERS else text
        while text[:1] == ESC and BEGUN.fullmatch(text[1:]) and (more := self._read(_ESCAPE)):
            text += more
        sequence, self._typed = SEQUENCE.fullmatch(text[1:]), text[1:]
        if text[:1] == ESC and sequence:
            self._typed = ""
            return meaning(sequence[0], self._read)
        return CHARACTERS.get(text[:1], text[:1])

    def _read(self, wait: float) -> str:
        """Return the next character typed; on Windows a special key as a terminal sends it."""
        end, text = time.monotonic() + wait, ""
        if sys.platform == "win32":
            import msvcrt

            while not msvcrt.kbhit() and time.monotonic() < end:
                time.sleep(_POLL)
            text = msvcrt.getwch() if msvcrt.kbhit() else ""
            return ESC + _WINDOWS.get(msvcrt.getwch(), "[~") if text in {"\0", "\xe0"} else text
        while not (text or self._ended) and select.select([0], [], [], wait)[0]:
            try:
                byte = os.read(0, 1)
            except OSError:  # the terminal is gone
                byte = b""
            self._ended, text = not byte, self._decode(byte)
        if self._ended:
            time.sleep(min(wait, _POLL))
        return text


def _lines(canvas: Canvas, old: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return what a frame tells by topic, and the events that are new: the first, and so all."""
    topics, new = {topic: list[str]() for topic in _TOPICS}, list[str]()
    for topic, texts in canvas.texts:
        if topic == "field":
            continue
        lines = list[str]()
        for text in texts:
            lines += _rows(text) if isinstance(text, Canvas) else [plain(text)]
        topics[topic] += lines
        if topic == "event":
            new += lines if _beyond(old, lines[:1]) else _beyond(old, lines)
    return topics, new


def plain(text: str) -> str:
    """Return a text without what is only drawn; parts that stand apart are joined by commas."""
    text = _DRAWN.sub("  ", _WORD.sub(lambda found: _WORDS[found[0]], text))
    text = _ALONE.sub(lambda found: _named(found[0]), text)
    marked, text = text.strip().startswith(_MARK), text.strip().removeprefix(_MARK)
    parts = (part.strip(" ·") for part in _PARTS.split(_MARKED.sub("  marked ", text)))
    return _MARK * marked + ", ".join(map(_named, filter(None, parts)))


def _named(part: str) -> str:
    """Return the name of a sign that stands alone, such as a key; any other text as it is."""
    alone = len(part) == 1 and part.isascii() and not part.isalnum()
    return _SIGNS.get(part, unicodedata.name(part, part).lower()) if alone else part


def _rows(canvas: Canvas) -> list[str]:
    """Return the rows of a canvas that have words, and empty ones for all between."""
    lines = (canvas.line(y).translate(_SIDES) for y in range(canvas.height))
    lines = (_CHOSEN.sub(rf"{_MARK}\1  ", line, 1) if line[:1] == "[" else line for line in lines)
    rows = [plain(_CELL.sub("dot", _CHOSEN.sub(r"  \1  ", line))) for line in lines]
    worded = (row if any(map(str.isalpha, row)) else "" for row in rows)
    return [row for row, _ in groupby(worded)]


def _beyond(old: Iterable[str], lines: Iterable[str]) -> list[str]:
    """Return the lines that have a part which no old line has together with all others."""
    sets = [{*line.split(", ")} for line in old]
    return [line for line in lines if not any({*line.split(", ")} <= parts for parts in sets)]


def _whole(lines: list[str]) -> list[str]:
    return [*filter(None, lines), *(f"marked: {each}" for each in lines if each[:1] == _MARK)]


def _changed(old: list[str], lines: list[str]) -> list[str]:
    """Return the paragraphs that changed; of one in which only the mark moved, the marked line."""
    unchanged, says = {line.lstrip(_MARK) for line in old}, list[str]()
    for worded, part in groupby(lines, bool):
        paragraph = list(part) if worded else []
        if not {line.lstrip(_MARK) for line in paragraph} <= unchanged:
            says += paragraph
        else:
            says += [line for line in paragraph if line[:1] == _MARK and line not in old]
    return says
