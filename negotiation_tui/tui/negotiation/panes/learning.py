"""The course of a training: curves of gains, deals and prices, and what is known of it in words."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.nash_conv_series import Reached, none_missing, per_doubling
from negotiation_tui.learning.statistics import NO_SINGLE_LEARNER, CycleStatistics
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.text import between, plural
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.solvers.payoffs import Pairs, first_best
from negotiation_tui.tui.negotiation import words
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.wallets import UNKNOWN, wallets_of
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import (
    Chart,
    Curve,
    Scale,
    chart_words,
    curve,
    draw_charts,
    most_rows,
    round_steps,
)
from negotiation_tui.tui.widgets.price_bar import prices_of, theory_text
from negotiation_tui.tui.widgets.words import percent, rate, short

_TWO = 72  # least width of two charts side by side


def draw_curves(area: Canvas, model: Model, left: int) -> None:
    """Draw the curves of the training, below both halves of the ribbon if there is room for two.

    `left` is the column of the axis in each half.
    """
    columns, snapshot = 1 + (area.width >= _TWO), model.pane_snapshot
    charts = _charts(snapshot, columns * most_rows(area))
    area.tell("field", "curves", f"{snapshot.negotiations}")
    area.tell("pane", *chart_words(charts))
    draw_charts(area, charts, snapshot.parameters.cycles, columns, left * (columns > 1))


@lru_cache(maxsize=4)
def _charts(snapshot: Snapshot, most: int) -> tuple[Chart, ...]:
    return tuple(islice(_each_chart(snapshot), most))


def _each_chart(snapshot: Snapshot) -> Iterator[Chart]:
    scenario = snapshot.scenario
    yield _nash_conv(snapshot)
    yield from _reached(snapshot)
    rows = _Rows(snapshot)
    yield from _shares(rows, snapshot)
    deals = rows.by_learner(rows.statistics.deal_rates)
    possible = [Pairs.of(scenario).possible] if scenario.hidden else []
    names = (*(["deals, possible in " + percent(p) for p in possible]), "negotiations with a deal")
    yield Chart((*names, "deals in practice", "deals"), Scale(0, 1, percent), deals, possible)
    levels = _in_theory(snapshot)
    theory = f"mean price, {theory_text(levels)}"
    names = (*([theory] if levels else []), "mean price", "price")
    scale = Scale(scenario.prices[0], scenario.prices[-1], _price, 1)
    yield Chart(names, scale, rows.by_learner(rows.statistics.mean_prices), levels)
    scale = Scale(0, scenario.rounds, _number, 1)
    yield Chart(("rounds to a deal",), scale, rows.by_learner(rows.statistics.mean_rounds))


def _judged(snapshot: Snapshot, x: Ints, y: Floats) -> Curve:
    """Return the curve of what was computed after some cycles, with a gap where one is missing."""
    return Curve((), x, y, none_missing(x, per_doubling(snapshot.scenario)), "bold")


class _Rows:
    """The finished rows of the statistics, by the role that learned in them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.statistics = snapshot.whole_cycles
        shown = snapshot.negotiation
        self._both = self.statistics.period > 1 or (shown is not None and len(shown.learners) > 1)
        self._learner = self.statistics.learner_of_rows(snapshot.learners)
        self.learners = [n for n in (*Role, NO_SINGLE_LEARNER) if n in self._learner]
        """The learners that rows are of; each explores in its own, so they are drawn apart."""

    def who_learns(self, learner: int) -> str:
        if learner == NO_SINGLE_LEARNER:
            return "both learn" if self._both else "nobody learns"
        return f"{Role(learner)} learns"

    def curve(
        self, names: Sequence[str], values: Floats, style: int, learners: Collection[int]
    ) -> Curve:
        """Return a curve in the style of a role, or of none, over the rows of some learners."""
        cycles, learned = self.statistics.cycles, np.isin(self._learner, [*learners])
        # While two learn in turn, the cycle of the other is no gap.
        reach = self.statistics.period * (1 if learned.all() else 2)
        name = "bold" if style == NO_SINGLE_LEARNER else str(Role(style))
        return curve(names, cycles[learned], values[learned], reach, name, style == Role.BUYER)

    def by_learner(self, values: Floats) -> list[Curve]:
        """Return a curve for each learner's cycles, with a name if there are several."""
        if len(self.learners) < 2:
            return [self.curve(("",), values, NO_SINGLE_LEARNER, self.learners)]
        seller, buyer = ((f"{role}'s cycles", str(role)) for role in Role)
        names = {NO_SINGLE_LEARNER: ("other cycles", "other"), 0: seller, 1: buyer}
        return [self.curve(names[each], values, each, (each,)) for each in self.learners]


