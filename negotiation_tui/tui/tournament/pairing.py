"""The pairing at hand: what came of it in words, and one of its negotiations."""

import textwrap
from collections.abc import Sequence

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.runtime.text import plural
from negotiation_tui.tui.toolkit.axis import LABELS, Axis, draw_scale
from negotiation_tui.tui.toolkit.boxes import draw_heading_line
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.tournament.model import Model

_GLYPHS = {Role.SELLER: "○", Role.BUYER: "●"}
_BAR = 7
"""Rows from which on there is room for a price bar."""


def draw_pairing(canvas: Canvas, model: Model, pane: int) -> None:
    """Who meets whom, the row in words, the offers of a negotiation, and where they lie."""
    seller, buyer = model.entrants[model.seller], model.entrants[model.buyer]
    title = f" {pane} seller {seller} · buyer {buyer} "
    first = model.latest.pairings[0]
    note = plural(first.negotiations, "negotiation")
    draw_heading_line(canvas, title, model.chosen == pane, note)
    row = model.row
    if row is None:
        canvas.write(1, 1, "not played yet", "faint")
    elif row["refused"] is not None:
        lines = textwrap.wrap(f"cannot be played: {row['refused']}", max(20, canvas.width - 2))
        for y, line in enumerate(lines, 1):
            canvas.write(y, 1, line)
    else:
        canvas.write(1, 1, _in_words(row, canvas.width - 2))
        opener, said = turns_of(row["sample"])
        _draw_offers(canvas, opener, said)
        if canvas.height >= _BAR:
            _draw_bar(canvas.rows(3, canvas.height), first.scenario, opener, said)


def turns_of(sample: str) -> tuple[Role, list[str]]:
    """The opener of a negotiation in a line, and what was said in turns."""
    opener, _, said = sample.partition(": ")
    return Role.of(opener), said.split()


def _in_words(row: Row, width: int) -> str:
    """As much as has room, what matters most first."""
    parts = [f"deals {row['deal_share']:.0%}"]
    if row["deals"]:
        parts += [f"mean price {row['mean_price']:.2f}"]
        if row["share_seller"] is not None:
            parts += [f"seller gets {row['share_seller']:.0%}"]
        parts += [f"{row['mean_rounds']:.1f} rounds"]
        if row["spe_gap"] is not None:
            parts += [f"SPE gap {row['spe_gap']:.2f}"]
    parts += [f"rewards {row['reward_seller']:.2f} and {row['reward_buyer']:.2f}"]
    said = ""
    for part in parts:
        longer = f"{said} · {part}" if said else part
        if len(longer) <= width:
            said = longer
    return said


def _draw_offers(canvas: Canvas, opener: Role, said: Sequence[str]) -> None:
    """Every offer in the colour of its role; the middle is left out where it is too long."""
    label = f"last: the {opener} opens"
    canvas.write(2, 1, label, "faint")
    x, room = len(label) + 2, canvas.width - len(label) - 3
    role = {n: opener if n % 2 == 0 else opener.other for n in range(len(said))}
    words = list(enumerate(said))
    while len(words) > 3 and sum(len(word) + 1 for _, word in words) + 2 > room:
        del words[len(words) // 2]
    before = -1
    for n, word in words:
        if n != before + 1:
            canvas.write(2, x, "…", "faint")
            x += 2
        closing = {"accept": "deal", "quit": "no-deal"}
        text = f" {word} " if word in closing else word
        canvas.write(2, x, text, closing.get(word, str(role[n])))
        x += len(text) + 1
        before = n


def _draw_bar(canvas: Canvas, scenario: Scenario, opener: Role, said: Sequence[str]) -> None:
    """A scale of prices, below it a line for each role with its offers."""
    prices = scenario.prices
    axis = Axis(prices[0], prices[-1], LABELS + 1, canvas.width - LABELS - 3)
    draw_scale(canvas, axis, prices, 0)
    for role, y in ((Role.BUYER, 1), (Role.SELLER, 2)):
        canvas.write(y, 0, f" {role}".upper(), str(role))
        own = said[0 if role is opener else 1 :: 2]
        offered = [int(word) for word in own if word not in {"accept", "quit"}]
        for price in offered:
            canvas.write(y, axis.column(price), _GLYPHS[role], str(role))
        if said[-1] == "accept" and own and own[-1] != "accept":
            canvas.write(y, axis.column(offered[-1]), "◆", "bold")
