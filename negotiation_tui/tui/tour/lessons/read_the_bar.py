"""Read the price bar: two fixed strategies haggle."""

from negotiation_tui.game.negotiation import negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generator
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.tour_session import Facts
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import strategy
from negotiation_tui.tui.negotiation.layout import PRICE
from negotiation_tui.tui.tour.lesson import THREE, Ask, Do, Lesson, Say, at_once, choices
from negotiation_tui.tui.tour.lessons.checks import over, shown

SCENARIO = Scenario.legacy()
SELLER, BUYER = "linear", "midpoint"
SHOWN = 3
"""Offers before the prediction."""


def session() -> TrainingSession:
    """Return the session of the two strategies."""
    return TrainingSession(Run(SCENARIO, Parameters(), 0, (SELLER, BUYER)))


def facts() -> Facts:
    """Play the negotiation, and read prices and shares off it."""
    seats = ready_players(SCENARIO, strategy(SELLER), strategy(BUYER))
    played = negotiate(SCENARIO, *seats, None, generator(0))
    prices = [turn.price for turn in played.turns]
    heard, own, following = prices[SHOWN - 1], prices[SHOWN - 2], prices[SHOWN]
    deal = played.outcome.price
    low, high = SCENARIO.zopa or (0, 0)
    assert None not in (heard, own, following, deal)
    shares = [SCENARIO.reward(role, deal or 0) for role in Role]
    ahead = "the seller" if shares[0] > shares[1] else "the buyer"
    return {
        **choices(own or 0, following or 0, heard or 0),
        "own": f"{own}",
        "heard": f"{heard}",
        "next_price": f"{following}",
        "deal": f"{deal}",
        "low": f"{SCENARIO.prices[0]}",
        "high": f"{SCENARIO.prices[-1]}",
        "zone_low": f"{low}",
        "zone_high": f"{high}",
        "ahead": ahead if shares[0] != shares[1] else "both gained the same",
        "seller_share": f"{shares[0]:.0%}",
        "buyer_share": f"{shares[1]:.0%}",
    }


LESSON = Lesson(
    name="bar",
    title="Read the bar",
    goal="see who asks what, and what a deal is worth to each",
    session=session,
    work=at_once(facts),
    steps=(
        Say(
            "A seller and a buyer haggle over one price, {low} to {high}. Each has a range that it"
            " can live with, drawn in its row. Both ranges hold the prices {zone_low} to"
            " {zone_high} (the zone of possible agreement, ZOPA): a deal can only be there.",
            PRICE,
        ),
        Do(
            "Press {offer} three times: the seller asks, the buyer answers, the seller asks again."
            " The box with a number is a side's last price; │ marks an earlier one.",
            shown(SHOWN),
        ),
        Ask(
            "The buyer follows a simple rule (strategy midpoint): it offers the middle between its"
            " own last price, {own}, and the seller's, {heard}. Which price comes next?",
            THREE,
            "next_price",
            "Halfway from {own} to {heard}, rounded in the buyer's favour. It meets the other half"
            " of the way in each round, so it gives in quickly to a seller who does not move.",
        ),
        Do("Press {negotiation} to see this negotiation to its end.", over),
        Ask(
            "They agree at {deal}. Both can live with anything from {zone_low} to {zone_high}; that"
            " span is what they share (the surplus). Who got more of it?",
            ("the seller", "the buyer", "both gained the same"),
            "ahead",
            "The seller has {seller_share} of the surplus, the buyer {buyer_share}. From now on a"
            " deal is judged by these shares (the rewards): 0 is no gain, 1 is all there is.",
        ),
    ),
)
