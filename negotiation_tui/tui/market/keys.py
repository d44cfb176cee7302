"""The keys and the help of the market screen."""

from negotiation_tui.tui.toolkit.keys import list_screen_keys

_FIXED = "the agents of a market keep their strategies: start the market with --seller or --buyer"
KEYS = list_screen_keys(
    "1234567",
    """
.         | offer         | Step  | pause and show the next offer of each pair | offer
n         | negotiation   | Step  | pause and show the tick to its end | tick
c         | cycle         | Step  | pause and trade to the next point, 1% on | point
+ (=)     | faster        | Watch | faster, up to flat out | {paces} pace
- (_)     | slower        | Watch | slower
D         | story         | Watch | the story: first each offer, then all in two minutes
,         | back          | Time  | pause and go one offer back, into the past | back
[         | earlier       | Time  | pause and go back one point of the curves
]         | later         | Time  | go forward one point, up to the present
g         | go            | Time  | go to a tick: type its number, then Enter
>         | sort          | Leaderboard | sort by the next column | sort
&         | filter        | Leaderboard | all, sellers, buyers, learners … | filter
/         | search        | Leaderboard | find a name, strategy or team | search
v         | values        | Q-tables | Q-tables: raw, by sum of row, by best | values
w         | save          | Files | save market and screen to new files here | save
r         | restart       | Time  | restart the same market | restart
""",
    dict.fromkeys("tsbSB", _FIXED),
)

ABOUT = {
    "Room": "a cell per seller: its buyer and the last offer; ◀ the seller gains more at that"
    " price, ▶ the buyer, = both the same; a coloured cell is a deal, × one side walked away",
    "Leaderboard": "gain (surplus): beyond the reservation price (a seller's cost, a buyer's"
    " value); money: received or paid, for a team the money in its wallet; each: gain per"
    " negotiation; deals, of: number of negotiations",
    "Prices": "a column per stretch of ticks: darker ░▒▓█ for more deals, ● their mean; ◂ the"
    " competitive price, at which as many want to sell as to buy",
    "Wallets": "a histogram of the money of sellers, buyers and teams",
    "Price bar": "the negotiation of the marked agent; below it the Q-tables of both agents",
    "Efficiency": "gain of all deals, as a share of the greatest possible",
    "Tick": "all free agents meet in pairs; with --limit steps=N a round takes a tick, and an"
    " agent that finishes early can meet again",
    "Sample": "at paces in ticks the bar shows only some negotiations",
}
