"""The key table of this screen: it drives dispatch, the help and the footer."""

from negotiation_tui.tui.keys import Key

KEYS = (
    Key(("q",), "quit", "q", "quit; what is not played yet is left", "q quit"),
    Key(("?",), "help", "?", "this help, and away again", "? help", ("f1",)),
    Key(("space",), "run", "space", "play on, and pause again", "space run/pause"),
    Key(("v",), "measure", "v", "the next value for the heat map", "v value"),
    Key(("s",), "sort", "s", "sort the leaderboard by its next column", "s sort"),
    Key(("tab",), "next_pane", "Tab", "choose the next pane", "Tab pane"),
    Key(("shift-tab",), "previous_pane", "Shift-Tab", "choose the pane before"),
    Key(tuple("123"), "pane", "1 … 3", "choose a pane by its number"),
    Key(("z",), "zoom", "z", "the chosen pane on the whole screen, and back", "z zoom"),
    Key(("up", "k"), "up", "↑ k", "the seller before, or scroll up", "arrows pairing"),
    Key(("down", "j"), "down", "↓ j", "the next seller, or scroll down"),
    Key(("left", "h"), "left", "← h", "the buyer before"),
    Key(("right", "l"), "right", "→ l", "the next buyer"),
    Key(("pgup",), "page_up", "PgUp", "ten sellers up"),
    Key(("pgdn",), "page_down", "PgDn", "ten sellers down"),
    Key(("ctrl-l",), "repaint", "Ctrl-L", "repaint the screen"),
    Key(("esc",), "close", "Esc", "close the help, or give the other panes back"),
)

COMMANDS = {name: key.command for key in KEYS for name in (*key.keys, *key.also)}
