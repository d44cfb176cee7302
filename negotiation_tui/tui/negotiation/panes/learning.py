"""The course of a training: curves of gains, deals and prices, and what is known of it in words."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

import numpy as np

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.nash_conv_series import Reached, none_missing, per_doubling
from negotiation_tui.learning.statistics import NO_SINGLE_LEARNER, CycleStatistics
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.text import between, plural
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.solvers.payoffs import Pairs, first_best
from negotiation_tui.tui.negotiation import words
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.wallets import UNKNOWN, wallets_of
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
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
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.words import percent, rate, short

_TWO, _THREE = 90, 150  # least width of a pane with two and with three charts side by side
_WIDE, _TALL = 110, 22  # the smallest pane with all charts


def draw_learning(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the charts that have room; in a large pane all of them, side by side."""
    many = canvas.width >= _WIDE and canvas.height >= _TALL
    draw_heading(canvas, model, pane, "Learning", "by cycle")
    columns = 1 + (canvas.width >= _TWO) + (canvas.width >= _THREE)
    area = canvas.subcanvas(Rect(1, 1, canvas.height - 1, canvas.width - 2))
    charts = _charts(model.pane_snapshot, many, columns * most_rows(area))
    canvas.tell("field", "curves", f"{model.pane_snapshot.negotiations}")
    canvas.tell("pane", *chart_words(charts))
    draw_charts(area, charts, model.pane_snapshot.parameters.cycles, columns)


def draw_curves(area: Canvas, model: Model) -> None:
    """Draw the curves that the ribbon does not have, below it."""
    columns = 1 + (area.width >= _TWO) + (area.width >= _THREE)
    charts = _charts(model.pane_snapshot, True, 1 + columns * most_rows(area))[1:]
    draw_charts(area, charts, model.pane_snapshot.parameters.cycles, columns)


@lru_cache(maxsize=4)
def _charts(snapshot: Snapshot, many: bool, most: int) -> tuple[Chart, ...]:
    return tuple(islice(_each_chart(snapshot, many), most))


def _each_chart(snapshot: Snapshot, many: bool) -> Iterator[Chart]:
    scenario = snapshot.scenario
    yield from _openers(snapshot)
    yield _nash_conv(snapshot, many)
    yield from _reached(snapshot, many)
    rows = _Rows(snapshot)
    if many:
        yield from _shares(rows, snapshot)
    deals = rows.by_learner(rows.statistics.deal_rates)
    possible = [Pairs.of(scenario).possible] if scenario.hidden else []
    names = (*(["deals, possible in " + percent(p) for p in possible]), "negotiations with a deal")
    yield Chart((*names, "deals in practice", "deals"), Scale(0, 1, percent), deals, possible)
    levels = _in_theory(snapshot, lambda _, path: path.outcome.price or 0)
    theory = f"mean price, theory {'–'.join(map(_number, levels))}"
    names = (*([theory] if levels else []), "mean price", "price")
    scale = Scale(scenario.prices[0], scenario.prices[-1], _price, 1)
    yield Chart(names, scale, rows.by_learner(rows.statistics.mean_prices), levels)
    if many:
        scale = Scale(0, scenario.rounds, _number, 1)
        yield Chart(("rounds to a deal",), scale, rows.by_learner(rows.statistics.mean_rounds))


def _openers(snapshot: Snapshot) -> Iterator[Chart]:
    """Yield the opener's coins by the plans of each cycle, with theory as a line."""
    openers = snapshot.opener.roles
    series = [each for each in snapshot.story.coins if each[0]]  # the axis begins with cycle 1
    if not series:
        return
    x = np.array([cycle for cycle, _ in series], np.int64)
    y = np.array([coins.of_opener(openers) for _, coins in series])
    levels = _in_theory(snapshot, lambda role, path: path.gains[role])
    theory = f", theory {'–'.join(map(_number, levels))}" if levels else ""
    learns = None in snapshot.seating.strategies  # else it is no curve of those who sit
    name = f"{'the opener gets' if learns else 'learned: opener'} {_number(y[-1])}"
    short = f"{'opener' if learns else 'learned:'} {_number(y[-1])}{theory}"
    names = f"{name} coins{theory}", f"{name}{theory}", short, name, "opener's coins"
    top = _top(np.append(y, levels), float(snapshot.scenario.width))
    yield Chart(names, Scale(min(0.0, y.min()), top, _number), [_judged(snapshot, x, y)], levels)


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