def _shares(rows: _Rows, snapshot: Snapshot) -> Iterator[Chart]:
    """Yield the shares of the surplus in practice, apart by the role that learned."""
    shares, scale = rows.statistics.mean_rewards(snapshot.scenario), _share_scale(snapshot)
    possible = "possible " * snapshot.scenario.hidden
    if possible:
        shares = shares / (first_best(snapshot.scenario) or 1.0)
    for learner in rows.learners:
        curves = [rows.curve((str(role),), shares[:, role], role, (learner,)) for role in Role]
        who = f" while {rows.who_learns(learner)}" * (len(rows.learners) > 1)
        name = f"share of the {possible}surplus in practice"
        yield Chart((f"{name}{who}", f"in practice{who}"), scale, curves)


def _nash_conv(snapshot: Snapshot) -> Chart:
    now, width = _gained(snapshot), snapshot.scenario.width
    pairs = np.array(snapshot.nash_convs, np.float64).reshape(-1, 2)
    x, y = pairs[:, 0].astype(np.int64), width * pairs[:, 1]
    lines = [_judged(snapshot, x, y)]
    if snapshot.reached:
        x, (least, y, _, _) = _values_reached(snapshot)
        least, y = width * least, width * y
        lines = [most := _judged(snapshot, x, y)]
        if (least < y).any():
            lines = [most._replace(names=("at most",))]
            lines += [most._replace(names=("at least",), y=least, style="faint", broken=True)]
    name = f"still to gain, both together{f':{now} coins' * bool(now)}"
    names = f"{name} (NashConv)", name, f"still to gain{f':{now}' * bool(now)}"
    return Chart(names, Scale(0, _top(y, 0.05 * width), _number), lines)


def _top(values: Floats, least: float) -> float:
    """Return a round number above all values, and at least `least`."""
    most = max(least, float(values.max(initial=least)))
    return most if most == least else next(s / 100 for s in round_steps() if s / 100 >= most)


def _gained(snapshot: Snapshot) -> str:
    """Return what is still to gain, both sides added, in coins; empty if it is not known."""
    nash_conv = snapshot.theory.nash_conv
    return "" if nash_conv is None else f" {_between(snapshot, nash_conv.bounds)}"


def _between(snapshot: Snapshot, bounds: tuple[float, float]) -> str:
    least, most = bounds
    return between(snapshot.scenario.width * least, snapshot.scenario.width * most, 2)


def _reached(snapshot: Snapshot) -> Iterator[Chart]:
    """With hidden limits yield the efficiency of the plans, below the ceilings, and pretending."""
    if not snapshot.scenario.hidden:
        return
    x, (_, _, efficiency, pretending) = _values_reached(snapshot)
    both = snapshot.theory.ceiling, snapshot.theory.ceiling_with_waits
    ceilings = sorted({each for each in both if each is not None})
    now = f" {percent(efficiency[-1])}" if len(x) else ""
    gains = f", pretending gains {_number(pretending[-1])}" if len(x) else ""
    most = [f"efficiency{now}"]
    for name, share in zip(("undiscounted ceiling", "with waits"), ceilings, strict=False):
        most.append(f"{most[-1]}, {name} {percent(share)}")
    names = f"{most[-1]}{gains}", *most[::-1], "efficiency"
    yield Chart(names, Scale(0, 1, percent), [_judged(snapshot, x, efficiency)], ceilings)
    scale, line = Scale(0, _top(pretending, 0.05), _number), _judged(snapshot, x, pretending)
    yield Chart(("gain by pretending", "pretending"), scale, [line])


def _values_reached(snapshot: Snapshot) -> tuple[Ints, Floats]:
    """Return the judged cycles, and the other fields of `Reached`."""
    values = np.array(snapshot.reached, np.float64).reshape(-1, len(Reached._fields))
    return values[:, 0].astype(np.int64), values[:, 1:].T


def _share_scale(snapshot: Snapshot) -> Scale:
    scenario = snapshot.scenario
    if scenario.hidden:
        return Scale(0, 1, percent)
    ends = [scenario.reward(role, price) for role in Role for price in scenario.zopa or ()]
    return Scale(math.floor(min([0.0, *ends])), math.ceil(max([1.0, *ends])), percent)


