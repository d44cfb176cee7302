"""Draw the market screen. Pure."""

from collections.abc import Callable, Sequence

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market import economics
from negotiation_tui.market.tick_loop import ALL_ROUNDS, NEGOTIATIONS, SURPLUS
from negotiation_tui.runtime.text import abbreviate, fitting, plural
from negotiation_tui.tui.market import model as panes
from negotiation_tui.tui.market.charts import competitive, draw_prices, draw_wallets
from negotiation_tui.tui.market.leaderboard import draw_leaderboard
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.pair import draw_negotiation, draw_table
from negotiation_tui.tui.market.room import draw_room
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.ranked_list import draw_list_screen, draw_sentence
from negotiation_tui.tui.widgets.words import game, rate, time_left

PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    panes.ROOM: draw_room,
    panes.LEADERBOARD: draw_leaderboard,
    panes.PRICES: draw_prices,
    panes.WALLETS: draw_wallets,
    panes.NEGOTIATION: draw_negotiation,
    panes.SELLER_TABLE: draw_table,
    panes.BUYER_TABLE: draw_table,
}
"""The function that draws each pane, by its number from 1, without a gap."""
_NAMES = ("Room", "Leaderboard", "Prices", "Wallets", "Price bar", "Seller", "Buyer")


def render(model: Model) -> Canvas:
    """Return the whole screen, in the size of the model."""
    lines = {"time_line": _draw_results, "caption": _draw_caption}
    return draw_list_screen(model, PANES, _NAMES, _title(model), sentence(model), **lines)


def _title(model: Model) -> tuple[str, Sequence[Sequence[str]]]:
    """Return the pace, and the agents, the progress and the seed in several lengths."""
    setup = model.latest.setup
    counts = setup.sellers, len(setup.agents) - setup.sellers
    who = " · ".join(plural(n, str(role)) for n, role in zip(counts, Role, strict=True))
    done = model.snapshot.tick if setup.limit.steps else model.snapshot.negotiations
    whole = plural(setup.limit.amount, "tick" if setup.limit.steps else "negotiation")
    far, short = f"{done:,} of {whole}", f"{done:,}/{whole}"
    most = ("market", game(setup.scenario), who, far, f"seed {setup.seed}")
    less = ("market", who, far, most[-1]), ("market", who, far), ("market", far)
    return _state(model), (("negotiation-tui", *most), most, *less, (short,), (f"{done:,}",))


def _state(model: Model) -> str:
    if model.place is not None:
        return f"{'▶' if model.running else '◀'} {model.steps_back:,} back"
    if model.latest.finished and not model.running:
        return "closed"
    left = "" if model.seconds_left is None else f", {time_left(model.seconds_left)}"
    return f"▶ {model.pace.text}{left}" if model.running else f"‖ paused ({model.pace.text})"


def sentence(model: Model) -> str:
    """Say which side and which agent gained most, and how much."""
    snapshot, setup = model.accounts, model.accounts.setup
    gains = [int(snapshot.gains[setup.of_role(role)].sum()) for role in Role]
    whole = sum(gains)
    if not snapshot.met.any():
        text = "Nobody has met yet: all meet in pairs and haggle."
        return text if model.running else f"{text} {model.keys['run']} begins."
    if whole <= 0:
        return "Nobody has gained anything yet."
    best = int(snapshot.gains.argmax())
    most, ahead = int(snapshot.gains[best]), 0
    if snapshot.finished:
        ahead = most - int(np.partition(snapshot.gains, -2)[-2])
    verb = "gained" if snapshot.finished else "gain"
    who = f"the {Role(gains[1] > gains[0])}s {verb} most, {max(gains) / whole:.0%} of all"
    if gains[0] == gains[1]:
        who = f"both sides {verb} the same"
    first = f"{abbreviate(setup.agents[best].name, 16)} is first with {most:,}"
    if snapshot.finished:
        return f"Closed: {who}; {first}{f', {ahead:,} ahead' if ahead else ''}."
    return f"{who[0].upper()}{who[1:]}; {first}."


def _draw_caption(canvas: Canvas, model: Model) -> None:
    draw_sentence(canvas, sentence(model))
    if model.height < panes.RESULTS:  # the results have no line of their own
        x = len(sentence(model)) + 5
        canvas.write(0, x, fitting(_results(model, canvas.width - x), canvas.width - x), "faint")


def _draw_results(canvas: Canvas, model: Model) -> None:
    width = canvas.width - 2
    canvas.write(0, 1, fitting(_results(model, width), width), "faint")


def _results(model: Model, width: int) -> list[str]:
    """Return the results of the market, shorter if not all that matters has room."""
    snapshot = model.accounts
    prices, sold = snapshot.setup.scenario.prices, snapshot.sold.sum(0)
    history = snapshot.history.sum(0)
    deals, met = int(sold.sum()), int(history[NEGOTIATIONS])
    if not met:
        return []
    parts = [f"{plural(deals, 'deal')} in {plural(met, 'negotiation')}"]
    brief = list(parts)
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
    return [*parts, *speed, f"{history[ALL_ROUNDS] / met:.1f} rounds each"]
