"""The key table of the two-agent screen, and the commands it refuses."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit", "quit", footer_when_playing="exit"),
        Key(
            ("?",), "help", "this help, and away again", "help", ("f1",), footer_when_playing="help"
        ),
        Key(("space",), "run", "run, and pause again", "run/pause"),
        Key((".",), "offer", "pause, and show one offer more", "offer"),
        Key(("n",), "negotiation", "pause, and show one negotiation to its end", "negotiation"),
        Key(("c",), "cycle", "pause, and train to the end of the cycle", "cycle"),
        Key(
            ("+",),
            "faster",
            "faster: from one offer a second up to flat out",
            "{paces} pace",
            ("=",),
        ),
        Key(("-",), "slower", "slower", also=("_",)),
        Key(("t",), "toggle", "both seats: static strategy or learned table", "static/learned"),
        Key(("s",), "seller", "next strategy for the seller", "{seller} {buyer} seats"),
        Key(("b",), "buyer", "next strategy for the buyer"),
        Key(("S",), "seller_menu", "choose the seller's strategy from a list"),
        Key(("B",), "buyer_menu", "choose the buyer's strategy from a list"),
        Key(
            ("enter",),
            "take",
            "take what is marked in a list; at the table: offer",
            footer_when_playing="offer",
        ),
        Key(("e",), "test", "test both seats over 1000 negotiations", "test"),
        Key((",",), "back", "pause, and go one offer back, into the past", "back"),
        Key(("[",), "earlier", "go back to the cycle before"),
        Key(("]",), "later", "go forward a cycle, up to the present"),
        Key(("f",), "what_if", "what if: take another action here, and see what follows"),
        Key(
            ("p",),
            "sit",
            "play yourself: as the buyer, as the seller, or leave",
            "play",
            footer_when_playing="seat/leave",
        ),
        Key(("a",), "accept", "at the table: accept the price", footer_when_playing="accept"),
        Key(("x",), "reject", "at the table: quit without a deal", footer_when_playing="quit"),
        Key(("z",), "zoom", "the chosen pane on the whole screen, and back", "zoom"),
        Key(("tab",), "next_pane", "choose the next pane", "pane"),
        Key(("shift-tab",), "previous_pane", "choose the pane before"),
        Key(tuple("123456789"), "pane", "choose a pane by its number"),
        Key(("v",), "values", "Q-tables: raw, or each row divided by its best", "values"),
        Key(
            ("i",),
            "advice",
            "advice for the next move: equilibrium, best response",
            "advice",
            footer_when_playing="advice",
        ),
        Key(("o",), "opener", "who opens: seller, buyer or in turns", "opener"),
        Key(("up", "k"), "up", "scroll up; at the table: a far higher price"),
        Key(("down", "j"), "down", "scroll down; at the table: a far lower price"),
        Key(
            ("left", "h"),
            "left",
            "scroll left; at the table: a lower price",
            footer_when_playing="{left}{right} price",
        ),
        Key(("right", "l"), "right", "scroll right; at the table: a higher price"),
        Key(("pgup",), "page_up", "scroll up a page"),
        Key(("pgdn",), "page_down", "scroll down a page"),
        Key(("home",), "first", "scroll to the first row"),
        Key(("end",), "last", "scroll to the last row"),
        Key(("w",), "save", "save Q-tables and transcripts to new files here", "save"),
        Key(("r",), "restart", "start the training anew from the same seed", "restart"),
        Key(("ctrl-l",), "repaint", "repaint the screen"),
        Key(("esc",), "close", "close what lies on top; Q-tables follow the play again"),
    )
)


_NOBODY = "nobody can sit down: {what_if} asks what if"


REFUSED = {
    **dict.fromkeys(("seller", "buyer", "seller_menu", "buyer_menu"), "its seats are taken"),
    "toggle": "its seats are taken",
    "opener": "who opened is written down",
    "test": "nothing to test: {what_if} asks what if",
    **dict.fromkeys(("sit", "accept", "reject"), _NOBODY),
    "save": "nothing to save: it is a file already",
}
"""Commands that a recording refuses, and why; in braces the key of another command."""
