"""The key table of the two-agent screen, and the commands it refuses."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit", "quit", footer_when_playing="exit"),
        Key(("?",), "help", "open or close this help", "help", ("f1",), footer_when_playing="help"),
        Key(("space",), "run", "run or pause", "run/pause"),
        Key((".",), "offer", "pause and show the next offer", "offer"),
        Key(("n",), "negotiation", "pause and show the negotiation to its end", "negotiation"),
        Key(("c",), "cycle", "pause and train to the end of the cycle", "cycle"),
        Key(("m",), "more", "train 50 cycles more, also after the last"),
        Key(
            ("+",),
            "faster",
            "faster, from one offer per second up to flat out",
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
            "choose the marked line of a list; while you play: offer",
            footer_when_playing="offer",
        ),
        Key(("e",), "test", "test both seats over 1000 negotiations", "test"),
        Key((",",), "back", "pause and go one offer back, into the past", "back"),
        Key(("[",), "earlier", "pause and go back one cycle, also while flat out"),
        Key(("]",), "later", "go forward one cycle, up to the present"),
        Key(("g",), "go", "go to a cycle: type its number, then Enter"),
        Key(("f",), "what_if", "what if: choose another action here and see what follows"),
        Key(
            ("p",),
            "sit",
            "play yourself: as the buyer, then as the seller, then leave",
            "play",
            footer_when_playing="seat/leave",
        ),
        Key(("a",), "accept", "while you play: accept the price", footer_when_playing="accept"),
        Key(("x",), "reject", "while you play: quit without a deal", footer_when_playing="quit"),
        Key(("z",), "zoom", "show the chosen pane on the whole screen, or all panes", "zoom"),
        Key(("tab",), "next_pane", "choose the next pane", "pane"),
        Key(("shift-tab",), "previous_pane", "choose the previous pane"),
        Key(tuple("123456789"), "pane", "choose a pane by its number"),
        Key(("v",), "values", "plans, or their numbers: raw, by sum of row, by best", "numbers"),
        Key(("u",), "other_opener", "plans of opener and responder, or as in play"),
        Key(
            ("i",),
            "advice",
            "advice for the next move: equilibrium, best response, Q-table",
            "advice",
            footer_when_playing="advice",
        ),
        Key(("o",), "opener", "who opens: seller, buyer or in turns", "opener"),
        Key(("up", "k"), "up", "scroll up; while you play: a much higher price"),
        Key(("down", "j"), "down", "scroll down; while you play: a much lower price"),
        Key(
            ("left", "h"),
            "left",
            "scroll left; while you play: a lower price",
            footer_when_playing="{left}{right} price",
        ),
        Key(("right", "l"), "right", "scroll right; while you play: a higher price"),
        Key(("pgup",), "page_up", "scroll up a page"),
        Key(("pgdn",), "page_down", "scroll down a page"),
        Key(("home",), "first", "go to the beginning; in a zoomed Q-table or a box: its top"),
        Key(("end",), "last", "go to the present; in a zoomed Q-table or a box: its end"),
        Key(("w",), "save", "save Q-tables, transcripts and the screen to new files here", "save"),
        Key(("r",), "restart", "restart the training from the same seed", "restart"),
        Key(("ctrl-l",), "repaint", "repaint the screen"),
        Key(("esc",), "close", "close the box on top; let Q-tables follow the play again"),
    )
)

_NO_PERSON = "nobody can play in it, {what_if} asks what if"
REFUSED = {
    **dict.fromkeys(
        ("seller", "buyer", "seller_menu", "buyer_menu", "toggle"), "its strategies are fixed"
    ),
    "opener": "its openers are fixed",
    "test": "there is nothing to test, {what_if} asks what if",
    **dict.fromkeys(("sit", "accept", "reject"), _NO_PERSON),
    "save": "it is a file already",
    "more": "it cannot go on",
}
"""Commands that a recording refuses, and why; another command in braces stands for its key."""
