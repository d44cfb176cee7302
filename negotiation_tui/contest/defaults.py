"""Defaults of tournaments and leagues."""

NEGOTIATIONS = 200
"""Negotiations per pairing of a tournament."""
RECIPE = "reverse-curriculum"
"""The recipe that trains the entrant `learned` of a tournament; it converges."""

GAMES = ("original", "10x10", "fine")
"""The games of a league: in the first each learner meets each; in the others only itself."""
SEEDS = 20
LEAGUE_RECIPE = "annealing"
"""The recipe of every training of a league: one for all learners."""
