"""Defaults of a league."""

GAMES = ("original", "10x10", "fine")
"""In the first each learner meets each; in the others only itself."""
SEEDS = 20
RECIPE = "annealing"
"""The recipe of every training: one for all learners."""
CLOSE = 0.01
"""NashConv at or below which a training has come close to equilibrium."""
JUDGED = 16
"""Cycles that are judged in each doubling of a training, and at first."""
SETTINGS = {
    "best-response-dynamics": "counts_as=1000",
    "fictitious-play": "counts_as=1000",
    "cfr": "counts_as=1000,plus=true",
    "hysteretic": "decrease=0.5",
    "wolf-phc": "learning_rate=0.2",
}
"""Settings of the default entrants that differ from a learner's defaults, by its name."""
