"""The help of the market screen: its panes."""

ABOUT = (
    "",
    "Room         a cell per seller: its buyer and the last offer; ◀ the seller",
    "             gains more at that price, ▶ the buyer, = both the same; a",
    "             coloured cell is a deal, × somebody quit",
    "Leaderboard  gain (surplus): beyond the reservation price (a seller's cost,",
    "             a buyer's value); money: received or paid, for a team the money",
    "             in its wallet; each: gain per negotiation; deals, of: number",
    "             of negotiations",
    "Prices       a column per stretch of ticks: darker ░▒▓█ for more deals, ●",
    "             their mean; ◂ the competitive price, at which as many want to",
    "             sell as to buy",
    "Wallets      a histogram of the money of sellers, buyers and teams",
    "Price bar    the negotiation of the marked agent; below it the Q-tables of",
    "             both agents",
    "Efficiency   gain of all deals, as a share of the greatest possible",
    "Tick         all free agents meet in pairs; with --limit steps=N a round",
    "             takes a tick, and an agent that finishes early can meet again",
    "Sample       at paces in ticks the bar shows only some negotiations",
)
