"""Draw the market screen. Pure."""

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.market import economics
from negotiation_tui.market.tick_loop import ALL_ROUNDS, NEGOTIATIONS
from negotiation_tui.runtime.text import abbreviate, coins, fitting, money, plural
from negotiation_tui.tui.market import model as panes
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.pair import draw_agent_table, draw_negotiation, motion
from negotiation_tui.tui.market.panes import (
    competitive,
    draw_histogram,
    draw_leaderboard,
    draw_prices,
    draw_room,
)
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import View
from negotiation_tui.tui.widgets.ranked_list import Title, draw_sentence, list_lines
from negotiation_tui.tui.widgets.words import game, percent, rate, time_left


def _title(model: Model) -> Title:
    """Return the pace, and the agents, the progress and the seed in several lengths."""
    setup = model.latest.setup
    counts = setup.sellers, len(setup.agents) - setup.sellers
    who = " · ".join(plural(n, str(role)) for n, role in zip(counts, Role, strict=True))
    done = model.snapshot.tick if setup.limit.steps else model.snapshot.negotiations
    whole = plural(setup.limit.amount, "tick" if setup.limit.steps else "negotiation")
    far, seed = f"{done:,} of {whole}", f"seed {setup.seed}"
    most = ("market", game(setup.scenario), who, far, seed)
    who += setup.scenario.delta_text
    less = ("market", who, far, seed), ("market", who, far), ("market", far)
    least = (f"{done:,}/{whole}",), (f"{done:,}",)
    return _state(model), (("negotiation-tui", *most), most, *less, *least)


def _state(model: Model) -> str:
    if not model.live:
        return f"{'▶' if model.running else '◀'} {model.steps_back:,} back"
    if model.latest.finished and not model.running:
        return "closed"
    left = "" if model.seconds_left is None else f", {time_left(model.seconds_left)}"
    return f"▶ {model.pace.text}{left}" if model.running else f"‖ paused ({model.pace.text})"


def sentence(model: Model) -> str:
    """Say how much each side gained, and which agent most."""
    snapshot, setup = model.accounts, model.accounts.setup
    gains = [snapshot.gains[setup.of_role(role)].sum().item() for role in Role]
    if not snapshot.meetings.any():
        text = "Nobody has met yet; soon all meet in pairs and haggle."
        return text if model.running else f"{text} {model.keys['run']} begins."
    if sum(gains) <= 0:
        return "Nobody has gained anything yet."
    second, most = np.partition(snapshot.gains, -2)[-2:].tolist()
    best = abbreviate(setup.agents[int(snapshot.gains.argmax())].name, 16)
    more = Role(gains[1] > gains[0])
    each = [2 * gain / int(snapshot.meetings.sum()) for gain in gains]  # two in a game
    verb = "gained" if snapshot.finished else "gain"
    both = f"{coins(each[more])} per game, the {more.other}s {money(each[more.other])}"
    who = f"the {more}s {verb} {both}"
    if not snapshot.finished:
        return f"{who[0].upper()}{who[1:]}; {best} leads with {most:,.0f} coins."
    ahead = f", {most - second:,.0f} ahead" if most > second else ""
    return f"Closed: {who}; {best} is first with {most:,.0f} coins{ahead}."


def _draw_caption(canvas: Canvas, model: Model) -> None:
    draw_sentence(canvas, sentence(model))
    canvas.tell("field", "caption", f"{model.accounts.tick}")
    if model.height < panes.RESULTS:  # the results have no line of their own
        _draw_results(canvas, model, len(sentence(model)) + 5)


def _draw_results(canvas: Canvas, model: Model, x: int = 1) -> None:
    """Draw the results of the market, shorter if not all that matters has room."""
    snapshot, history = model.accounts, model.accounts.history.sum(0)
    prices, sold = snapshot.setup.scenario.prices, snapshot.sold.sum(0)
    met, width = int(history[NEGOTIATIONS]), canvas.width - 1 - x
    if not met:
        return
    deals = f"{plural(int(sold.sum()), 'deal')} in {plural(met, 'negotiation')}"
    whole, brief, speed = [deals], [deals], list[str]()
    mean, spread = economics.mean_price(prices, sold), economics.dispersion(prices, sold)
    if mean is not None:
        theory = "" if model.guesses else f" (theory {competitive(snapshot.setup)})"
        whole.append(f"mean price {mean:.2f} ± {spread:.2f}{theory}")
        brief.append(f"mean price {mean:.2f}{theory}")
    share = economics.efficiency(snapshot.surplus, snapshot.possible)
    if share is not None:
        whole.append(f"{percent(share)} of the possible gain (efficiency)")
        brief.append(f"efficiency {percent(share)}")
    if model.free_running and snapshot.status.per_second:
        loop = "compiled" if snapshot.status.compiled else "plain Python"
        speed = [rate(snapshot.status.per_second * met / max(1, snapshot.tick)), loop]
    fits = len(" · ".join([*whole, *speed[:1]])) <= width
    rounds = f"{history[ALL_ROUNDS] / met:.1f} rounds each"
    canvas.write(0, x, fitting([*(whole if fits else brief), *speed, rounds], width), "faint")


VIEW = View(
    {
        panes.ROOM: ("Room", draw_room),
        panes.LEADERBOARD: ("Leaderboard", draw_leaderboard),
        panes.PRICES: ("Prices", draw_prices),
        panes.WALLETS: ("Wallets", draw_histogram),
        panes.NEGOTIATION: ("Price bar", draw_negotiation),
        panes.SELLER_TABLE: ("Seller", draw_agent_table),
        panes.BUYER_TABLE: ("Buyer", draw_agent_table),
    },
    {**list_lines(_title, sentence), "time_line": _draw_results, "caption": _draw_caption},
    moving={panes.NEGOTIATION: motion},
)
render = VIEW.render
