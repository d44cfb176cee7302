"""The key table of this screen: it drives dispatch, the help and the footer."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit; what is not played yet is left", "quit"),
        Key(("?",), "help", "this help, and away again", "help", ("f1",)),
        Key(("space",), "run", "play on, and pause again", "run/pause"),
        Key(("v",), "measure", "the next value for the heat map", "value"),
        Key(("s",), "sort", "sort the leaderboard by its next column", "sort"),
        Key(("tab",), "next_pane", "choose the next pane", "pane"),
        Key(("shift-tab",), "previous_pane", "choose the pane before"),
        Key(tuple("123"), "pane", "choose a pane by its number"),
        Key(("z",), "zoom", "the chosen pane on the whole screen, and back", "zoom"),
        Key(("up", "k"), "up", "the seller before, or scroll up", "{arrows} pairing"),
        Key(("down", "j"), "down", "the next seller, or scroll down"),
        Key(("left", "h"), "left", "the buyer before"),
        Key(("right", "l"), "right", "the next buyer"),
        Key(("pgup",), "page_up", "a page of sellers up"),
        Key(("pgdn",), "page_down", "a page of sellers down"),
        Key(("home",), "first", "the first seller, or line"),
        Key(("end",), "last", "the last seller, or line"),
        Key(("ctrl-l",), "repaint", "repaint the screen"),
        Key(("esc",), "close", "close the help, or give the other panes back"),
    )
)
