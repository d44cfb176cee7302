"""Lessons without a learner: read the bar, be the buyer, and the deadline that decides."""

from functools import partial

from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.game.roles import Opener, Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generator
from negotiation_tui.learning.rewind import NewOpener
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.text import coins, money
from negotiation_tui.sessions.commands import Sit
from negotiation_tui.sessions.tour_session import Task
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.solvers.subgame_perfect import solve
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.rational import SubgamePerfect
from negotiation_tui.strategies.registry import strategy
from negotiation_tui.tui.tour.lesson import Check, choices, lesson

ORIGINAL, LEGACY = Scenario.original(), Scenario.of("legacy")
_SIDES = "the seller", "the buyer"
_STATIC = "linear", "midpoint"
SELLER_OPENS = ((0, NewOpener(Opener.SELLER)),)
PERFECT = Run(ORIGINAL, Parameters(), 0, (SubgamePerfect.name,) * 2, changes=SELLER_OPENS)
SHOWN = 3  # offers before the prediction of the first lesson


def played(games: int) -> Check:
    """Return a check that the user has played this number of negotiations to their end."""
    return lambda model: model.latest.score is not None and model.latest.score.negotiations >= games


def opened_by(role: Role) -> Check:
    """Return a check that the bar shows the end of a negotiation which this role opened."""
    return lambda model: model.over and model.playback.negotiation.transcript.opener is role


_lesson = partial(
    lesson,
    {
        "SIDES": _SIDES,
        "seen": lambda model: model.playback is not None and model.playback.visible >= SHOWN,
        "once": played(1),
        "twice": played(2),
        "seller_opened": opened_by(Role.SELLER),
        "buyer_opened": opened_by(Role.BUYER),
    },
)


def prices_and_gains() -> Task:
    """Play the negotiation of the two strategies, and read prices and gains off it."""
    yield 0.0
    seller, buyer = ready_players(LEGACY, *pair(map(strategy, _STATIC)))
    negotiation = negotiate(LEGACY, seller, buyer, None, generator(0))
    own, heard, following = (turn.price or 0 for turn in negotiation.turns[SHOWN - 2 : SHOWN + 1])
    deal = negotiation.outcome.price or 0
    seller_gain, buyer_gain = negotiation.gains
    return {
        **choices(own, following, heard),
        "own": f"{own}",
        "heard": f"{heard}",
        "next_price": f"{following}",
        "deal": f"{deal}",
        "ahead": _SIDES[buyer_gain > seller_gain],
        "seller_gain": money(seller_gain),
        "buyer_gain": money(buyer_gain),
    }


READ_THE_BAR = _lesson(
    lambda: TrainingSession(Run(LEGACY, Parameters(), 0, _STATIC)),
    prices_and_gains,
    """
bar | Read the bar | see who asks what, and what a deal is worth to each
- say price
One thing is for sale. It costs the seller 20 and is worth 80 to the buyer: there are 60 coins to
divide, the empty frame. Each price from 20 to 80 (the zone of possible agreement, ZOPA) leaves
neither with a loss, so a deal can only be there.
- do seen
Press {offer} three times: the seller asks, the buyer answers, the seller asks again. An arrow is a
side's last price; a thick line, an earlier one. Below, the newest price shows what each would get.
- ask next_price: {choice_1} | {choice_2} | {choice_3}
The buyer follows a simple rule (strategy midpoint): it offers the middle between its own last
price, {own}, and the seller's, {heard}, a price at a loss. Which price comes next?
→ Halfway from {own} to {heard}. A buyer who meets the other side halfway in each round gives in
quickly to a seller who does not move.
- do over
Press {negotiation} to see this game to its end.
- guess ahead: SIDES | both gained the same
They agree at {deal}: the price cuts the 60 coins (the surplus) into two parts. Who got more?
→ The seller gets {deal} − 20 = {seller_gain} coins, the buyer 80 − {deal} = {buyer_gain}. The
length of a colour is what its side gets. From now on a deal is judged by these coins.
""",
)


