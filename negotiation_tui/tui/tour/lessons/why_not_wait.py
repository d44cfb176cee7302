"""The deadline decides: the last decision accepts anything, so the last offer takes it all."""

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import NewOpener
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.tour_session import Facts
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.subgame_perfect import solve
from negotiation_tui.strategies.rational import SubgamePerfect
from negotiation_tui.tui.negotiation.layout import PRICE, SELLER_PLAN
from negotiation_tui.tui.tour.lesson import Ask, Do, Lesson, Say, at_once
from negotiation_tui.tui.tour.lessons.checks import opened_by

SCENARIO = Scenario.original()
SIDES = "the seller", "the buyer"
PRICES = tuple(f"{SCENARIO.prices[at]}" for at in (0, SCENARIO.n_prices // 2, -1))


def session() -> TrainingSession:
    """Return a session of two perfect players; the seller opens."""
    perfect = SubgamePerfect.name
    return TrainingSession(
        Run(SCENARIO, Parameters(), 0, (perfect, perfect), changes=((0, NewOpener(Opener.SELLER)),))
    )


def facts() -> Facts:
    """Solve the game for both openers."""
    last_decision = 2 * SCENARIO.rounds - 1
    turns = [Role.SELLER if ply % 2 == 0 else Role.BUYER for ply in range(last_decision + 1)]
    seller_opens, buyer_opens = (solve(SCENARIO, role).path.outcome.price for role in Role)
    return {
        "rounds": f"{SCENARIO.rounds}",
        "last_to_offer": SIDES[turns[last_decision - 1]],
        "last_to_decide": SIDES[turns[last_decision]],
        "price": f"{seller_opens}",
        "other_price": f"{buyer_opens}",
    }


LESSON = Lesson(
    name="deadline",
    title="Why not wait?",
    goal="find out why the deadline decides before anybody reaches it",
    session=session,
    work=at_once(facts),
    steps=(
        Say(
            "There are {rounds} rounds, and in each one both speak: offer, or accept, or walk away."
            " The very last decision can only accept or walk away, and no deal is worth 0 to both."
            " So the one who decides last takes anything that is offered.",
            PRICE,
        ),
        Ask(
            "The seller opens, then they take turns for {rounds} rounds. Who makes the last offer?",
            SIDES,
            "last_to_offer",
            "Of two who take turns the one that opens also makes the last offer, and"
            " {last_to_decide} can only take it or leave it.",
        ),
        Ask(
            "Both know this, and that waiting only costs. They play perfectly (the subgame-perfect"
            " equilibrium). The seller opens: at which price do they agree? Guess first; the mark ▲"
            " on the bar knows it.",
            PRICES,
            "price",
            "The seller would get nearly all in the end, so the buyer may as well agree now."
            " Reasoned back from the deadline, each earlier offer already asks for it.",
        ),
        Do(
            "See it: press {negotiation}. The plans say what both do at any price on the table.",
            opened_by(Role.SELLER),
            SELLER_PLAN,
        ),
        Ask(
            "Now the buyer opens, and nothing else changes. The price?",
            PRICES,
            "other_price",
            "The same power, in the other hand: the buyer would have the last offer. Who opens is"
            " worth more here than any cleverness.",
        ),
        Do(
            "Press {opener} until the title says that the buyer opens, then {negotiation} until"
            " you see a negotiation that the buyer opened.",
            opened_by(Role.BUYER),
        ),
    ),
)
