"""The help of the tournament screen: its keys and its panes. Pure."""

from negotiation_tui.tui.toolkit.boxes import key_lines, wrapped
from negotiation_tui.tui.toolkit.keys import Keys

_ABOUT = (
    "",
    "Leaderboard  mean reward in both roles, as seller and as buyer: 0 no deal,",
    "             1 the whole surplus; deals and rounds over all its pairings",
    "Heat map     the seller's row against the buyer's column, with the same",
    "             numbers; {measure} shows mean price, % deals, % surplus to seller,",
    "             rounds to a deal, or gap: distance of the prices from the",
    "             equilibrium price; · not played yet, – no value without deals,",
    "             × cannot be played",
    "Pairing      the results of the chosen cell, and its last negotiation:",
    "             ● buyer, ○ seller, ◆ deal",
)


def help_lines(keys: Keys, width: int) -> tuple[str, ...]:
    """Return the lines for a screen of this width."""
    about = (keys.format(line) for line in _ABOUT)
    return wrapped((*key_lines(keys), *about), width, 13)
