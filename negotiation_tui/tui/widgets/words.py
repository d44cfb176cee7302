"""Numbers and names as all screens write them."""

import re
from pathlib import PurePath

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.toolkit.keys import Keys

VERBS = {Role.SELLER: "asks", Role.BUYER: "offers"}


def signed(amount: int) -> str:
    """Write a sum of money with its sign."""
    return f"{amount:+,}".replace("-", "−") if amount else "0"


def percent(share: float) -> str:
    """Write a share in hundredths, never as −0."""
    return f"{share * 100:z.0f} %".replace("-", "−")


def earnings(game: Scenario, reward: float) -> str:
    """Write a reward; with hidden limits as money, the distance of a price from the own limit."""
    if not game.origin.hidden:
        return f"{reward:.2f}"
    return f"{reward * game.origin.width:z.1f}".removesuffix(".0").replace("-", "−")


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
    states = " opener-aware" if scenario.opener_aware else ""
    return f"{scenario.name} {scenario.n_prices}×{scenario.rounds}{states}"


def short(spec: str) -> str:
    """Shorten a spec: a strategy's to the stem of a file's name or a NegMAS negotiator's class.

    A program's is shortened to the name of its file, a learner's to its name and settings.
    """
    from negotiation_tui.learning.spec import PREFIX
    from negotiation_tui.players.negmas_player import is_negmas
    from negotiation_tui.players.program import is_program, short_name

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
