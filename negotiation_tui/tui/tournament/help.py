"""The help of this screen: its keys, and what is to be seen. Pure."""

from negotiation_tui.tui.toolkit.boxes import key_lines, wrapped
from negotiation_tui.tui.toolkit.keys import Keys

_ABOUT = (
    "",
    "Leaderboard  mean reward in both seats, as seller and as buyer: 0 no deal,",
    "             1 the whole surplus; deals and rounds over all its pairings",
    "Heat map     the seller's row against the buyer's column, numbered alike;",
    "             {measure} shows mean price, % deals, % surplus to seller, rounds to",
    "             a deal, or gap: how far prices are from the equilibrium price",
    "             · not played yet, – no deal to speak of, × cannot be played",
    "Pairing      what came of the cell at hand, and the last negotiation:",
    "             ● buyer, ○ seller, ◆ deal",
)


def help_lines(keys: Keys, width: int) -> tuple[str, ...]:
    """The lines for a screen of this width."""
    about = (keys.format(line) for line in _ABOUT)
    return wrapped((*key_lines(keys), *about), width, 13)
