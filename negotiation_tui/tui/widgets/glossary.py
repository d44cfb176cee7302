"""The words of the screens, each with its meaning in plain English."""

from negotiation_tui.tui.toolkit.keys import meanings

GLOSSARY = meanings("""
- Price bar: the price cuts the coins to divide: left of it is what the seller gets, right of it
what the buyer gets; paler: what each would get; arrows: both offers; an empty frame: no deal
- ZOPA: zone of possible agreement: the prices that both sides accept
- Theory: ▲ the prices that perfect players agree on, in equilibrium
- Limit: a side makes no deal beyond this price; hidden limits are drawn for each game and
shown at its end
- Belief: how likely each limit of a side is, to the other side: small bars, · is ruled
out
- Bluff: an offer that pretends a stronger limit than the real one
- Q-table: what each action is worth in each state; a learner learns these numbers
- State: what a learner knows when it must act: the other side's offer, the round,
perhaps the opener
- Plan: the best action of a Q-table in each state; ~ or a percentage: the likeliest of several
- Policy: how likely each action is in each state
- Table: a policy or Q-table with a row for each state; strategies that need earlier offers have
none
- Why: Enter on a state tells from which negotiations its value comes
- Learning: a learner tries actions, guesses at times, and keeps what pays
- Fixed rule: a player that never learns, such as midpoint; also: static strategy
- Seat: the side of the seller or the buyer; a learner, a strategy, a program or you can take it
- Trainee: the side that learns in this cycle; the other, the trainer, plays its older plan
- Game: one negotiation, from the opening offer to a deal or to none
- Cycle: a number of games, after which trainee and trainer swap
- Episode: one game in training
- Show: a game by the players of the header; nobody tries anything
- Practice: a game in which a learner learns, with guesses
- Guess: a random action, to find out what it is worth; its share is ε (epsilon)
- Recipe: settings of a training, such as reverse-curriculum
- Curriculum: practice that begins near the last round, then earlier and earlier; a random start is
its first offer, drawn at random
- Wallet: a side's coins per game, by fixed rules and as learned; the original's wallet (zoom): the
money of a cycle, received by the seller and paid (−) by the buyer
- Ribbon: the pane Games: a column per game shown, and per cycle one by its plans, cut by its price
- Gain: what a deal is worth to a side: the price less the cost, or the worth less the
price; also: reward
- Surplus: what a deal gains for both sides together; a share is one side's part
- Coins: the money of the price; to divide: the buyer's worth less the seller's cost
- Still to gain: how much both would gain together if each alone switched to its best plan; at 0
neither can do better; also: NashConv
- Equilibrium: a pair of plans: neither side can gain by changing only its own plan
- Best answer: the plan that gains most against the other side's plan; also: best response
- Efficiency: with hidden limits: the gains of both, as a share of the gains if all limits
were known; dashed: the most of any rule without outside money by which no limit gains by
pretending or loses (needs scipy)
- Opener: the side that makes the first offer; opener-aware states say who it was
- Discount: a gain in a later round is worth less
- Time costs: each refusal leaves δ (delta) of what a deal pays; the price bar gets shorter from
both ends, by each side's δ
- What if: play the game again with another action, by the plans of that moment
- Sample: at paces above 16 offers per second the bar shows only some games
- Mouse: click a pane, a state, a key, or the time line; hold Shift to select text
""")
