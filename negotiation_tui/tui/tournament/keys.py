"""The keys and the help of the screen of a contest."""

from negotiation_tui.tui.toolkit.keys import list_screen_keys

_ENTRANTS = "the entrants are fixed here; {take} opens the chosen pair, where this key works"
_AT_ONCE = "a contest has only results; {take} opens the chosen pair, where this key works"
_ABSENT = dict.fromkeys("tsbSB", _ENTRANTS) | dict.fromkeys(".nc,[]g+-D", _AT_ONCE)

KEYS = list_screen_keys(
    "123",
    """
enter     | take          | Pair  | watch the chosen pair live; Esc leads back | {take} live
v         | values        | Heat map | the next value for the heat map | value
>         | sort          | Leaderboard | sort both lists by the next column | sort
""",
    _ABSENT,
)

_TOURNAMENT = {
    "Leaderboard": "mean gain (reward) in both roles, as seller and as buyer: 0 no deal, 1 the"
    " whole surplus; deals and rounds over all its pairings",
    "Heat map": "the seller's row against the buyer's column, in the order and with the numbers of"
    " the leaderboard; {values} shows mean price, % deals, % surplus to seller, rounds to a deal,"
    " or gap: distance of the prices from the equilibrium price; · not played yet, – no value"
    " without deals, × cannot be played",
    "Pairing": "the results of the chosen cell, and its last negotiation",
    "Limits": "if hidden: gains by the own limit, deals of those possible, and surplus, the share"
    " of the possible surplus that both gain",
}
_LEAGUE = {
    "Leaderboard": "NashConv: what both learners together could still gain, 0 in equilibrium;"
    " close: runs that stay at 0.01 or below, and the episodes until then; share of the surplus"
    " against others; seconds of a processor",
    "Heat map": "the learner of the row with that of the column, means over seeds; {values} shows"
    " NashConv, close, episodes until then, share of the row's learner, % deals, seconds; · not"
    " trained yet, – never, × cannot be trained",
    "Runs": "the runs of the chosen cell, one line per seed, and the command that repeats the"
    " first",
    "Limits": "if hidden: deals of those possible, share of the possible surplus",
}
ABOUT = {"tournament": _TOURNAMENT, "league": _LEAGUE}
"""The words in the help of each contest, with their meanings, by its name."""
