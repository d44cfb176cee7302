"""The key table of the two-agent screen, and the commands it refuses."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit", "quit", footer_when_playing="exit", group="Watch"),
        Key(
            ("?",),
            "help",
            "open or close this help",
            "help",
            ("f1",),
            footer_when_playing="help",
            group="Watch",
        ),
        Key(("space",), "run", "run or pause", "run/pause", group="Watch"),
        Key((".",), "offer", "pause and show the next offer", "offer", group="Step"),
        Key(
            ("n",),
            "negotiation",
            "pause and show the negotiation to its end",
            "negotiation",
            group="Step",
        ),
        Key(("c",), "cycle", "pause and train to the end of the cycle", "cycle", group="Step"),
        Key(("m",), "more", "train 50 cycles more, also after the last", group="Step"),
        Key(
            ("+",),
            "faster",
            "faster, from one offer per second up to flat out",
            "{paces} pace",
            ("=",),
            group="Watch",
        ),
        Key(("-",), "slower", "slower", also=("_",), group="Watch"),
        Key(
            ("D",), "story", "let the story go on: slow where something new happens", group="Watch"
        ),
        Key(
            ("t",),
            "toggle",
            "both seats: static strategy or learned table",
            "static/learned",
            group="Seats",
        ),
        Key(
            ("s",),
            "seller",
            "next strategy for the seller",
            "{seller} {buyer} seats",
            group="Seats",
        ),
        Key(("b",), "buyer", "next strategy for the buyer", group="Seats"),
        Key(("S",), "seller_menu", "choose the seller's strategy from a list", group="Seats"),
        Key(("B",), "buyer_menu", "choose the buyer's strategy from a list", group="Seats"),
        Key(
            ("enter",),
            "take",
            "a list: choose the marked line; a plan: why this number; while you play: offer",
            footer_when_playing="offer",
            group="Play",
        ),
        Key(("e",), "test", "test both seats over 1000 negotiations", "test", group="Seats"),
        Key((",",), "back", "pause and go one offer back, into the past", "back", group="Time"),
        Key(("[",), "earlier", "pause and go back one cycle, also flat out", group="Time"),
        Key(("]",), "later", "go forward one cycle, up to the present", group="Time"),
        Key(("g",), "go", "go to a cycle: type its number, then Enter", group="Time"),
        Key(
            ("f",),
            "what_if",
            "what if: choose another action here and see what follows",
            group="Time",
        ),
        Key(
            ("p",),
            "sit",
            "play yourself: as the buyer, then as the seller, then leave",
            "play",
            footer_when_playing="seat/leave",
            group="Play",
        ),
        Key(
            ("a",),
            "accept",
            "while you play: accept the price",
            footer_when_playing="accept",
            group="Play",
        ),
        Key(
            ("x",),
            "reject",
            "while you play: walk away without a deal",
            footer_when_playing="no deal",
            group="Play",
        ),
        Key(
            ("P",),
            "peek",
            "while you play: show or hide both plans",
            footer_when_playing="peek",
            group="Play",
        ),
        Key(
            ("z",),
            "zoom",
            "show the chosen pane on the whole screen, or all panes",
            "zoom",
            group="View",
        ),
        Key(("tab",), "next_pane", "choose the next pane", "pane", group="View"),
        Key(("shift-tab",), "previous_pane", "choose the previous pane", group="View"),
        Key(
            tuple("123456789"),
            "pane",
            "choose a pane by its number; at your turn: type a price",
            group="View",
        ),
        Key(
            ("v",),
            "values",
            "plans, or their numbers: raw, by sum of row, by best",
            "numbers",
            group="View",
        ),
        Key(("u",), "other_opener", "plans of opener and responder, or as in play", group="View"),
        Key(
            ("L",), "limits", "show both hidden limits, or only at the end", "limits", group="View"
        ),
        Key(("d",), "other_limit", "the plan at another hidden limit, or as in play", group="View"),
        Key(
            ("i",),
            "advice",
            "advice for the next move, as a sentence, with its reasons",
            "advice",
            footer_when_playing="advice",
            group="Play",
        ),
        Key(("o",), "opener", "who opens: seller, buyer or in turns", "opener", group="Seats"),
        Key(("up", "k"), "up", "scroll up; while you play: a much higher price", group="View"),
        Key(("down", "j"), "down", "scroll down; while you play: a much lower price", group="View"),
        Key(
            ("left", "h"),
            "left",
            "scroll left; while you play: a lower price",
            footer_when_playing="{left}{right} price",
            group="View",
        ),
        Key(("right", "l"), "right", "scroll right; while you play: a higher price", group="View"),
        Key(("pgup",), "page_up", "scroll up a page", group="View"),
        Key(("pgdn",), "page_down", "scroll down a page", group="View"),
        Key(("home",), "first", "go to the beginning; a zoomed Q-table: its top", group="Time"),
        Key(("end",), "last", "go to the present; a zoomed Q-table: its end", group="Time"),
        Key(
            ("w",),
            "save",
            "save Q-tables, transcripts and the screen to new files here",
            "save",
            group="Files",
        ),
        Key(("T",), "tour", "the tour: eight lessons, then back here", group="Watch"),
        Key(("r",), "restart", "restart the training from the same seed", "restart", group="Time"),
        Key(("ctrl-l",), "repaint", "repaint the screen", group="View"),
        Key(
            ("esc",), "close", "close the box on top; let plans follow the play again", group="View"
        ),
    )
)

_NO_PERSON = "nobody can play in it, {what_if} asks what if"
REFUSED = {
    **dict.fromkeys(
        ("seller", "buyer", "seller_menu", "buyer_menu", "toggle"), "its strategies are fixed"
    ),
    "story": "its story is fixed",
    "opener": "its openers are fixed",
    "test": "there is nothing to test, {what_if} asks what if",
    **dict.fromkeys(("sit", "accept", "reject", "peek"), _NO_PERSON),
    "more": "it cannot go on",
}
"""Commands that a recording refuses, and why; another command in braces stands for its key."""
