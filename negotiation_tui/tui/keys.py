"""The key table: it drives dispatch, the help screen, the footer and the README."""

from typing import NamedTuple


class Key(NamedTuple):
    """Keys that do one thing."""

    keys: tuple[str, ...]
    """As the terminal names them."""
    command: str
    """What `model` calls it."""
    shown: str
    """How the key is written for people."""
    help: str
    hint: str = ""
    """Keys and word in the footer, most needed first; without one it is not there."""
    also: tuple[str, ...] = ()
    """Other keys for the same, not written out."""
    at_table: str = ""
    """Key and word in the footer while a person is at the table."""


KEYS = (
    Key(("q",), "quit", "q", "quit", "q quit", at_table="q exit"),
    Key(("?",), "help", "?", "this help, and away again", "? help", ("f1",), "? help"),
    Key(("space",), "run", "space", "run, and pause again", "space run/pause"),
    Key((".",), "offer", ".", "pause, and show one offer more", ". offer"),
    Key(("n",), "negotiation", "n", "pause, and show one negotiation to its end", "n negotiation"),
    Key(("c",), "cycle", "c", "pause, and train to the end of the cycle", "c cycle"),
    Key(("+",), "faster", "+", "faster: from one offer a second up to flat out", "+- pace", ("=",)),
    Key(("-",), "slower", "-", "slower", also=("_",)),
    Key(("t",), "toggle", "t", "both seats: static strategy or learned table", "t static/learned"),
    Key(("s",), "seller", "s", "next strategy for the seller", "s b seats"),
    Key(("b",), "buyer", "b", "next strategy for the buyer"),
    Key(("S",), "seller_menu", "S", "choose the seller's strategy from a list"),
    Key(("B",), "buyer_menu", "B", "choose the buyer's strategy from a list"),
    Key(
        ("enter",),
        "take",
        "Enter",
        "take what is marked in a list; at the table: offer",
        at_table="Enter offer",
    ),
    Key(("e",), "test", "e", "test both seats over 1000 negotiations", "e test"),
    Key((",",), "back", ",", "pause, and go one offer back, into the past", ", back"),
    Key(("[",), "earlier", "[", "go back to the cycle before"),
    Key(("]",), "later", "]", "go forward a cycle, up to the present"),
    Key(("f",), "what_if", "f", "what if: take another action here, and see what follows"),
    Key(
        ("p",),
        "sit",
        "p",
        "play yourself: as the buyer, as the seller, or leave",
        "p play",
        at_table="p seat/leave",
    ),
    Key(("a",), "accept", "a", "at the table: accept the price", at_table="a accept"),
    Key(("x",), "reject", "x", "at the table: quit without a deal", at_table="x quit"),
    Key(("z",), "zoom", "z", "the chosen pane on the whole screen, and back", "z zoom"),
    Key(("tab",), "next_pane", "Tab", "choose the next pane", "Tab pane"),
    Key(("shift-tab",), "previous_pane", "Shift-Tab", "choose the pane before"),
    Key(tuple("123456789"), "pane", "1 … 9", "choose a pane by its number"),
    Key(("v",), "values", "v", "Q-tables: raw, or each row divided by its best", "v values"),
    Key(
        ("i",),
        "advice",
        "i",
        "advice for the next move: equilibrium, best response",
        "i advice",
        at_table="i advice",
    ),
    Key(("o",), "opener", "o", "who opens: seller, buyer or in turns", "o opener"),
    Key(("up", "k"), "up", "↑ k", "scroll up; at the table: a far higher price"),
    Key(("down", "j"), "down", "↓ j", "scroll down; at the table: a far lower price"),
    Key(
        ("left", "h"),
        "left",
        "← h",
        "scroll left; at the table: a lower price",
        at_table="←→ price",
    ),
    Key(("right", "l"), "right", "→ l", "scroll right; at the table: a higher price"),
    Key(("pgup",), "page_up", "PgUp", "scroll up a page"),
    Key(("pgdn",), "page_down", "PgDn", "scroll down a page"),
    Key(("w",), "save", "w", "save Q-tables and transcripts to new files here", "w save"),
    Key(("r",), "restart", "r", "start the training anew from the same seed", "r restart"),
    Key(("ctrl-l",), "repaint", "Ctrl-L", "repaint the screen"),
    Key(("esc",), "close", "Esc", "close what lies on top; Q-tables follow the play again"),
)

COMMANDS = {name: key.command for key in KEYS for name in (*key.keys, *key.also)}


def no_such_key(key: str) -> str:
    """What to say to a key that does nothing."""
    return f"no such key: {_readable(key)}  ·  ? shows all keys"


def _readable(key: str) -> str:
    """A key that the terminal has no name for, so that one can read it."""
    if len(key) == 1 and "\x00" < key < "\x1b":
        return f"Ctrl-{chr(ord(key) + 64)}"
    return key if key.isprintable() else ascii(key)


_NOBODY = "nobody can sit down: f asks what if"
REFUSED = {
    **dict.fromkeys(("seller", "buyer", "seller_menu", "buyer_menu"), "its seats are taken"),
    "toggle": "its seats are taken",
    "opener": "who opened is written down",
    "test": "nothing to test: f asks what if",
    **dict.fromkeys(("sit", "accept", "reject"), _NOBODY),
    "save": "nothing to save: it is a file already",
}
"""Commands that a recording refuses, and why."""
