"""The boxes on top of the screen as lines of text, and the end of the help. Pure."""

from collections.abc import Callable

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.runtime.text import clip, table
from negotiation_tui.tui.negotiation.menus import (
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
from negotiation_tui.tui.toolkit.boxes import modal_rows, wrapped
from negotiation_tui.tui.widgets.words import short

TITLES = {
    "test": "Test of both seats",
    "seller": "The seller's seat",
    "buyer": "The buyer's seat",
    WHAT_IF: "What if",
    "score": "Your score",
}
ABOUT = (
    "",
    "The bar     the prices that a party accepts; the number is its last offer,",
    "            ░▒▓ are earlier ones; below: the zone of possible agreement",
    "            (ZOPA), ▲ the prices that equilibrium players agree on, lenient",
    "            or not in ties",
    "Limits      hidden prices beyond which a party makes no deal, drawn for each",
    "            negotiation and shown at its end; a bar: how likely one is to the",
    "            other party, the likeliest the highest; · is ruled out",
    "Plans       a sign with ~ or a percentage, or a dim one: the likeliest of",
    "            several actions that the agent draws from",
    "Q-tables    rows are states: s opening, p.t price p offered in round t,",
    "            d done; columns are actions: a price to offer, acc accept,",
    "            rej reject and quit; a blank is 0: untrained, or without value;",
    "            [best] is the best of its row, [best! is not a best response;",
    "            ▸ marks the state on the bar, its action is underlined",
    "Trainee     learns in this cycle and explores: a share ε of its decisions",
    "            is random",
    "Trainer     does not learn; plays the best actions of its Q-table, frozen",
    "            before its last training; after each cycle the two swap",
    "Learners    some learn both in every cycle, or have chances of their own",
    "            or compute answers in place of guesses",
    "Wallets     the gains of each party in this cycle; counts are of all cycles",
    "NashConv    the gain of both together if each played its best response;",
    "            0 in equilibrium",
    "Efficiency  with hidden limits: the gains by both plans, of those that are",
    "            possible if all limits are known; dashed: the ceiling, the most in",
    "            any equilibrium (drawn if scipy is installed); plans above it are",
    "            none, because some limit gains by pretending to be another",
    "Bluff       an offer that shows a stronger limit than the own one",
    "Sample      at paces above 16 offers/s the bar shows only a few negotiations",
)


def title(model: Model) -> str:
    """Return the title of the box on top."""
    mover = model.playback.next_mover if model.playback else None
    if model.modal == WHAT_IF and mover is not None:
        return f"What if the {mover} acts differently"
    if model.modal == WHY:
        return why_title(model)
    if model.modal == SETTINGS and model.seat:
        return f"{TITLES[str(model.seat[0])]}: settings"
    if model.modal in SEATS:
        typed = f"{model.typed}_" if model.typed else "type to search"
        return f"{TITLES[model.modal]}: {typed}"
    return TITLES[model.modal] if model.modal else ""


def modal_lines(model: Model) -> tuple[str, ...]:
    """Return the lines of the box on top; long lines are wrapped, in a list cut off."""
    name, width = model.modal, model.width
    if name in MENUS:
        return tuple(clip(f"  {line}", width - 4) for line in menu_lines(model))
    lines = _TEXTS[name](model) if name else ()
    return wrapped(lines, width, 2)


def first_row(model: Model, wanted: int) -> int:
    """Return the first line to show of the box on top: as wanted, at most the last page.

    In a list `wanted` is the marked line, which is always visible.
    """
    rows = modal_rows(model.height)
    if model.modal in MENUS:
        return wanted // rows * rows
    return max(0, min(wanted, len(modal_lines(model)) - rows))


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
