"""The key table of the screen of a contest, for dispatch, help and footer."""

from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit; what is not played yet is left out", "quit", group="Watch"),
        Key(("?",), "help", "this help, and away again", "help", ("f1",), group="Watch"),
        Key(("space",), "run", "play, and pause again", "run/pause", group="Watch"),
        Key(
            ("enter",),
            "take",
            "watch the chosen pair live; Esc leads back",
            "{take} live",
            group="Watch",
        ),
        Key(("v",), "values", "the next value for the heat map", "value", group="View"),
        Key((">",), "sort", "sort the leaderboard by its next column", "sort", group="View"),
        Key(("tab",), "next_pane", "choose the next pane", "pane", group="View"),
        Key(("shift-tab",), "previous_pane", "choose the previous pane", group="View"),
        Key(tuple("123"), "pane", "choose a pane by its number", group="View"),
        Key(("z",), "zoom", "the chosen pane on the whole screen, and back", "zoom", group="View"),
        Key(("up", "k"), "up", "the previous row, or scroll up", "{arrows} pair", group="View"),
        Key(("down", "j"), "down", "the next row, or scroll down", group="View"),
        Key(("left", "h"), "left", "the previous column", group="View"),
        Key(("right", "l"), "right", "the next column", group="View"),
        Key(("pgup",), "page_up", "a page of rows up", group="View"),
        Key(("pgdn",), "page_down", "a page of rows down", group="View"),
        Key(("home",), "first", "the first row, or line", group="View"),
        Key(("end",), "last", "the last row, or line", group="View"),
        Key(("ctrl-l",), "repaint", "repaint the screen", group="View"),
        Key(("esc",), "close", "close the help, or show the other panes again", group="View"),
    )
)
