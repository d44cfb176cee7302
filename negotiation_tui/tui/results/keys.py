"""The keys and the help of the screen of results."""

from negotiation_tui.tui.toolkit.keys import list_screen_keys

_ABSENT = dict.fromkeys("tsbSB.nc,[]g+-Dv", "a list of results has no game: {sort} sorts it")
KEYS = list_screen_keys("1", ">  | sort | People | sort by the next column | sort", _ABSENT)

ABOUT = {
    "Regret": "per game: what the best answer would have earned, less what was earned; less than 0:"
    " luck; – if no best answer is known",
    "Against": "the opponent; a line for each role, opponent and scenario of a person",
    "Share": "mean reward per game; 1 means all the coins",
    "Theory": "mean price in equilibrium of the same deals, if both sides knew both limits",
    "Efficiency": "gains of both sides in a person's games, as a share of the possible gains",
    "Lessons": "finished in the tour; right: of the predictions in them",
    "Not read": "lines and files that are foreign or damaged",
}
"""The words in the help, with their meanings."""
