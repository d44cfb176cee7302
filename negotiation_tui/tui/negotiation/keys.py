"""The key table of the two-agent screen, and the commands it refuses."""

from negotiation_tui.tui.negotiation.layout import (
    BUYER_PLAN,
    LEARNING,
    OFFERS,
    PRICE,
    PURSES,
    SELLER_PLAN,
)
from negotiation_tui.tui.toolkit.keys import Key, Keys

KEYS = Keys(
    (
        Key(("q",), "quit", "quit", "quit", in_play="exit", group="Watch"),
        Key(("?",), "help", "open or close the help", "help", ("f1",), "help", group="Watch"),
        Key(("space",), "run", "run or pause", "pause", group="Watch"),
        Key((".",), "offer", "pause and show the next offer", "step", group="Step"),
        Key(("n",), "negotiation", "pause and show all of this negotiation", "next", group="Step"),
        Key(("m",), "more", "train 50 cycles more, also after the last", group="Step"),
        Key(("s",), "seller", "the seller: its fixed rule, or learned", "seller", group="Seats"),
        Key(("b",), "buyer", "the buyer: its fixed rule, or learned", "buyer", group="Seats"),
        Key(("t",), "toggle", "both: static or learned", "both: static/learned", group="Seats"),
        Key(("S",), "seller_menu", "choose who plays the seller, from a list", group="Seats"),
        Key(("B",), "buyer_menu", "choose who plays the buyer, from a list", group="Seats"),
        Key(("c",), "cycle", "pause and train to the end of the cycle", "cycle", group="Step"),
        Key(("+",), "faster", "faster, up to flat out", "{paces} pace", ("=",), group="Watch"),
        Key(("-",), "slower", "slower", also=("_",), group="Watch"),
        Key(("D",), "story", "let the story go on, slow where something is new", group="Watch"),
        Key(
            ("p",),
            "sit",
            "play: as the buyer, then as the seller, then leave",
            "play",
            in_play="{close} leaves",
            group="Play",
        ),
        Key(("enter",), "take", "choose; why a number; in a game: offer", "", (), "offer", "Play"),
        Key(("e",), "test", "test both seats over 1000 negotiations", "test", group="Seats"),
        Key((",",), "back", "pause and go one offer back, into the past", "back", group="Time"),
        Key(("[",), "earlier", "pause and go back one cycle, also flat out", group="Time"),
        Key(("]",), "later", "go forward one cycle, up to the present", group="Time"),
        Key(("g",), "go", "go to a cycle: type its number, then Enter", group="Time"),
        Key(("f",), "what_if", "what if: choose another action and see what follows", group="Time"),
        Key(("a",), "accept", "in a game: accept the price", in_play="accept", group="Play"),
        Key(("x",), "reject", "in a game: walk away, no deal", in_play="no deal", group="Play"),
        Key(("P",), "peek", "in a game: show or hide both plans", in_play="peek", group="Play"),
        Key(("z",), "zoom", "the chosen pane on the whole screen, or all", "zoom", group="View"),
        Key(("tab",), "next_pane", "choose the next pane", "pane", group="View"),
        Key(("shift-tab",), "previous_pane", "choose the previous pane", group="View"),
        Key(tuple("123456789"), "pane", "choose a pane; in a game: type a price", group="View"),
        Key(
            ("v",), "values", "all values: raw, by sum, by best; then bars", "numbers", group="View"
        ),
        Key(("u",), "other_opener", "plans of opener and responder, or as in play", group="View"),
        Key(("L",), "limits", "show hidden limits, or only at the end", "limits", group="View"),
        Key(("d",), "other_limit", "the plan at another hidden limit, or as in play", group="View"),
        Key(("i",), "advice", "advice for the next move", "advice", in_play="advice", group="Play"),
        Key(("o",), "opener", "who opens: seller, buyer or in turns", "opener", group="Seats"),
        Key(("up", "k"), "up", "move up; in a game: a much higher price", group="View"),
        Key(("down", "j"), "down", "move down; in a game: a much lower price", group="View"),
        Key(
            ("left", "h"),
            "left",
            "move left; in a game: a lower price",
            in_play="{left}{right} price",
            group="View",
        ),
        Key(("right", "l"), "right", "move right; in a game: a higher price", group="View"),
        Key(("pgup",), "page_up", "scroll up a page", group="View"),
        Key(("pgdn",), "page_down", "scroll down a page", group="View"),
        Key(("home",), "first", "go to the beginning; a zoomed Q-table: its top", group="Time"),
        Key(("end",), "last", "go to the present; a zoomed Q-table: its end", group="Time"),
        Key(("w",), "save", "save Q-tables, transcripts and the screen", "save", group="Files"),
        Key(("T",), "tour", "the tour: eight lessons, then back here", group="Watch"),
        Key(("r",), "restart", "restart the training from the same seed", "restart", group="Time"),
        Key(("ctrl-l",), "repaint", "repaint the screen", group="View"),
        Key(("esc",), "close", "close the box; follow the play again; leave a game", group="View"),
    )
)

_TABLE = (
    "{values} all values · {take} why this number · {arrows} choose · {zoom} whole screen · "
    "{other_opener} other opener · {other_limit} other limit"
)
FOCUS = {
    PRICE: "Price: {advice} advice · {back} one offer back · {what_if} what if · "
    "{opener} who opens · {limits} limits · {zoom} whole screen",
    SELLER_PLAN: f"Seller's Q-table: {_TABLE}",
    BUYER_PLAN: f"Buyer's Q-table: {_TABLE}",
    PURSES: "Purses: {zoom} whole screen · {test} test both · {save} save all",
    LEARNING: "Learning: {zoom} whole screen · {more} 50 cycles more · {restart} restart · "
    "{test} test both",
    OFFERS: "Offers: {zoom} whole screen · {back} one offer back · {what_if} what if",
}
"""The name of each pane in the footer, and its keys, the most important first."""
IN_PAST = (
    "The past: {last} to the present · {back} {offer} offer · {earlier} {later} cycle · "
    "{what_if} what if"
)
IN_PLAY = "Your game: {sit} other seat · {back} look back · {zoom} whole screen · {limits} limits"

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