def _in_theory(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the prices in equilibrium if one role alone opens; no game has a mean of both."""
    openers = snapshot.opener.roles
    return prices_of(snapshot.theory.equilibria[openers[0]]) if len(openers) == 1 else ()


def _number(value: float) -> str:
    return f"{value:.3g}"


def _price(value: float) -> str:
    return f"{value:.{0 if value.is_integer() else 2}f}"


def summary(model: Model) -> Iterator[str]:
    """Yield the parts of one line that stands for panes without room, the most telling first."""
    yield openers_coins(model)
    yield _gain(model)
    yield speed(model) or exploration(model)


def openers_coins(model: Model) -> str:
    """Return the coins of the opener per game, of each kind of players; empty if none is known."""
    first, *more = [
        f"{each.opener}{{}} {'by ' * (each.kind == 'rules')}{each.kind}"
        for each in wallets_of(model)
        if each.opener != UNKNOWN
    ] or [""]
    first = first.format(" coins")
    return f"The opener gets {', '.join((first, *(each.format('') for each in more)))}" * bool(
        first
    )


def groups(model: Model) -> Iterator[Iterable[str]]:
    nash_conv, total = model.pane_snapshot.theory.nash_conv, model.pane_snapshot.statistics.total
    yield deals(model)
    yield (shares_text(model),)
    yield exploration(model), _opponent(model), speed(model)
    if nash_conv is not None:
        yield _gain(model), f"together{_gained(model.pane_snapshot)} coins (NashConv)"
    accepted = f"seller {total.agreements_seller:,}, buyer {total.agreements_buyer:,}"
    walked = f"seller {total.breakdowns_seller:,}, buyer {total.breakdowns_buyer:,}"
    yield f"accepted: {accepted}", f"walked away: {walked}"
    hidden = model.pane_snapshot.scenario.hidden
    waits = " and by waiting" * model.pane_snapshot.scenario.time_costs
    yield (
        "Gains are from the own limit; possible: both together, if limits are known." * hidden
        or f"Shares are of the surplus, which is lost without a deal{waits}.",
    )


def deals(model: Model) -> Iterator[str]:
    """Yield the number of deals, their mean price and their rounds, over all cycles."""
    total = model.pane_snapshot.statistics.total
    share = f" ({percent(total.deals / total.negotiations)})" if total.negotiations else ""
    of = plural(total.negotiations, "negotiation")
    yield f"in all cycles {plural(total.deals, 'deal')} of {of}{share}"
    if total.mean_price is not None and total.mean_rounds is not None:
        yield f"mean price in all cycles {total.mean_price:.2f}"
        yield f"rounds to a deal in all cycles {total.mean_rounds:.1f}"


def shares_text(model: Model) -> str:
    """Return each role's share of the surplus in the cycle; empty before its first negotiation.

    With hidden limits the mean gain of each role, as the distance of prices from its limits, and
    that of both in all games if every deal is made that gains something.
    """
    cycle = CycleStatistics(model.pane_snapshot.statistics.last_cycle[None])
    if not cycle.negotiations[0]:
        return ""
    scenario, now = model.pane_snapshot.scenario, model.snapshot
    which = "last" if now.negotiations >= now.parameters.total else "present"
    seller, buyer = cycle.mean_rewards(scenario)[0].tolist()
    if scenario.hidden:
        gained = (gain * scenario.width for gain in (seller, buyer, first_best(scenario)))
        gains = "{} training cycle, mean gain: seller {:z.2f}, buyer {:z.2f}, possible {:.2f}"
        return gains.format(which, *gained).replace("-", "−")
    lost = (
        f", {percent(1 - seller - buyer)} lost to failed deals" if min(seller, buyer) >= 0 else ""
    )
    both = f"seller {percent(seller)}, buyer {percent(buyer)}{lost}"
    return f"{which} training cycle: {both}"


def _gain(model: Model) -> str:
    """Return what each side could gain if the other stays as it is; empty if it is not known."""
    snapshot = model.pane_snapshot
    nash_conv = snapshot.theory.nash_conv
    if nash_conv is None:
        return ""
    gains = zip(Role, nash_conv.gain_bounds, strict=True)
    more = [f"the {role} {_between(snapshot, each)} more" for role, each in gains if each[1]]
    if not more:
        return "neither can gain by changing only its own plan"
    return f"a better plan would earn {', '.join(more)}"


def exploration(model: Model) -> str:
    """Return how those who learn choose; empty before the first negotiation."""
    if model.playback is None:
        return ""
    shown = model.playback.negotiation
    if not shown.learners:
        return "nobody learns"
    return words.exploration_text(model.pane_snapshot, shown)


def _opponent(model: Model) -> str:
    shown = model.playback.negotiation if model.playback else None
    if shown is None or not shown.learners:
        return ""
    if len(shown.learners) > 1:
        return "both learn in every cycle"
    role = shown.learners[0].other
    spec = model.pane_snapshot.seating.strategies[role]
    plays = "as it knew how to a cycle ago" if spec is None else short(spec)
    return f"the {role} plays {plays}"


def speed(model: Model) -> str:
    """Return the negotiations per second; empty while each one is seen."""
    per_second = model.snapshot.status.per_second
    if not per_second or not model.free_running:
        return ""
    return f"{rate(per_second)} {'compiled' if model.snapshot.status.compiled else 'plain Python'}"
