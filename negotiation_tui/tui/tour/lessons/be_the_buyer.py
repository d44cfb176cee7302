"""Negotiate against a fixed strategy, and compare with the best that anybody can do."""

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import NewOpener
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.commands import Sit
from negotiation_tui.sessions.tour_session import Facts
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.strategies.registry import strategy
from negotiation_tui.tui.negotiation.layout import PRICE
from negotiation_tui.tui.tour.lesson import Ask, Do, Lesson, Say, at_once
from negotiation_tui.tui.tour.lessons.checks import Check

SCENARIO = Scenario.original()
SELLER = "conceder"
SHARES = "0 %", "40 %", "80 %"


def session() -> TrainingSession:
    """Return a session in which the user is the buyer, and the seller opens."""
    opened = TrainingSession(
        Run(SCENARIO, Parameters(), 0, (SELLER, LEARNED), changes=((0, NewOpener(Opener.SELLER)),))
    )
    opened.handle(Sit(Role.BUYER))
    return opened


def facts() -> Facts:
    """Compute the first price, and the best response to the seller."""
    seller = strategy(SELLER).tabulated(SCENARIO, Role.SELLER)
    assert seller is not None
    best = best_response(SCENARIO, Role.BUYER, seller, 1.0).values[Role.SELLER]
    first = SCENARIO.prices[int(seller.actions[0, 0])]
    return {
        "worth": f"{SCENARIO.reservation_values[Role.BUYER]}",
        "rounds": f"{SCENARIO.rounds}",
        "asks": f"{first}",
        "first_share": _percent(SCENARIO.reward(Role.BUYER, first)),
        "best_share": _percent(best),
        "best_price": f"{_price(best)}",
    }


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _price(share: float) -> int:
    """Return the price that leaves the buyer a share."""
    return min(SCENARIO.prices, key=lambda price: abs(SCENARIO.reward(Role.BUYER, price) - share))


def played(games: int) -> Check:
    """Return a check that the user has played this number of negotiations to their end."""
    return lambda model: model.latest.score is not None and model.latest.score.negotiations >= games


LESSON = Lesson(
    name="buyer",
    title="Be the buyer",
    goal="negotiate yourself, and learn what patience earns",
    session=session,
    work=at_once(facts),
    steps=(
        Say(
            "You buy. It is worth {worth} to you, there are {rounds} rounds, and the seller speaks"
            " first: {left}{right} choose a price, {take} offers it, {accept} accepts the seller's,"
            " {reject} walks away. Pay little.",
            PRICE,
        ),
        Ask(
            "The seller asks {asks}. What share of the surplus is yours if you accept at once?",
            SHARES,
            "first_share",
            "At {asks} you would pay what it is worth to you, {worth}, so nothing is gained. A"
            " first price is there to be refused.",
        ),
        Ask(
            "The seller plays conceder: it gives in early. What share does the best of all buyers"
            " get from it (the best response, computed exactly)?",
            SHARES,
            "best_share",
            "The best buyer waits for {best_price}, the lowest price there is, since this seller"
            " would rather take it than lose the deal.",
        ),
        Do(
            "Now you: play this negotiation to its end. {take} offers, {accept} accepts. Try to pay"
            " {best_price}.",
            played(1),
        ),
        Say(
            "The box compares you with the best of all buyers. {advice} shows advice for each move:"
            " what waiting is worth, and what accepting is."
        ),
        Do(
            "Once more, and better? {take} begins a second negotiation; play it to its end.",
            played(2),
        ),
    ),
)
