"""The key table of the market screen, for dispatch, help and footer."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit", "quit"),
        Key(("?",), "help", "this help, and away again", "help", ("f1",)),
        Key(("space",), "run", "run, and pause again", "run/pause"),
        Key((".",), "offer", "pause, and show one more offer of each pair", "offer"),
        Key(("n",), "tick", "pause, and show the rest of the tick, or the next tick", "tick"),
        Key(("c",), "stretch", "pause, and trade for another hundredth of the time", "1 %"),
        Key(
            ("+",),
            "faster",
            "faster: from one offer per second up to flat out",
            "{paces} pace",
            ("=",),
        ),
        Key(("-",), "slower", "slower", also=("_",)),
        Key((",",), "back", "pause, and go one offer back, into the past", "back"),
        Key(("[",), "earlier", "go back ten of the ticks that were shown"),
        Key(("]",), "later", "go forward ten ticks, up to the present"),
        Key(("s",), "sort", "sort the leaderboard by its next column", "sort"),
        Key(
            ("f",), "filter", "leaderboard: all, sellers, buyers, learners, static, teams", "filter"
        ),
        Key(("/",), "search", "leaderboard: search for a name, strategy or team", "search"),
        Key(("tab",), "next_pane", "choose the next pane", "pane"),
        Key(("shift-tab",), "previous_pane", "choose the previous pane"),
        Key(tuple("1234567"), "pane", "choose a pane by its number"),
        Key(("z",), "zoom", "the chosen pane on the whole screen, and back", "zoom"),
        Key(("up", "k"), "up", "the pair above, the previous agent, or scroll", "{arrows} pair"),
        Key(("down", "j"), "down", "the pair below, the next agent, or scroll"),
        Key(("left", "h"), "left", "the pair to the left; Q-table: scroll"),
        Key(("right", "l"), "right", "the pair to the right; Q-table: scroll"),
        Key(("pgup",), "page_up", "a page up"),
        Key(("pgdn",), "page_down", "a page down"),
        Key(("home",), "first", "the first seller, agent of the leaderboard, or row"),
        Key(("end",), "last", "the last seller, agent of the leaderboard, or row"),
        Key(("v",), "values", "Q-tables: raw, rows divided by their sum, or their best", "values"),
        Key(
            ("w",),
            "save",
            "save the market, for --resume, and the screen to new files here",
            "save",
        ),
        Key(("r",), "restart", "restart the same market", "restart"),
        Key(("ctrl-l",), "repaint", "repaint the screen"),
        Key(("esc",), "close", "close the help, a search or a zoomed pane; tables follow"),
    )
)
