"""The help of the tournament screen: its panes."""

ABOUT = (
    "",
    "Leaderboard  mean gain (reward) in both roles, as seller and as buyer: 0 no deal,",
    "             1 the whole surplus; deals and rounds over all its pairings",
    "Heat map     the seller's row against the buyer's column, with the same",
    "             numbers; {values} shows mean price, % deals, % surplus to seller,",
    "             rounds to a deal, or gap: distance of the prices from the",
    "             equilibrium price; · not played yet, – no value without deals,",
    "             × cannot be played",
    "Pairing      the results of the chosen cell, and its last negotiation:",
    "             ● buyer, ○ seller, ◆ deal",
)
