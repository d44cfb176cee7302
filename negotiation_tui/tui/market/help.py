"""The help of this screen: its keys, and what is to be seen. Pure."""

from negotiation_tui.tui.toolkit.boxes import key_lines, wrapped
from negotiation_tui.tui.toolkit.keys import Keys

_ABOUT = (
    "",
    "Room         a cell for each seller: whom it talks to, the price on the table;",
    "             ◀ the seller is ahead, ▶ the buyer, = both alike: whose surplus",
    "             is greater at that price; a patch is a deal, × somebody quit",
    "Leaderboard  surplus is what deals brought beyond the reservation price (a",
    "             seller's cost, a buyer's value); money is what was received or",
    "             paid, of a team what is in its wallet; each is surplus per",
    "             negotiation; deals of negotiations",
    "Prices       a column for each stretch of ticks: ░▒▓█ where more and more of",
    "             the deals were, ● their mean; ◂ the competitive price, at which",
    "             as many want to sell as to buy",
    "Wallets      how many have how much money",
    "Price bar    the negotiation of the agent marked in the room or on the",
    "             leaderboard; below it the Q-tables of both, as when two play",
    "Efficiency   surplus of all deals against the most there could have been",
    "Tick         all who are free meet in pairs; where time is limited (steps)",
    "             a round takes a tick, and who is done early meets others sooner",
    "Sample       at paces in ticks the bar shows a negotiation now and then",
)


def help_lines(keys: Keys, width: int) -> tuple[str, ...]:
    """The lines for a screen of this width."""
    return wrapped((*key_lines(keys), *_ABOUT), width, 13)
