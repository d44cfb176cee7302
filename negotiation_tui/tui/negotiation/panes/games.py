"""The games since the start, as a ribbon: noise that settles; and the curves of the training."""

from negotiation_tui.game.roles import Role, pair
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.learning import draw_curves
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.widgets.price_bar import FILLS
from negotiation_tui.tui.widgets.ribbon import Past, axis_of, draw_ribbon

_CURVES = 18  # rows of a pane from which curves stand below the ribbon
_RIBBON = 9
_MARGIN = 6  # columns before the cycles, so that labels of curves have room


def draw_games(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw the ribbon below a heading; in a high pane curves below it."""
    title = "Games"
    fills = [f"{FILLS[role][1]} {role}" for role in Role]
    legend = " ".join([*fills, "▲ theory"])
    draw_heading(canvas, model, pane, title, legend if canvas.width >= 82 else "")
    ribbon = max(_RIBBON, canvas.height // 3) if canvas.height >= _CURVES else canvas.height
    area = canvas.subcanvas(Rect(0, 1, ribbon, canvas.width - 2))
    margin = _MARGIN * (canvas.height >= _CURVES)
    _draw(area, model, len(title) + 5, margin)
    if canvas.height > ribbon + 5:
        below = Rect(ribbon + 1, 1, canvas.height - ribbon - 1, canvas.width - 2)
        draw_curves(canvas.subcanvas(below), model, axis_of(area.width, past_of(model), margin))


def draw_games_line(canvas: Canvas, model: Model) -> None:
    """Draw the ribbon on the rows that stand for the pane."""
    _draw(canvas, model)


def _draw(canvas: Canvas, model: Model, indent: int = 0, margin: int = 0) -> None:
    past = past_of(model)
    newest = max((game.key for game in past.games), default=())
    canvas.tell("field", "games", *map(str, newest))
    draw_ribbon(canvas, past, indent, margin)


def past_of(model: Model) -> Past:
    """Return the games up to the moment on the screen, and the coins that theory predicts."""
    snapshot, games = model.snapshot, model.games_shown
    paths = ([each.path for each in found] for found in snapshot.theory.equilibria)
    theory = pair(
        tuple(sorted({path.gains[Role.SELLER] for path in each if path.outcome.deal}))
        for each in paths
    )
    cycles, per = snapshot.parameters.cycles, snapshot.parameters.episodes
    return Past(games, snapshot.scenario.width, max(1, cycles), max(1, per), theory)
