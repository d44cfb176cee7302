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

_CELLS = "a sweep has cells, not a list; {values} shows another value"
SWEEP_KEYS = list_screen_keys(
    "123",
    """
enter     | take          | Cells | list the runs of a cell or ending | runs
v         | values        | Cells | the next value for the cells | value
m         | mark          | Cells | mark the chosen cell: others are compared with it | mark
]         | next_page     | Cells | next value of a third setting | {previous_page}{next_page} page
[         | previous_page | Cells | the value before
""",
    dict.fromkeys("tsbSB", "the settings are fixed here; {take} opens a run, where this key works")
    | dict.fromkeys(".nc,g+-D", "a sweep has only results; {take} opens a run")
    | {">": _CELLS},
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
_SWEEP = {
    "Cells": "the mean of the runs of each setting; {values} shows NashConv (0: nobody can gain),"
    " opener's coins, deals, rounds, price, wallet; · no run yet",
    "Endings": "runs by what the seller gets by the final plans, in coins: if it opens (rows), and"
    " if the buyer opens (columns); ▲ theory",
    "Cell": "means with 95 % intervals; a column per seed: what the seller gets if either opens",
}
ABOUT = {"tournament": _TOURNAMENT, "league": _LEAGUE, "sweep": _SWEEP}
"""The words in the help of each contest, with their meanings, by its name."""
