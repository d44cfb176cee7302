"""The marks of a player: regret, exploitability, and the information given away about its limit."""

from typing import NamedTuple

from negotiation_tui.game.tabular_policy import Floats
from negotiation_tui.runtime.estimate import Estimate

OPPONENTS = ("hardliner", "boulware", "linear", "conceder", "midpoint", "zero-intelligence")
COSTLIEST = 3  # the number of decisions that are named


class Decision(NamedTuple):
    """A decision that costs much: the better action in a row of the tables, all else unchanged."""

    row: int  # among the rows of the tables of all limits, with opener-aware states
    action: int
    cost: float
    """The expected loss, discounted; in an exploitability a share of the possible surplus."""


class Regret(NamedTuple):
    """The regret of a player against one named opponent, a mean over openers and limits."""

    opponent: str
    best: float  # the most that a best reply to the opponent earns
    regret: Estimate  # how much less the player earns; the error is 0 for exact chances
    decisions: tuple[Decision, ...]  # the costliest first; none without a table of decisions


class Exploitability(NamedTuple):
    """Earnings against an opponent who knows the player's table, as shares of the first best."""

    earned: float  # by the opponent; too high if the table was made of few answers
    least: float | None  # bounds of what the opponent earns; None if there are too few answers
    most: float | None
    left: Estimate  # what the player earns then
    given: tuple[Decision, ...]  # decisions that give the opponent the most
    lost: tuple[Decision, ...]  # decisions that cost the player the most


class Disclosure(NamedTuple):
    """The information about its hidden limit that a player's offers give to one named opponent."""

    opponent: str
    least: float | None
    """Bits per negotiation, by a reader who knows half of the answers; None beyond the budget."""
    bits: float | None  # by the table; too many if the table was made of few answers
    bluffs: float | None
    """The share of its offers that a stronger limit makes at least as often; None without any."""
    pretending: Floats
    """The gain of each limit from playing another limit's table, shape (limits,)."""


class Calibration(NamedTuple):
    """The mean Brier scores of beliefs about the opponent's limit: 0 is right, 2 is worst."""

    stated: float
    bayes: float  # of Bayes' rule for the opponent's known table
    n: int  # the number of stated beliefs
