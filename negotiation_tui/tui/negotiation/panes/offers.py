"""The offers of the negotiation on the bar, price over rounds: both concession curves."""

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.plans_shown import strip
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import draw_axes
from negotiation_tui.tui.toolkit.paned import draw_heading

_LEGEND = "● buyer ○ seller ◆ deal"
_GLYPHS = {Role.BUYER: "●", Role.SELLER: "○"}


class _Chart:
    """Maps prices to rows and turns to columns of the pane."""

    def __init__(self, canvas: Canvas, scenario: Scenario) -> None:
        self.low, self.high = scenario.prices[0], scenario.prices[-1]
        self.height, self.step, self._rows = self._scale(canvas.height - 3)
        self.axis = max(len(str(self.low)), len(str(self.high))) + 2
        width = canvas.width - self.axis - 3
        self._rounds = scenario.rounds
        self._per_round = min(8.0, width / scenario.rounds)

    def _scale(self, most: int) -> tuple[int, int, int]:
        """Return the height, the prices between two labels, and the rows between them.

        Both are whole numbers, so that every label stands on the row of its price.
        """
        best = 0, 1, 1
        for step in (base * 10**power for power in range(10) for base in (1, 2, 5)):
            labels = -(-(self.high - self.low) // step)
            rows = (most - 1) // labels
            if labels * rows + 1 > best[0] and rows:
                best = labels * rows + 1, step, rows
            if best[0] > most / 2:
                break
        return best

    def row(self, price: int) -> int:
        return 1 + min(self.height - 1, int((self.high - price) / self.step * self._rows + 0.5))

    @property
    def exact(self) -> bool:
        """True if every price may have a row of its own."""
        return self.step <= self._rows

    def fits(self, every: int) -> bool:
        """True if there is room for the number of one in `every` rounds."""
        return every * self._per_round >= len(str(self._rounds)) + 1 or every >= self._rounds

    def column(self, ply: int) -> int:
        return self.axis + 2 + int(ply / 2 * self._per_round)


def draw_offers(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw a dot for each offer, a diamond for the deal, and a line at each limit that is shown."""
    limits = [(role, own.drawn) for role in Role if (own := strip(model, role))]
    shown = [(role, limit) for role, limit in limits if limit is not None]
    legend = f"{_LEGEND} ┄ limit" if shown else _LEGEND
    draw_heading(canvas, model, pane, "Offers", legend, _LEGEND)
    scenario = model.snapshot.scenario
    chart = _Chart(canvas, scenario)
    if chart.height < 2:
        return
    _draw_axes(canvas, chart, scenario)
    for role, limit in shown:
        if chart.low <= limit <= chart.high:
            line = "┄" * (canvas.width - chart.axis - 2)
            canvas.write(chart.row(limit), chart.axis + 1, line, f"{role}-range")
    turns = model.playback.turns if model.playback else ()
    begun = model.playback.shown.first_ply if model.playback else 0
    rows = [None if turn.price is None else chart.row(turn.price) for turn in turns]
    for n, (turn, row) in enumerate(zip(turns, rows, strict=True)):
        if row is not None:
            x = chart.column(begun + n)
            if not chart.exact and row not in rows[n + 1 : n + 2]:
                canvas.write(row, x + 1, str(turn.price), "faint")
            closing = turn.action >= scenario.accept
            glyph, style = ("◆", "bold") if closing else (_GLYPHS[turn.role], str(turn.role))
            canvas.write(row, x, glyph, style)


def _draw_axes(canvas: Canvas, chart: _Chart, scenario: Scenario) -> None:
    foot = 1 + chart.height
    prices = (price for price in scenario.prices if (chart.high - price) % chart.step == 0)
    labels = [(chart.row(price), str(price)) for price in (*prices, chart.low)]
    draw_axes(canvas, chart.axis, foot, canvas.width - chart.axis - 2, labels)
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if chart.fits(n))
    free = 0
    for number in range(every, scenario.rounds + 1, every):
        x = chart.column(2 * (number - 1))
        canvas.write(foot + 1, x, str(number), "faint")
        free = x + len(str(number)) + 1
    if free <= canvas.width - len("round "):
        canvas.write_right(foot + 1, "round ", "faint")
