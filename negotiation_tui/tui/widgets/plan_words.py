"""The places of a plan, and words for states and decisions. Pure."""

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.plan import Decision, Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.tui.widgets.words import percent

Place = tuple[int, int]
"""A row and a column of the picture: row 0 is the opening, the others the prices on the table."""
RECEIVED = {Role.SELLER: "offered", Role.BUYER: "asked"}
"""The opponent's doing that puts a price on the table."""


def on_table(plan: Plan) -> range:
    """Return the offers that the role may have to answer."""
    return plan.scenario.offers(plan.role.other)


def rows_of(plan: Plan) -> int:
    """Return the number of rows: the opening, and each price that the opponent may name."""
    return 1 + len(on_table(plan))


def last_position(shown: Transcript | None, role: Role) -> Position | None:
    """Return the position in which a role must act now, or acted last."""
    if shown is None:
        return None
    for turns in range(len(shown.turns), -1, -1):
        position = shown.first(turns).position
        if position is not None and position.role is role:
            return position
    return None


def state_of(shown: Transcript | None, role: Role) -> int | None:
    """Return the state (row of the Q-table) in which a role must act now, or acted last."""
    position = last_position(shown, role)
    return None if position is None else position.state


def place_of(shown: Transcript | None, role: Role) -> Place:
    """Return the place of the decision that a role must take now, or took last."""
    position = last_position(shown, role)
    if position is None or position.standing_offer is None:
        return 0, 0
    offers = position.scenario.offers(role.other)
    return 1 + position.standing_offer_index - offers.start, position.time


def state_at(plan: Plan, opened: bool, place: Place) -> int:
    """Return the state of a place."""
    row, column = place
    if row == 0:
        return START
    block = plan.scenario.rounds if plan.opener_aware and not opened else 0
    return 1 + (block + column) * plan.scenario.n_prices + on_table(plan)[row - 1]


def state_words(scenario: Scenario, state: int, opened: bool) -> str:
    """Name a state by the round in which the role decides: `opening`, or `facing 3, round 2`.

    A role that `opened` answers an offer in the round after it. The state may be one of a plan,
    which also tells who opened.
    """
    if state == START:
        return "opening"
    time, offer = divmod(state - 1, scenario.n_prices)
    return f"facing {scenario.prices[offer]}, round {time % scenario.rounds + 1 + opened}"


def words(decision: Decision, role: Role) -> str:
    """Describe a decision: `accept`, or `ask 4 (62 %)`."""
    verb = "ask" if role is Role.SELLER else "offer"
    actions = ["accept"] if Kind.ACCEPT in decision.kinds else []
    if decision.n_prices:
        join = {1: "", 2: " or "}.get(decision.n_prices, " to ")
        prices = f"{decision.lowest}{join}{decision.highest}" if join else f"{decision.lowest}"
        actions.append(f"{verb} {prices}")
    if Kind.WALK_AWAY in decision.kinds:
        actions.append("walk away")
    does = " or ".join(actions)
    if decision.chance is not None:
        several = len(actions) + decision.n_prices > 1 + (decision.n_prices > 0)
        does += f" ({percent(decision.chance)}{' each' * several})"
    return does
