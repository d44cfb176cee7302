"""The words of the screens, each with its meaning in plain English."""

GLOSSARY = {
    "Price bar": "light over the prices that a side accepts, strong from its best price to its last"
    " offer: how far it gave way; notches are earlier offers; two strong parts that meet are a"
    " deal",
    "ZOPA": "zone of possible agreement: the prices that both sides accept",
    "Theory": "▲ the prices that perfect players agree on: the equilibrium of the game",
    "Limit": "the price beyond which a side makes no deal; with hidden limits it is drawn for each"
    " negotiation and shown at its end; a small bar is how likely the other side finds it, · is"
    " ruled out",
    "Bluff": "an offer that pretends a stronger limit than the real one",
    "Q-table": "what each action is worth in each state: the gain that a learner expects; it learns"
    " these numbers from experience",
    "State": "what a learner knows when it must act: the other's offer and the round (and who"
    " opened); saved files write s for the opening and p.t for price p in round t",
    "Plan": "the action that a Q-table finds best in each state; with ~ or a percentage the"
    " likeliest of several that are drawn at random",
    "Why": "Enter on a state tells from which negotiations its value comes",
    "Learning": "a learner tries actions, guesses at times, and keeps what pays",
    "Static": "a fixed rule: a strategy that never learns, such as midpoint",
    "Trainee": "the side that learns in this cycle; the other, the trainer, plays its best of"
    " before; after each cycle they swap",
    "Cycle": "a number of negotiations after which the sides swap roles",
    "Episode": "one negotiation in training",
    "Practice": "negotiations in training, with guesses; best play: by plans alone",
    "Guess": "a random action, to find out what it is worth; its share is ε (epsilon)",
    "Curriculum": "practice that begins near the last round, then earlier and earlier",
    "Money": "the wallet of the original: what the seller received, what the buyer paid (−)",
    "Wallet": "a side's money in this cycle, or since the beginning; a purse is the same",
    "Gain": "what the goods are worth to a side, less what was paid for them; also: reward",
    "Surplus": "what a deal gains for both sides together; a share of the surplus is the part of it"
    " that one side gets",
    "Could gain": "how much more both together could gain if each knew the other's plan: 0 means"
    " that neither can do better. Its name in the literature is NashConv",
    "Equilibrium": "a pair of plans of which none can be improved while the other stays",
    "Best answer": "the best response: the plan that gains most against the other's plan",
    "Efficiency": "with hidden limits: the gains by both plans, as a share of those possible if all"
    " limits were known; dashed: the most that a rule could reach, undiscounted and with waits"
    " (drawn if scipy is installed)",
    "Opener": "the side that makes the first offer; opener-aware states say who it was",
    "Discount": "a gain in a later round is worth less: each round costs a part of it",
    "What if": "play the negotiation again with another action, by the plans of that moment",
    "Sample": "at paces above 16 offers per second the bar shows only some negotiations",
    "Mouse": "a click chooses a pane, a state or a key, or goes to a moment of the time line; the"
    " wheel scrolls; hold Shift to select text; --no-mouse leaves the mouse to the terminal",
}
