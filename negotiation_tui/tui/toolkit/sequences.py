"""The keys, pastes and reports that a terminal sends as escape sequences. Pure."""

import re
from collections.abc import Callable, Mapping

from negotiation_tui.tui.toolkit.keys import CHARACTERS, ESC
from negotiation_tui.tui.toolkit.messages import Pasted

SEQUENCE = re.compile(r"\[[0-?]*[ -/]*[@-~]|O[!-~]|[]PX^_][^\x1b]", re.DOTALL)
BEGUN = re.compile(r"(\[[0-?]*[ -/]*|[]OPX^_])?")
"""The rest of an escape sequence, and its beginning; of a text its introducer and one character."""
INTRODUCERS: Mapping[str | int, str] = {ESC: "", **{chr(ord(c) + 64): c for c in "[]OPX^_"}}
"""The beginning of the rest, by the character that stands for Esc, or for Esc and a letter."""
_LETTERS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_LETTERS |= {"P": "f1", "Q": "f2", "R": "f3", "S": "f4"}
_NUMBERS = {"1": "home", "2": "insert", "3": "delete", "4": "end", "5": "pgup", "6": "pgdn"}
_OF_SEQUENCE = {"[Z": "shift-tab", "[I": "", "[O": ""} | {  # the focus comes and goes
    **{f"{begin}{end}": key for begin in "[O" for end, key in _LETTERS.items()},
    **{f"[{number}~": key for number, key in _NUMBERS.items()},
}
"""Keys by the rest of their sequences, in both modes of a keypad: descriptions have one of them."""
_PAD: dict[int, str] = dict(enumerate([*"0123456789./*-+", "enter", *"=,"], 57399))
_PAD |= dict(enumerate(("left", "right", "up", "down", "pgup", "pgdn", "home", "end"), 57417))
_N = r"(\d{0,6})"
_KEY = re.compile(rf"\[{_N}(?::{_N}[\d:]*)?(?:;{_N}(?::(\d))?(?:;{_N}[\d:]*)?)?([A-Z~u])")
"""A key by its number: that with Shift, modifiers, event and text follow, as kitty writes them."""
_PASTE, _PASTE_END = "[200~", "\x1b[201~"
_TEXT_END = r"\x1b.|[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f\x9c]"  # ST, BEL, or what it may not contain
_MOST, _SILENCE = 4096, 1.0  # characters that are held; seconds after which a text is over


def meaning(rest: str, read: Callable[[float], str]) -> str | Pasted:
    """Return the key of a sequence without its Esc, or what was pasted; empty for a report.

    `read` returns the next character, empty if none comes within some seconds.
    """
    if rest == _PASTE or rest[0] in "]PX^_":
        end = re.compile(re.escape(_PASTE_END) if rest == _PASTE else _TEXT_END, re.DOTALL)
        text = last = rest.removeprefix(_PASTE)[1:]
        while not end.search(last) and (character := read(_SILENCE)):
            last = (last + character)[-len(_PASTE_END) :]
            text += character * (len(text) < _MOST)
        text = " ".join(text.removesuffix(_PASTE_END).split())
        return Pasted("".join(filter(str.isprintable, text))) if rest == _PASTE else ""
    if rest[:2] in {"[?", "[>", "[=", "[<"}:  # replies about modes, versions and others
        return ""
    key = _key(*found.groups("")) if (found := _KEY.fullmatch(rest)) else _OF_SEQUENCE.get(rest)
    return f"Esc {rest}" if key is None else key


def _key(n: str, shifted: str, modifiers: str, event: str, text: str, end: str) -> str | None:
    """Return the key with a number or a last letter, empty if it was released, None if unknown."""
    held = max(0, int(modifiers or 1) - 1)  # 1 Shift, 2 Alt, 4 Ctrl, more, 64 and 128 the locks
    if event == "3":
        return ""
    if end != "u" and (n, end) != ("27", "~"):  # xterm's form for any character
        return None if held & 63 else _OF_SEQUENCE.get(f"[{n if end == '~' else n.strip('1')}{end}")
    code = int(text or (held & 1 and shifted) or n or 0)
    if code in _PAD or 0xD800 <= code < 0xF900:  # others are keys such as Shift and Mute
        return _PAD.get(code, "")
    character = chr(code & 31 if held & 4 and 64 <= code < 127 else code)
    character = character.upper() if bool(held & 1) != bool(held & 64) else character
    name = CHARACTERS.get(character, character)
    return None if held & 58 else "shift-tab" if held & 1 and name == "tab" else name
