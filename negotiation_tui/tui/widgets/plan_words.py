"""The places of a plan, and the sentences that describe its decisions. Pure."""

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.plan import Decision, Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START
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


def place_of(shown: Transcript | None, role: Role) -> Place:
    """Return the place of the decision that a role must take now, or took last."""
    if shown is None:
        return 0, 0
    position, scenario = shown.position, shown.scenario
    if position is not None and position.role is role:
        state = position.state
    else:
        own = (turn.state for turn in reversed(shown.turns) if turn.role is role)
        state = next(own, START)
    if not START < state < scenario.final_state:
        return 0, 0
    offer, time = scenario.offer_and_time(state)
    return 1 + offer - scenario.offers(role.other).start, time


def state_at(plan: Plan, opened: bool, place: Place) -> int:
    """Return the state of a place."""
    row, column = place
    if row == 0:
        return START
    return int(plan.states(opened)[column, on_table(plan)[row - 1]])


def words_at(plan: Plan, opened: bool, place: Place, room: int = 80) -> str:
    """Describe a place: the price on the table, the round, the actions, and their worth.

    In less room the longest part of it that is a sentence.
    """
    text = _words_at(plan, opened, place)
    shorter = text.replace("worth ", ""), text.partition(", ")[0], text.partition(": ")[2]
    return next((part for part in (text, *shorter) if len(part) <= room), "")


def _words_at(plan: Plan, opened: bool, place: Place) -> str:
    row, column = place
    scenario = plan.scenario
    if row == 0:
        if plan.opener_aware and not opened:
            return f"opening: the {plan.role.other} opens"
        return f"opening: {words(plan.decision(START), plan.role)}"
    price = scenario.prices[on_table(plan)[row - 1]]
    decision = plan.decision(state_at(plan, opened, place))
    facing = f"facing {price} in round {column + 1}"
    if not decision.kinds:
        return f"{facing}: never, the {plan.role.other} has the last word"
    return f"{facing}: {words(decision, plan.role)}"


def words(decision: Decision, role: Role) -> str:
    """Describe a decision and its worth: `accept, worth 0.60` or `ask 4 (62 %), worth 0.60`."""
    worth = "" if decision.value is None else f"worth {decision.value:.2f}"
    if Kind.UNTRIED in decision.kinds:
        return ", ".join(filter(None, ("untried", worth)))
    verb = "ask" if role is Role.SELLER else "offer"
    actions = ["accept"] if Kind.ACCEPT in decision.kinds else []
    if decision.n_prices:
        join = {1: "", 2: " or "}.get(decision.n_prices, " to ")
        prices = f"{decision.lowest}{join}{decision.highest}" if join else f"{decision.lowest}"
        actions.append(f"{verb} {prices}")
    if Kind.WALK_AWAY in decision.kinds:
        actions.append("walk away")
    several = len(actions) + decision.n_prices > 1 + (decision.n_prices > 0)
    each = " each" * several
    does = " or ".join(actions)
    if decision.chance is not None:
        does += f" ({percent(decision.chance)}{each})"
    return ", ".join(filter(None, (does, worth and worth + each)))
