"""The games since the start, as a ribbon: noise that settles."""

from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.ribbon import draw_ribbon


def draw_games(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the ribbon below a heading."""
    title = "Games"
    draw_heading(canvas, model, pane, title)
    area = canvas.subcanvas(Rect(0, 1, canvas.height, canvas.width - 2))
    _draw(area, model, len(title) + 5)


def draw_games_line(canvas: Canvas, model: Model) -> None:
    """Draw the ribbon on the rows that stand for the pane."""
    _draw(canvas, model)


def _draw(canvas: Canvas, model: Model, indent: int = 0) -> None:
    games = model.games_shown
    canvas.tell("field", "games", *map(str, max((game.key for game in games), default=())))
    draw_ribbon(canvas, games, model.snapshot.scenario.width, indent)
