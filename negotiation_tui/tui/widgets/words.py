"""Numbers, names, states and decisions in words, and the places of a plan. Pure."""

import re
from pathlib import PurePath

from negotiation_tui.game.negotiation import Position, Transcript, Turn
from negotiation_tui.game.plan import Decision, Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.runtime.text import money
from negotiation_tui.tui.toolkit.keys import Keys

VERBS = {Role.SELLER: "asks", Role.BUYER: "offers"}


def deed(turn: Turn, scenario: Scenario) -> str:
    """Return what a role did: asks 4, offers 3, accepts 3, or walks away."""
    if turn.action < scenario.accept:
        return f"{VERBS[turn.role]} {turn.price}"
    return "walks away" if turn.price is None else f"accepts {turn.price}"


def signed(amount: int) -> str:
    """Write a sum of money with its sign."""
    return f"{amount:+,}".replace("-", "−") if amount else "0"


def percent(share: float) -> str:
    """Write a share in hundredths, never as −0."""
    return f"{share * 100:z.0f}%".replace("-", "−")


def earnings(game: Scenario, reward: float) -> str:
    """Write a reward, or a value, in the money of the price."""
    return money(reward * game.origin.width)


def no_deal(game: Scenario) -> str:
    """Return what a drawn game without a deal lost, or why it had none."""
    seller, buyer = map(game.limit, Role)
    if game.possible_deals and seller == buyer:
        return f"nothing was to be gained: both limits are {seller}"
    if game.possible_deals:
        return f"the {buyer - seller} between the limits {seller} and {buyer} is lost"
    if seller > buyer:
        return f"no deal was possible: the seller's limit {seller} is above the buyer's {buyer}"
    return f"no deal was possible: no price lies between the limits {seller} and {buyer}"


def rate(per_second: float) -> str:
    """Write a speed in negotiations per second, with three digits."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if per_second >= size:
            return f"{per_second / size:.3g} {unit} negotiations/s"
    return f"{per_second:.0f} negotiations/s"


def time_left(seconds: float) -> str:
    """Write a time to wait, such as `1:20 left`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    clock = f"{hours:,}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return f"{clock} left"


def game(scenario: Scenario) -> str:
    """Write a scenario in short: name, prices × rounds, and the kind of states if unusual."""
    states = " opener-aware" * scenario.opener_aware
    return f"{scenario.name} {scenario.n_prices}×{scenario.rounds}{states}{scenario.delta_text}"


def short(spec: str) -> str:
    """Shorten a spec: a strategy's to the stem of a file's name or a NegMAS negotiator's class.

    A program's is shortened to the name of its file, a learner's to its name and settings.
    """
    from negotiation_tui.learning.spec import PREFIX
    from negotiation_tui.players.spec import is_negmas, is_program, short_name

    spec = spec.removeprefix(PREFIX)
    if is_program(spec):
        return short_name(spec)
    if is_negmas(spec):
        return re.split("[:.]", spec)[-1]
    file = re.fullmatch(r"(.+?)\.(?:npz|py)(::\w+)?(:.*)?", spec)
    return spec if file is None else f"{PurePath(file[1]).name}{file[3] or ''}"


def before_first(keys: Keys, running: bool) -> str:
    """Return the announcement before the first negotiation."""
    return "the first negotiation is about to begin" if running else f"press {keys['run']} to begin"


Place = tuple[int, int]
"""A row and a column of the picture: row 0 is the opening, the others the prices on the table."""


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


def opened_at(scenario: Scenario, place: Place) -> bool:
    """True if a place is one of the case that the role opens: the first T − 1 columns."""
    row, column = place
    return row == 0 or column < scenario.rounds - 1


def place_of(shown: Transcript | None, role: Role) -> Place:
    """Return the place of the decision that a role must take now, or took last.

    The columns of the case that the other opens follow those of the case that the role opens.
    """
    position = last_position(shown, role)
    if position is None or position.standing_offer is None:
        return 0, 0
    game = position.scenario
    offers = game.offers(role.other)
    column = position.time + (0 if position.opened else game.rounds - 1)
    return 1 + position.standing_offer_index - offers.start, column


def state_at(plan: Plan, opened: bool, place: Place) -> int:
    """Return the state of a place."""
    (row, column), T = place, plan.scenario.rounds
    if not row:
        return START
    opened = opened_at(plan.scenario, place)
    time = column if opened else column - (T - 1)
    return int(plan.states(opened)[time, on_table(plan)[row - 1]])


def state_words(scenario: Scenario, state: int, opened: bool) -> str:
    """Name a state by the round in which the role decides: `opening`, or `offered 3, round 2`.

    A role that `opened` answers an offer in the round after it. The state may be one of a plan,
    which also tells who opened.
    """
    if state == START:
        return "opening"
    time, offer = divmod(state - 1, scenario.n_prices)
    return f"offered {scenario.prices[offer]}, round {time % scenario.rounds + 1 + opened}"


def words(decision: Decision, role: Role) -> str:
    """Describe a decision: `accept`, or `ask 4 (62%)`."""
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
