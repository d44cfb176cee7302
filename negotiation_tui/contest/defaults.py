"""Defaults of tournaments and leagues."""

NEGOTIATIONS = 200  # negotiations per pairing of a tournament
RECIPE = "reverse-curriculum"
"""The recipe that trains the entrant `learned` of a tournament; it converges."""

GAMES = ("original",)
"""The games of a league: in the first each learner meets each; in others only itself."""
SEEDS = 2  # all learners then take about two minutes of a processor
LEAGUE_RECIPE = "annealing"  # the recipe of every training of a league: one for all learners
