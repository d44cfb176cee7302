"""The keys and the help of the market screen."""

from negotiation_tui.tui.toolkit.keys import Key, list_screen_keys

_FIXED = "the agents of a market keep their strategies: start it with --seller or --buyer"
KEYS = list_screen_keys(
    "1234567",
    (
        Key((".",), "offer", "pause and show the next offer of each pair", "offer", group="Step"),
        Key(("n",), "negotiation", "pause and show the tick to its end", "tick", group="Step"),
        Key(("c",), "cycle", "pause and trade to the next point, 1 % on", "point", group="Step"),
        Key(("+",), "faster", "faster, up to flat out", "{paces} pace", ("=",), group="Watch"),
        Key(("-",), "slower", "slower", also=("_",), group="Watch"),
        Key(("D",), "story", "the story: first each offer, then all in two minutes", group="Watch"),
        Key((",",), "back", "pause and go one offer back, into the past", "back", group="Time"),
        Key(("[",), "earlier", "pause and go back one point of the curves", group="Time"),
        Key(("]",), "later", "go forward one point, up to the present", group="Time"),
        Key(("g",), "go", "go to a tick: type its number, then Enter", group="Time"),
        Key((">",), "sort", "sort by the next column", "sort", group="Leaderboard"),
        Key(("&",), "filter", "all, sellers, buyers, learners …", "filter", group="Leaderboard"),
        Key(("/",), "search", "find a name, strategy or team", "search", group="Leaderboard"),
    ),
    (
        Key(("v",), "values", "Q-tables: raw, by sum of row, by best", "values", group="Q-tables"),
        Key(("w",), "save", "save market and screen to new files here", "save", group="Files"),
        Key(("r",), "restart", "restart the same market", "restart", group="Time"),
    ),
    dict.fromkeys("tsbSB", _FIXED),
)

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
