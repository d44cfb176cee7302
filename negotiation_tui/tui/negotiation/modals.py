"""The boxes on top of the screen as lines of text, and the end of the help. Pure."""

from collections.abc import Callable

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.runtime.text import table
from negotiation_tui.tui.negotiation.menus import (
    CHOOSES,
    MENUS,
    SEATS,
    SETTINGS,
    WHAT_IF,
    menu_lines,
    settings_lines,
)
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.score import score_lines
from negotiation_tui.tui.negotiation.why import WHY, why_title
from negotiation_tui.tui.negotiation.words import learned
from negotiation_tui.tui.toolkit.boxes import draw_box, modal_rows, wrapped
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.help_box import HELP, draw_help, draw_list
from negotiation_tui.tui.widgets.plan_words import state_words
from negotiation_tui.tui.widgets.words import short

TITLES = {
    "test": "Test of both seats",
    "seller": "The seller's seat",
    "buyer": "The buyer's seat",
    WHAT_IF: "What if",
    "score": "Your score",
}


def title(model: Model) -> str:
    """Return the title of the box on top."""
    position = model.playback.position if model.playback else None
    if model.modal == WHAT_IF and position is not None:
        state = state_words(position.scenario, position.state, position.opened)
        return f"What if the {position.role}, {state}"
    if model.modal == WHY:
        return why_title(model)
    if model.modal == SETTINGS and model.seat:
        return f"{TITLES[str(model.seat[0])]}: settings"
    if model.modal in SEATS:
        typed = f"{model.typed}_" if model.typed else "type to search"
        return f"{TITLES[model.modal]}: {typed}"
    return TITLES[model.modal] if model.modal else ""


def modal_lines(model: Model) -> tuple[str, ...]:
    """Return the lines of the box on top, wrapped; of a list those that can be marked."""
    if model.modal in MENUS:
        return tuple(line.text for line in menu_lines(model) if line.stop)
    return wrapped(_TEXTS[model.modal](model) if model.modal else (), model.width, 2)


def draw_modal(canvas: Canvas, model: Model) -> None:
    """Draw the box on top of the panes, if there is one."""
    name, row, close = model.modal, model.modal_row, f"{model.keys['close']} closes"
    if name == HELP:
        draw_help(canvas, model)
    elif name in MENUS:
        lines = menu_lines(model)
        width = min(max(len(line.text) for line in lines), canvas.width - 4)
        ends = model.keys.format(CHOOSES.get(name, "{take} chooses")), close
        draw_list(canvas, title(model), lines, row, ends, width)
    elif name:
        shown = modal_lines(model)
        first = max(0, min(row, len(shown) - modal_rows(model.height)))
        chooses = model.keys.format(CHOOSES[name]) + " · " if name in CHOOSES else ""
        leaves = close.replace("closes", "leaves") if name == "score" else close
        draw_box(canvas, title(model), shown, first, chooses + leaves)


def _test(model: Model) -> tuple[str, ...]:
    snapshot = model.latest
    if not snapshot.tests:
        return ("playing …",)
    results = snapshot.tests
    seller, buyer = (
        short(name) if name else "its " + learned(snapshot.algorithms[role], "plan")
        for role, name in zip(Role, snapshot.strategies, strict=True)
    )
    number = f"{results[0].totals.negotiations:,} negotiations"
    rows = [["", *(result.rule.removeprefix("as-") for result in results)]]
    rows += [[label, *(_number(result, field) for result in results)] for label, field in _ROWS]
    return (
        f"the seller plays {seller}, the buyer {buyer}:",
        f"{number} in which nobody learns or guesses",
        "",
        *table(rows, "<24", ">12", width=model.width - 4),
        "",
        "corrected: by the rules, wallets from zero",
        "published: the opener repeats its opening offer and cannot accept,",
        "and the wallets begin with their contents after the last training cycle",
        "ties and mixed plans are drawn at random, so each test differs",
    )


_ROWS = (
    ("accepted", "agreements"),
    ("  by the seller", "agreements_seller"),
    ("  by the buyer", "agreements_buyer"),
    ("walked away", "breakdowns"),
    ("  by the seller", "breakdowns_seller"),
    ("  by the buyer", "breakdowns_buyer"),
    ("seller's wallet", "seller_wallet"),
    ("buyer's wallet", "buyer_wallet"),
    ("mean price", "mean_price"),
    ("rounds to a deal", "mean_rounds"),
)


def _number(result: Evaluation, field: str) -> str:
    value = result.to_dict()[field]
    if value is None:
        return "none"
    if isinstance(value, float):
        return f"{value:.2f}"
    return f"{value:,}".replace("-", "−")


_TEXTS: dict[str, Callable[[Model], tuple[str, ...]]] = {
    "test": _test,
    "score": score_lines,
    SETTINGS: settings_lines,
}
