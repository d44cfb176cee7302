"""The key table of this screen: it drives dispatch, the help and the footer."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit", "quit"),
        Key(("?",), "help", "this help, and away again", "help", ("f1",)),
        Key(("space",), "run", "run, and pause again", "run/pause"),
        Key((".",), "offer", "pause, and show one offer more of each pair", "offer"),
        Key(("n",), "tick", "pause, and show the tick to its end, or the next", "tick"),
        Key(("c",), "stretch", "pause, and trade on for a hundredth of the time", "1 %"),
        Key(
            ("+",),
            "faster",
            "faster: from one offer a second up to flat out",
            "{paces} pace",
            ("=",),
        ),
        Key(("-",), "slower", "slower", also=("_",)),
        Key((",",), "back", "pause, and go one offer back, into the past", "back"),
        Key(("[",), "earlier", "go ten ticks back of those that were shown"),
        Key(("]",), "later", "go ten forward, up to the present"),
        Key(("s",), "sort", "sort the leaderboard by its next column", "sort"),
        Key(
            ("f",),
            "filter",
            "leaderboard: all, sellers, buyers, learners, static, teams",
            "filter",
        ),
        Key(
            ("/",),
            "search",
            "leaderboard: look for letters of a name, strategy or team",
            "search",
        ),
        Key(("tab",), "next_pane", "choose the next pane", "pane"),
        Key(("shift-tab",), "previous_pane", "choose the pane before"),
        Key(tuple("1234567"), "pane", "choose a pane by its number"),
        Key(("z",), "zoom", "the chosen pane on the whole screen, and back", "zoom"),
        Key(("up", "k"), "up", "the pair above, the agent before, or scroll", "{arrows} pair"),
        Key(("down", "j"), "down", "the pair below, the next agent, or scroll"),
        Key(("left", "h"), "left", "the pair to the left; Q-table: scroll"),
        Key(("right", "l"), "right", "the pair to the right; Q-table: scroll"),
        Key(("pgup",), "page_up", "a page up"),
        Key(("pgdn",), "page_down", "a page down"),
        Key(("home",), "first", "the first seller, agent of the leaderboard, or row"),
        Key(("end",), "last", "the last of them"),
        Key(("v",), "values", "Q-tables: raw, or each row divided by its best", "values"),
        Key(("w",), "save", "save the market to a new file here, to go on later", "save"),
        Key(("r",), "restart", "open the same market anew", "restart"),
        Key(("ctrl-l",), "repaint", "repaint the screen"),
        Key(("esc",), "close", "close the help, a search or a zoomed pane; tables follow"),
    )
)
