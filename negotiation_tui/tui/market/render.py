"""Draw the market screen. Pure."""

from collections.abc import Callable
from functools import partial

from negotiation_tui.game.roles import Role
from negotiation_tui.market import economics
from negotiation_tui.market.tick_loop import ALL_ROUNDS, NEGOTIATIONS, SURPLUS
from negotiation_tui.runtime.text import abbreviate, fitting, plural, shortened
from negotiation_tui.tui.market import layout
from negotiation_tui.tui.market.help import ABOUT
from negotiation_tui.tui.market.leaderboard import draw_leaderboard
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.pair import draw_negotiation, draw_table
from negotiation_tui.tui.market.prices import competitive, draw_prices
from negotiation_tui.tui.market.room import draw_room
from negotiation_tui.tui.market.wallets import draw_wallets
from negotiation_tui.tui.toolkit.boxes import draw_footer_line, draw_title_line
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_screen
from negotiation_tui.tui.toolkit.strip import draw_strip
from negotiation_tui.tui.widgets.words import game, rate

PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    layout.ROOM: draw_room,
    layout.LEADERBOARD: draw_leaderboard,
    layout.PRICES: draw_prices,
    layout.WALLETS: draw_wallets,
    layout.NEGOTIATION: draw_negotiation,
    layout.SELLER_TABLE: draw_table,
    layout.BUYER_TABLE: draw_table,
}
"""The function that draws each pane, by its number from 1, without a gap."""
NAMES = {
    layout.ROOM: "Room",
    layout.LEADERBOARD: "Leaderboard",
    layout.PRICES: "Prices",
    layout.WALLETS: "Wallets",
    layout.NEGOTIATION: "Price bar",
    layout.SELLER_TABLE: "Seller",
    layout.BUYER_TABLE: "Buyer",
}
"""The name of each pane in the strip."""


def render(model: Model) -> Canvas:
    """Return the whole screen, in the size of the model."""
    lines: dict[str, Callable[[Canvas, Model], None]] = {
        "title": _draw_title,
        "strip": partial(draw_strip, names=NAMES),
        "caption": _draw_summary,
        "footer": _draw_footer,
    }
    return draw_screen(model, PANES, lines, ABOUT)


def _draw_title(canvas: Canvas, model: Model) -> None:
    """Draw the agents, the progress and the seed, as far as they fit."""
    setup = model.latest.setup
    state = _state(model)
    counts = setup.sellers, len(setup.agents) - setup.sellers
    who = " · ".join(plural(n, str(role)) for n, role in zip(counts, Role, strict=True))
    done = model.snapshot.tick if setup.limit.steps else model.snapshot.negotiations
    whole = plural(setup.limit.amount, "tick" if setup.limit.steps else "negotiation")
    far, short = f"{done:,} of {whole}", f"{done:,}/{whole}"
    name, seed = game(setup.scenario), f"seed {setup.seed}"
    choices = (
        ("negotiation-tui", "market", name, who, far, seed),
        ("market", name, who, far, seed),
        ("market", who, far, seed),
        ("market", who, far),
        ("market", far),
        (short,),
        (f"{done:,}",),
    )
    draw_title_line(canvas, state, choices)


def _state(model: Model) -> str:
    if model.place is not None:
        return f"{'▶' if model.running else '◀'} {model.steps_back:,} back"
    if model.latest.finished and not model.running:
        return "closed"
    return f"▶ {model.pace.text}" if model.running else f"‖ paused ({model.pace.text})"


def _draw_summary(canvas: Canvas, model: Model) -> None:
    """Draw the results of the market in one line, as far as they fit."""
    snapshot = model.accounts
    prices, sold = snapshot.setup.scenario.prices, snapshot.sold.sum(0)
    history = snapshot.history.sum(0)
    deals, met = int(sold.sum()), int(history[NEGOTIATIONS])
    if not met:
        text = "nobody has met yet: {run} lets all meet in pairs and haggle"
        canvas.write(0, 1, shortened(model.keys.format(text), canvas.width - 2))
        return
    parts = [f"{plural(deals, 'deal')} in {plural(met, 'negotiation')}"]
    brief, width = list(parts), canvas.width - 2
    mean, spread = economics.mean_price(prices, sold), economics.dispersion(prices, sold)
    if mean is not None and spread is not None:
        theory = f"(theory {competitive(snapshot.setup)})"
        parts.append(f"mean price {mean:.2f} ± {spread:.2f} {theory}")
        brief.append(f"mean price {mean:.2f} {theory}")
    share = economics.efficiency(int(history[SURPLUS]), snapshot.possible)
    if share is not None:
        parts.append(f"{share:.0%} of the possible gain (efficiency)")
        brief.append(f"efficiency {share:.0%}")
    speed = []
    if model.free_running and snapshot.per_second:
        loop = "compiled" if snapshot.compiled else "plain Python"
        speed = [rate(snapshot.per_second * met / max(1, snapshot.tick)), loop]
    if len(" · ".join([*parts, *speed[:1]])) > width:
        parts = brief
    parts += speed
    parts.append(f"{history[ALL_ROUNDS] / met:.1f} rounds each")
    canvas.write(0, 1, fitting(parts, width))


def _draw_footer(canvas: Canvas, model: Model) -> None:
    if model.typing and not model.message:
        rest = "_  ·  Enter keeps it, Esc ends it"
        text = f"search: {abbreviate(model.search, canvas.width - 9 - len(rest))}{rest}"
        canvas.write(0, 1, text, "message")
        return
    draw_footer_line(canvas, map(model.keys.footer, model.keys))
