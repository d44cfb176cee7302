"""The usual settings of an examination."""

ASK = 10  # the number of times that each decision is asked
MINUTES = 10.0
OPPONENTS = ("hardliner", "boulware", "linear", "conceder", "midpoint", "zero-intelligence")
