"""The chosen pairing: its results, and its last negotiation."""

import textwrap
from collections.abc import Sequence

from negotiation_tui.contest.tournament import StrategyContest, last_game
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import fitting, plural
from negotiation_tui.tui.toolkit.axis import LABELS, Axis, draw_scale
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.paned import draw_heading
from negotiation_tui.tui.tournament.model import Model

_GLYPHS = {Role.SELLER: "○", Role.BUYER: "●"}
_BAR = 7
"""Least height with room for a price bar."""


def draw_pairing(canvas: Canvas, model: Model, pane: int) -> None:
    """Draw both names, the results, the offers of the last negotiation and their price bar."""
    (seller, buyer), first = model.pair, model.contest.jobs[0]
    assert isinstance(model.contest, StrategyContest)
    negotiations = model.contest.negotiations
    note = plural(negotiations, "negotiation")
    draw_heading(canvas, model, pane, f"seller {seller} · buyer {buyer}", note)
    row = model.cell
    if row is None:
        canvas.write(1, 1, "not played yet", "faint")
    elif row["refused"] is not None:
        lines = textwrap.wrap(f"cannot be played: {row['refused']}", max(20, canvas.width - 2))
        for y, line in enumerate(lines, 1):
            canvas.write(y, 1, line)
    else:
        canvas.write(1, 1, _results(row, canvas.width - 1))
        opener, turns = turns_of(row["sample"])
        _draw_offers(canvas, opener, turns, last_game(first, negotiations))
        if canvas.height >= _BAR:
            _draw_bar(canvas.rows(3, canvas.height), first.scenario, opener, turns)


def turns_of(sample: str) -> tuple[Role, list[str]]:
    """Parse a negotiation such as `seller: 5 3 accept` into its opener and its turns."""
    opener, _, turns = sample.partition(": ")
    return Role.of(opener), turns.split()


def _results(row: Row, width: int) -> str:
    """Return the results of a row, as far as they fit, the most important first."""
    possible = f" of {row['possible']:,} possible" if "possible" in row else ""
    parts = [f"deals {row['deal_share']:.0%}{possible}"]
    if row.get("efficiency") is not None:
        parts += [f"{row['efficiency']:.0%} of the possible surplus"]
    if row["deals"]:
        parts += [f"mean price {row['mean_price']:.2f}"]
        if row["share_seller"] is not None:
            parts += [f"seller gets {row['share_seller']:.0%}"]
        parts += [f"{row['mean_rounds']:.1f} rounds"]
        if row["spe_gap"] is not None:
            parts += [f"{row['spe_gap']:.2f} off theory"]
    gains = f"{row['reward_seller']:.2f} and {row['reward_buyer']:.2f}"
    parts += [f"gains {gains} (rewards)"]
    return fitting(parts, width)


def _draw_offers(canvas: Canvas, opener: Role, turns: Sequence[str], game: Scenario) -> None:
    """Draw each turn in the colour of its role; the middle of a long negotiation is left out."""
    limits = " (limits {} and {})".format(*game.reservation_values) if game.lottery else ""
    label = f"last{limits}: the {opener} opens"
    canvas.write(2, 1, label, "faint")
    x, room = len(label) + 2, canvas.width - len(label) - 3
    role = {n: opener if n % 2 == 0 else opener.other for n in range(len(turns))}
    shown = list(enumerate(turns))
    while len(shown) > 3 and sum(len(turn) + 1 for _, turn in shown) + 2 > room:
        del shown[len(shown) // 2]
    before = -1
    for n, turn in shown:
        if n != before + 1:
            canvas.write(2, x, "…", "faint")
            x += 2
        closing = {"accept": "deal", "quit": "no-deal"}
        text = f" {turn} " if turn in closing else turn
        canvas.write(2, x, text, closing.get(turn, str(role[n])))
        x += len(text) + 1
        before = n


def _draw_bar(canvas: Canvas, scenario: Scenario, opener: Role, turns: Sequence[str]) -> None:
    """Draw a scale of prices, and below it a line per role with its offers."""
    prices = scenario.prices
    axis = Axis(prices[0], prices[-1], LABELS + 1, canvas.width - LABELS - 3)
    draw_scale(canvas, axis, prices, 0)
    for role, y in ((Role.BUYER, 1), (Role.SELLER, 2)):
        canvas.write(y, 0, f" {role}".upper(), str(role))
        own_turns = turns[0 if role is opener else 1 :: 2]
        offers = [int(turn) for turn in own_turns if turn not in {"accept", "quit"}]
        for price in offers:
            canvas.write(y, axis.column(price), _GLYPHS[role], str(role))
        if turns[-1] == "accept" and own_turns and own_turns[-1] != "accept":
            canvas.write(y, axis.column(offers[-1]), "◆", "bold")