def as_the_buyer() -> TrainingSession:
    """Return a session in which the user is the buyer, and the seller opens."""
    run = Run(ORIGINAL, Parameters(), 0, ("conceder", LEARNED), changes=SELLER_OPENS)
    opened = TrainingSession(run)
    opened.handle(Sit(Role.BUYER))
    return opened


def best_buyer() -> Task:
    """Compute the first price, and the best response to the seller."""
    yield 0.0
    seller = strategy("conceder").tabulated(ORIGINAL, Role.SELLER)
    assert seller is not None
    best = best_response(ORIGINAL, Role.BUYER, seller, 1.0).values[Role.SELLER]
    rewards = {price: ORIGINAL.reward(Role.BUYER, price) for price in ORIGINAL.prices}
    first = ORIGINAL.prices[int(seller.actions[0, 0])]
    return {
        "asks": f"{first}",
        "first_gain": coins(rewards[first] * ORIGINAL.width),
        "best_gain": coins(best * ORIGINAL.width),
        "best_price": f"{min(rewards, key=lambda price: abs(rewards[price] - best))}",
    }


BE_THE_BUYER = _lesson(
    as_the_buyer,
    best_buyer,
    """
buyer | Be the buyer | negotiate yourself, and see how far a seller gives in
- say price
You are the buyer. The item is worth 5 to you: pay as little as you can in 5 rounds. The seller
opens. {left}{right} choose a price, {take} offers it, {accept} accepts, {reject} walks away.
- ask first_gain: 0 coins | 2 coins | 4 coins
The seller asks {asks}. How many of the 5 coins are yours if you accept at once?
→ At {asks} you would pay what the item is worth to you, so you would gain nothing. You can refuse
a first price and wait for a better one.
- ask best_gain: 0 coins | 2 coins | 4 coins
The seller plays conceder, which gives in early. How many coins does the best of all buyers get
(the best response, computed exactly)?
→ The best buyer waits for {best_price}, the lowest price there is, because this seller would rather
accept it than lose the deal.
- do once
Now it is your turn: play this game to its end. {take} offers, {accept} accepts. Try to pay
{best_price}.
- say
The box compares you with the best of all buyers. {advice} shows advice for each move: what
waiting is worth, and what accepting is.
- do twice
Can you do better? {take} begins a second game; play it to its end.
""",
)


def solve_both() -> Task:
    """Solve the game for both openers."""
    yield 0.0
    seller_opens, buyer_opens = (solve(ORIGINAL, role).path.outcome.price for role in Role)
    last = 2 * ORIGINAL.rounds - 1
    return {
        "last_to_offer": _SIDES[(last - 1) % 2],
        "last_to_decide": _SIDES[last % 2],
        "price": f"{seller_opens}",
        "other_price": f"{buyer_opens}",
    }


WHY_NOT_WAIT = _lesson(
    lambda: TrainingSession(PERFECT),
    solve_both,
    """
deadline | Why not wait? | find out why the deadline decides before anybody reaches it
- say price
There are 5 rounds, and in each one both speak: offer, or accept, or walk away. The very last
decision can only accept or walk away, and no deal is worth 0 to both. So whoever
decides last takes any offer with a gain.
- ask last_to_offer: SIDES
The seller opens, then they take turns for 5 rounds. Who makes the last offer?
→ Because they take turns, the opener also makes the last offer, and {last_to_decide} can only take
it or leave it.
- guess price: 1 | 3 | 5
Both know this, and that waiting brings nothing. They play perfectly (the subgame-perfect
equilibrium). The seller opens: at which price do they agree?
→ The seller would get nearly all in the end, so the buyer may as well agree now. Reasoning
backwards from the deadline, the seller already asks for it in each earlier offer.
- do seller_opened
Press {negotiation} to see it.
- guess other_price: 1 | 3 | 5
Now the buyer opens, and nothing else changes. The price? Guess: the plans and the mark ▲ on the
bar then show it.
→ Now the buyer has the same power, because the buyer would make the last offer. Opening is worth
more here than any cleverness.
- do buyer_opened seller
Press {opener} until the title says that the buyer opens; such a game begins at once. The plans say
what both do at any price.
""",
)
