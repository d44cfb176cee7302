"""Escape sequences of a terminal: which are keys, which are text, and how far each is read."""

from collections.abc import Iterator

import pytest

from negotiation_tui.tui.toolkit.messages import Pasted
from negotiation_tui.tui.toolkit.sequences import SEQUENCE, meaning

KEYS = {
    "[113u": "q", "[113;129u": "q", "[113;2u": "Q", "[113:81;2u": "Q", "[113;65u": "Q",
    "[113;1:3u": "", "[113;3u": "Esc [113;3u", "[27u": "esc", "[13;2u": "enter", "[57414u": "enter",
    "[9;2u": "shift-tab", "[99;5u": "\x03", "[99;133u": "\x03", "[47:63;2u": "?", "[57441;2u": "",
    "[27;5;99~": "\x03", "[27;2;63~": "?", "[1;129A": "up", "[1;1:3A": "", "[1;5A": "Esc [1;5A",
    "[A": "up", "OA": "up", "OP": "f1", "[P": "f1", "[3~": "delete", "[Z": "shift-tab",
    "[I": "", "[O": "", "[?1;2c": "", "[>0;1;2c": "", "[24;80R": "Esc [24;80R",
    "[999999999u": "Esc [999999999u", "[55296u": "",
}  # fmt: skip


def read(text: str) -> tuple[str | Pasted, str]:
    """Return the meaning of what follows an Esc, and what is left to be read."""
    left: Iterator[str] = iter(text)
    begun = next(left)
    while not SEQUENCE.fullmatch(begun):
        begun += next(left)
    return meaning(begun, lambda _: next(left, "")), "".join(left)


@pytest.mark.parametrize("sequence", KEYS)
def test_a_sequence_is_one_key(sequence: str) -> None:
    assert read(f"{sequence}q") == (KEYS[sequence], "q")


@pytest.mark.parametrize("introducer", "]PX^_")
@pytest.mark.parametrize("end", ["\x1b\\", "\x07", "\x9c", "\x18"])
def test_a_text_is_read_to_its_end(introducer: str, end: str) -> None:
    for text in ("11;rgb:2a2a/2e2e", "é\tq\r\n", "r" * 100_000):
        assert read(f"{introducer}{text}{end}q") == ("", "q")
    assert read(f"{introducer}without an end") == ("", "")


def test_a_paste_is_text() -> None:
    assert read("[200~q\x1b[A\n q\x1b[201~q") == (Pasted("q[A q"), "q")
    pasted, left = read(f"[200~{'r' * 1_000_000}\x1b[201~q")
    assert isinstance(pasted, Pasted)
    assert (len(pasted.text) < 5000, left) == (True, "q")
