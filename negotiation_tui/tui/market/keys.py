"""The key table of this screen: it drives dispatch, the help and the footer."""

from negotiation_tui.tui.keys import Key

KEYS = (
    Key(("q",), "quit", "q", "quit", "q quit"),
    Key(("?",), "help", "?", "this help, and away again", "? help", ("f1",)),
    Key(("space",), "run", "space", "run, and pause again", "space run/pause"),
    Key((".",), "offer", ".", "pause, and show one offer more of each pair", ". offer"),
    Key(("n",), "tick", "n", "pause, and show the tick to its end, or the next", "n tick"),
    Key(("c",), "stretch", "c", "pause, and trade on for a hundredth of the time", "c 1 %"),
    Key(("+",), "faster", "+", "faster: from one offer a second up to flat out", "+- pace", ("=",)),
    Key(("-",), "slower", "-", "slower", also=("_",)),
    Key((",",), "back", ",", "pause, and go one offer back, into the past", ", back"),
    Key(("[",), "earlier", "[", "go ten ticks back of those that were shown"),
    Key(("]",), "later", "]", "go ten forward, up to the present"),
    Key(("s",), "sort", "s", "sort the leaderboard by its next column", "s sort"),
    Key(
        ("f",),
        "filter",
        "f",
        "leaderboard: all, sellers, buyers, learners, static, teams",
        "f filter",
    ),
    Key(
        ("/",),
        "search",
        "/",
        "leaderboard: look for letters of a name, strategy or team",
        "/ search",
    ),
    Key(("tab",), "next_pane", "Tab", "choose the next pane", "Tab pane"),
    Key(("shift-tab",), "previous_pane", "Shift-Tab", "choose the pane before"),
    Key(tuple("1234567"), "pane", "1 … 7", "choose a pane by its number"),
    Key(("z",), "zoom", "z", "the chosen pane on the whole screen, and back", "z zoom"),
    Key(("up", "k"), "up", "↑ k", "the pair above, the agent before, or scroll", "arrows pair"),
    Key(("down", "j"), "down", "↓ j", "the pair below, the next agent, or scroll"),
    Key(("left", "h"), "left", "← h", "the pair to the left; Q-table: scroll"),
    Key(("right", "l"), "right", "→ l", "the pair to the right; Q-table: scroll"),
    Key(("pgup",), "page_up", "PgUp", "ten lines up"),
    Key(("pgdn",), "page_down", "PgDn", "ten lines down"),
    Key(("v",), "values", "v", "Q-tables: raw, or each row divided by its best", "v values"),
    Key(("w",), "save", "w", "save the market to a new file here, to go on later", "w save"),
    Key(("r",), "restart", "r", "open the same market anew", "r restart"),
    Key(("ctrl-l",), "repaint", "Ctrl-L", "repaint the screen"),
    Key(("esc",), "close", "Esc", "close the help, a search or a zoomed pane; tables follow"),
)

COMMANDS = {name: key.command for key in KEYS for name in (*key.keys, *key.also)}
