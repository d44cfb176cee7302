"""The key table of the tournament screen, for dispatch, help and footer."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit; pairings not played yet are left out", "quit"),
        Key(("?",), "help", "this help, and away again", "help", ("f1",)),
        Key(("space",), "run", "play, and pause again", "run/pause"),
        Key(("v",), "measure", "the next value for the heat map", "value"),
        Key(("s",), "sort", "sort the leaderboard by its next column", "sort"),
        Key(("tab",), "next_pane", "choose the next pane", "pane"),
        Key(("shift-tab",), "previous_pane", "choose the previous pane"),
        Key(tuple("123"), "pane", "choose a pane by its number"),
        Key(("z",), "zoom", "the chosen pane on the whole screen, and back", "zoom"),
        Key(("up", "k"), "up", "the previous seller, or scroll up", "{arrows} pairing"),
        Key(("down", "j"), "down", "the next seller, or scroll down"),
        Key(("left", "h"), "left", "the previous buyer"),
        Key(("right", "l"), "right", "the next buyer"),
        Key(("pgup",), "page_up", "a page of sellers up"),
        Key(("pgdn",), "page_down", "a page of sellers down"),
        Key(("home",), "first", "the first seller, or line"),
        Key(("end",), "last", "the last seller, or line"),
        Key(("ctrl-l",), "repaint", "repaint the screen"),
        Key(("esc",), "close", "close the help, or show the other panes again"),
    )
)