def _nash_conv(snapshot: Snapshot, many: bool) -> Chart:
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
    top = _top(y, width * (0.05 if snapshot.scenario.hidden else 1.0))
    name = f"still to gain:{now}" if now else "still to gain"
    names = f"{name} coins together (NashConv)", f"{name} coins", name
    return Chart(names[not many :], Scale(0, top, _number), lines)


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


def _reached(snapshot: Snapshot, many: bool) -> Iterator[Chart]:
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
    if many:
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


def _in_theory(snapshot: Snapshot, value: Callable[[Role, Transcript], float]) -> list[float]:
    """Return the least and the most of a value of an opener and its deal, once if equal.

    Each is a mean over the openers, at their deals in equilibrium.
    """
    paths = ([each.path for each in found] for found in snapshot.theory.equilibria)
    deals = [[path for path in each if path.outcome.deal] for each in paths]
    values = [[value(role, path) for path in deals[role]] for role in snapshot.opener.roles]
    if not all(values):
        return []
    return sorted({sum(map(end, values)) / len(values) for end in (min, max)})


def _number(value: float) -> str:
    return f"{value:.3g}"


def _price(value: float) -> str:
    return f"{value:.{0 if value.is_integer() else 2}f}"


def summary(model: Model) -> Iterator[str]:
    """Yield the parts of one line that stands for panes without room, the most telling first."""
    opener = [f"{each.kind} {each.opener}" for each in wallets_of(model) if each.opener != UNKNOWN]
    yield f"The opener gets per game: {', '.join(opener)} coins" if opener else ""
    yield _gain(model)
    yield speed(model) or exploration(model)


def groups(model: Model) -> Iterator[Iterable[str]]:
    nash_conv, total = model.pane_snapshot.theory.nash_conv, model.pane_snapshot.statistics.total
    yield deals(model)
    yield (shares_text(model),)
    yield exploration(model), _opponent(model), speed(model)
    if nash_conv is not None:
        total_gain = f"still to gain:{_gained(model.pane_snapshot)} coins together (NashConv)"
        yield _gain(model), total_gain
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
    which = (
        "last training cycle" if now.negotiations >= now.parameters.total else "this training cycle"
    )
    seller, buyer = cycle.mean_rewards(scenario)[0].tolist()
    if scenario.hidden:
        gained = (gain * scenario.width for gain in (seller, buyer, first_best(scenario)))
        gains = "mean gain {}: seller {:z.2f}, buyer {:z.2f}, possible {:.2f} on average"
        return gains.format(which, *gained).replace("-", "−")
    lost = f", {percent(1 - seller - buyer)} lost" if min(seller, buyer) >= 0 else ""
    both = f"seller {percent(seller)}, buyer {percent(buyer)}{lost}"
    return f"{which}: {both}"


def _gain(model: Model) -> str:
    """Return what each side could gain if the other stays as it is; empty if it is not known."""
    snapshot = model.pane_snapshot
    nash_conv = snapshot.theory.nash_conv
    if nash_conv is None:
        return ""
    seller, buyer = (_between(snapshot, bounds) for bounds in nash_conv.gain_bounds)
    return f"a better plan would earn the seller {seller} more, the buyer {buyer} more"


def exploration(model: Model) -> str:
    """Return how those who learn choose; empty before the first negotiation."""
    if model.playback is None:
        return ""
    shown = model.playback.negotiation
    if not shown.learners:
        person = model.snapshot.score is not None or PERSON in model.snapshot.seating.strategies
        trained = None in model.snapshot.seating.strategies and not person
        return "the bar shows best play" if shown.test and trained else "nobody learns"
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
