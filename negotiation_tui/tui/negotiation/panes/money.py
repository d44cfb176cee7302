"""Deals, money and the players' ways, told plainly."""

import textwrap
from collections.abc import Iterable, Iterator

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.runtime.text import between, fitting, plural
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.solvers.payoffs import first_best
from negotiation_tui.tui.negotiation import words
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import count, percent, rate, short, signed

_FIRST = 3
"""Number of groups of which one part each is told rather than all of fewer."""
_PLANS = "sums of the training{}; the bar shows the plans"
_GUESSES = ", with its guesses"


def draw_money(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw as many lines as have room, the most telling first."""
    draw_heading(canvas, model, pane, "Money and deals")
    groups = [[*filter(None, group)] for group in _groups(model)]
    rows, width = canvas.height - 1, max(1, canvas.width - 2)
    lines = [fitting(group, width) for group in groups]
    flowing = [[*_flowing(group, width)] for group in groups]
    for number in range(_FIRST, len(groups) + 1):
        whole = [line for group in flowing[:number] for line in group]
        lines = whole if len(whole) <= rows else lines
    for y, line in enumerate([*filter(None, lines)][:rows], 1):
        canvas.write(y, 1, line)


def summary(model: Model) -> Iterator[str]:
    """Yield the parts of one line that stands for panes without room, the most telling first."""
    yield _gain(model)
    yield from deals(model)
    yield shares(model)
    yield speed(model) or exploration(model)


def _groups(model: Model) -> Iterator[Iterable[str]]:
    yield deals(model)
    yield shares(model), wallets(model)
    yield exploration(model), _opponent(model), speed(model)
    yield _gains(model)
    yield _endings(model)
    hidden = model.learned.scenario.hidden
    yield (
        "Gains are from the own limit; possible: both together, if limits are known." * hidden
        or "Shares are of the surplus, which is lost without a deal.",
        "Wallets count prices, as in the original: the buyer's mirrors the seller's.",
    )


def _flowing(parts: Iterable[str], width: int) -> Iterator[str]:
    """Join parts with dots, into as few lines of this width as possible."""
    line = ""
    for part in parts:
        longer = f"{line} · {part}" if line else part
        if line and len(longer) > width:
            yield from _broken(line, width)
            longer = part
        line = longer
    yield from _broken(line, width)


def _broken(line: str, width: int) -> list[str]:
    """Break a line only if it is too long, because that takes time."""
    return textwrap.wrap(line, width) if len(line) > width else [line] if line else []


def deals(model: Model) -> Iterator[str]:
    """Yield the number of deals, their mean price and their rounds, over all cycles."""
    total = model.learned.statistics.total
    share = f" ({percent(total.deals / total.negotiations)})" if total.negotiations else ""
    yield f"{plural(total.deals, 'deal')} of {plural(total.negotiations, 'negotiation')}{share}"
    if total.mean_price is not None and total.mean_rounds is not None:
        yield f"mean price {total.mean_price:.2f}"
        yield f"{total.mean_rounds:.1f} rounds to a deal"


def _cycle(model: Model) -> str:
    """Name the cycle that money is counted in: the present one or, without one, the last."""
    done = model.snapshot.negotiations >= model.snapshot.parameters.total
    return "last cycle" if done else "this cycle"


def shares(model: Model) -> str:
    """Return each role's share of the surplus in the cycle; empty before its first negotiation.

    With hidden limits the mean gain of each role, as the distance of prices from its limits, and
    that of both in all games if every deal is made that gains something.
    """
    cycle = CycleStatistics(model.learned.statistics.last_cycle[None])
    if not cycle.negotiations[0]:
        return ""
    scenario = model.learned.scenario
    seller, buyer = cycle.mean_rewards(scenario)[0].tolist()
    if scenario.hidden:
        amounts = (gain * scenario.width for gain in (seller, buyer, first_best(scenario)))
        gains = "mean gain {}: seller {:z.2f}, buyer {:z.2f}, possible {:.2f} on average"
        return gains.format(_cycle(model), *amounts).replace("-", "−")
    lost = f", lost {percent(1 - seller - buyer)}" if min(seller, buyer) >= 0 else ""
    return f"shares {_cycle(model)}: seller {percent(seller)}, buyer {percent(buyer)}{lost}"


def wallets(model: Model) -> str:
    """Return the gains of both wallets in the cycle."""
    wallet = model.learned.statistics.left_over
    return f"wallets {_cycle(model)}: seller {signed(wallet)}, buyer {signed(-wallet)}"


def _gain(model: Model) -> str:
    nash_conv = model.learned.nash_conv
    if nash_conv is None:
        return ""
    return f"could still gain {between(*nash_conv.bounds, 2)} (NashConv)"


def _gains(model: Model) -> Iterator[str]:
    """Yield NashConv with the gain of each role's best response, which add up to it."""
    nash_conv = model.learned.nash_conv
    if nash_conv is not None:
        seller, buyer = (between(*bounds, 2) for bounds in nash_conv.gain_bounds)
        yield f"{_gain(model)}: seller {seller}, buyer {buyer}"
        yield "each by its best answer to the other"


def _endings(model: Model) -> Iterator[str]:
    """Yield the number of negotiations by the role that ended them."""
    total = model.learned.statistics.total
    for name, seller, buyer in (
        ("accepted (validated)", total.agreements_seller, total.agreements_buyer),
        ("walked away (rejected)", total.breakdowns_seller, total.breakdowns_buyer),
    ):
        yield f"{name}: seller {count(seller)}, buyer {count(buyer)}"


def exploration(model: Model) -> str:
    """Return how those who learn choose; empty before the first negotiation."""
    if model.playback is None:
        return ""
    shown = model.playback.negotiation
    if shown.learner is None:
        person = model.snapshot.score is not None or PERSON in model.snapshot.strategies
        trained = None in model.snapshot.strategies and not person
        guesses = not all(words.choice(model.snapshot, role) for role in Role)
        plans = _PLANS.format(_GUESSES * guesses)
        return plans if shown.test and trained else "nobody learns"
    return words.exploration(model.learned, shown)


def _opponent(model: Model) -> str:
    """Return the way in which the learner's opponent plays."""
    shown = model.playback.negotiation if model.playback else None
    if shown is None or shown.learner is None:
        return ""
    if shown.together:
        return "both learn in every cycle"
    role = shown.learner.other
    spec = model.learned.strategies[role]
    plays = "what it knew a cycle ago (frozen)" if spec is None else short(spec)
    return f"the {role} plays {plays}"


def speed(model: Model) -> str:
    """Return the negotiations per second; empty while each one is seen."""
    per_second = model.snapshot.per_second
    if not per_second or not model.free_running:
        return ""
    return f"{rate(per_second)} {'compiled' if model.snapshot.compiled else 'plain Python'}"
