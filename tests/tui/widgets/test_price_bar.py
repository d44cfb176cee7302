"""The price bar and its strips of hidden limits, from views alone: what they show, and where."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.game.negotiation import IllegalActionError, Transcript
from negotiation_tui.game.roles import pair
from negotiation_tui.runtime.text import money
from negotiation_tui.solvers.beliefs import Belief
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.chart import LABELS, Axis, draw_scale
from negotiation_tui.tui.widgets.limit_strip import NUMBER, LimitStrip, draw_limit_strip
from negotiation_tui.tui.widgets.price_bar import PriceBarView, draw_price_bar, still
from tests.support.price_bar import cells

SCENARIO = Scenario.original()
SIZES = [(38, 7), (38, 10), (60, 6), (78, 6), (118, 11), (198, 16)]
INSIDE = replace(SCENARIO, name="inside", reservation=(2, 4))  # both limits between the prices
GAMES = [*map(Scenario.of, ("original", "legacy", "fine", "hidden", "bazaar")), INSIDE]


def talk(*prices: int, closing: int | None = None, game: Scenario = SCENARIO) -> Transcript:
    """A negotiation that the seller opens, with these offers and a closing action."""
    transcript = Transcript(game, Role.SELLER)
    for price in prices:
        transcript = transcript.followed_by(game.prices.index(price))
    return transcript if closing is None else transcript.followed_by(closing)


def drawn(view: PriceBarView, width: int = 100, height: int = 6) -> Canvas:
    canvas = Canvas(width, height)
    draw_price_bar(canvas, view)
    return canvas


def some(n: int) -> range:
    return range(0, n, max(1, n // 5))


def views(game: Scenario) -> Iterator[PriceBarView]:
    """Deals of openings that are accepted, with drawn limits if they are hidden."""
    for k, j in product(*(some(len(each.values) if each else 1) for each in game.limits)):
        one = game.drawn(k, j)
        known = zip(Role, game.limits, one.reservation_values, strict=True)
        strips = pair(
            None if each is None else LimitStrip(role, each.values, None, at)
            for role, each, at in known
        )
        for action, opener in product(some(one.n_prices), Role):
            with suppress(IllegalActionError):
                asked = Transcript(one, opener).followed_by(action)
                yield PriceBarView(asked.followed_by(one.accept), strips=strips)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_bright_cells_are_what_each_side_gets(game: Scenario, size: tuple[int, int]) -> None:
    every = [*views(game)]
    assert len(every) > 3
    bars = [drawn(view, *size) for view in every]
    parts = [[cells(bar, role) for role in Role] for bar in bars]
    both = [view.shown.gains for view in every]
    inside = ((sum(got), sum(own)) for own, got in zip(parts, both, strict=True) if min(got) >= 0)
    coins, wide = max(inside)
    scale = wide / coins
    for view, bar, own, got in zip(every, bars, parts, both, strict=True):
        assert own == pytest.approx([max(0, gain) * scale for gain in got], abs=1.01), got
        words = bar.line(1)
        assert f"DEAL at {view.shown.outcome.price} " in words
        said = re.search(r"(?:seller|gets) (−?\d+)(?: coins?)?, (?:the )?buyer (−?\d+)", words)
        assert said is None or [*said.groups()] == [*map(money, got)]


@pytest.mark.parametrize("size", SIZES)
def test_what_each_would_get_has_other_colours(size: tuple[int, int]) -> None:
    scale = drawn(PriceBarView(talk()), *size).line(2)
    for price in SCENARIO.prices:
        asked = drawn(PriceBarView(talk(price)), *size)
        deal = drawn(PriceBarView(talk(price, closing=SCENARIO.accept)), *size)
        for role in Role:
            assert cells(asked, role, would=True) == cells(deal, role)
            assert not cells(asked, role)
            assert not cells(deal, role, would=True)
        knives = {deal.line(y).find("┃") for y in range(3, deal.height)} - {-1}
        assert len(knives) == 1
        assert abs(scale.index(str(price)) - knives.pop()) <= 1, "at its number"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["original", "hidden"])
def test_time_takes_from_the_outer_ends_by_each_delta(name: str, size: tuple[int, int]) -> None:
    free, delta = Scenario.of(name), (0.9, 0.5)
    full = drawn(PriceBarView(talk(3, game=free)), *size)
    whole = [cells(full, role, would=True) for role in Role]
    for offers in range(1, 7):
        shown = talk(*[3] * offers, game=replace(free, delta=delta))
        left = [n * d ** (offers - 1) for n, d in zip(whole, delta, strict=True)]
        before = [n * d ** max(0, offers - 2) for n, d in zip(whole, delta, strict=True)]
        for view, expected, would in (
            (PriceBarView(shown), left, True),
            (PriceBarView(shown, progress=0.0), before, True),
            (PriceBarView(shown.followed_by(free.accept), progress=0.0), left, False),
            (PriceBarView(shown.first(offers - 1), cursor=3), left, True),
        ):
            canvas = drawn(view, *size)
            own = [cells(canvas, role, would) for role in Role]
            assert own == pytest.approx(expected, abs=1.01), canvas.text()
            row = [line for line in map(canvas.line, range(3, canvas.height)) if {*"▒█"} & {*line}][
                -1
            ]
            assert row[row.index("┃") - 1] in "▒█", "next to the knife"


def test_no_deal_leaves_an_empty_frame() -> None:
    for width, height in SIZES:
        over = drawn(PriceBarView(talk(4, 2, closing=SCENARIO.walk_away)), width, height)
        assert not {*"▓░█▒"} & {*over.text()}
        assert over.text().count("nobody gains") >= 1
        assert " NO DEAL — the seller walks away" in over.line(1)
        assert (" in round 2 of 5" in over.line(1)) is (width >= 60)
        styles = {style for y in range(3, height) for _, _, style in over.spans(y)}
        assert "no-deal" in styles
    begun = drawn(PriceBarView(talk(), waiting="soon"), height=8)
    assert begun.line(1).strip() == "soon"
    assert "nobody" not in begun.text()


def test_the_knife_slides_with_its_marker_from_the_offer_before() -> None:
    def places(offers: Transcript, sign: str, row: int) -> list[int]:
        bars = (drawn(PriceBarView(offers, progress=at / 4)) for at in range(5))
        return [canvas.line(row).index(sign) for canvas in bars]

    knives = places(talk(5, 1, 4), "┃", 5)
    assert knives == sorted(set(knives)), "from 1 to 4"
    markers = places(talk(5, 1, 3), "◀", 3)
    assert markers == sorted(set(markers), reverse=True), "from 5 to 3"
    assert markers[0] == drawn(PriceBarView(talk(5))).line(3).index("◀")
    assert len({*places(talk(5), "┃", 5)}) == 1, "a first offer divides at once"


def test_the_price_that_a_person_chooses_divides() -> None:
    for price in SCENARIO.prices:
        canvas = drawn(PriceBarView(talk(5), cursor=price), height=8)
        assert f"[{price}]" in canvas.line(4)
        offered = drawn(PriceBarView(talk(5, price)), height=8)
        for role in Role:
            assert cells(canvas, role, would=True) == cells(offered, role, would=True)


def test_a_hidden_limit_has_no_part_of_a_known_length() -> None:
    game = Scenario.of("hidden").drawn(0, 0)
    values = tuple(game.prices)
    strips = LimitStrip(Role.SELLER, values, None), LimitStrip(Role.BUYER, values, None, 5)
    asked = PriceBarView(talk(3, game=game), strips=strips)
    canvas = drawn(asked, height=10)
    assert cells(canvas, Role.BUYER, would=True)
    assert not cells(canvas, Role.SELLER, would=True)
    assert "seller would get ?" in canvas.text()
    for height, rows in ((5, []), (6, [4, 5]), (10, [8, 9]), (11, [8, 10])):
        low = drawn(asked, height=height)
        assert [y for y in range(height) if low.line(y)[1:6] in {"cost?", "worth"}] == rows
    deal = asked._replace(shown=talk(1, game=game, closing=game.accept))
    assert "gets" not in drawn(deal, height=10).line(1), "a gain would tell the limit"


@pytest.mark.parametrize("width", [40, 80, 120])
def test_marks_of_theory_stand_beside_the_numbers_of_the_scale(width: int) -> None:
    shown = talk(game=Scenario.of("legacy"))
    scale = drawn(PriceBarView(shown), width).line(2)
    for price in shown.scenario.prices[:-1]:
        marked = drawn(PriceBarView(shown, equilibria=(price, price + 1)), width).line(2)
        assert marked.replace("▲", " ") == scale
        assert {*re.findall(r"▲(\d+)", marked)} <= {str(price), str(price + 1)}


def test_a_still_has_a_note_in_its_heading() -> None:
    text = still(talk(4, closing=SCENARIO.accept), "negotiation 3", ascii_only=True).text()
    assert text.isascii()
    assert "Price" in text.splitlines()[0]
    assert "negotiation 3" in text.splitlines()[0]
    assert "SELLER 4" in text


def test_the_last_offer_with_its_reason_or_the_beginning_of_it() -> None:
    line = drawn(PriceBarView(talk(4, 2), reason="(explored, ε 0.50)")).line(1).strip()
    assert line == "buyer offers 2  round 1 of 5  (explored, ε 0.50)"
    view = PriceBarView(talk(4, 2), reason="a guess: it guesses 50% of its moves")
    assert drawn(view, 60).line(1).rstrip().endswith("round 1 of 5  a guess")


def strip(
    limits: range | list[int],
    chances: list[float] | None,
    drawn: int | None = None,
    width: int = 78,
    prices: range = range(6),
) -> tuple[Canvas, Axis]:
    """Draw the scale of prices, and below it the strip of the buyer."""
    canvas = Canvas(width, 2)
    axis = Axis(prices[0], prices[-1], LABELS + 1, width - LABELS - 3 - NUMBER)
    numbered = draw_scale(canvas, axis, prices, 0)
    belief = None if chances is None else Belief(np.array(chances))
    view = LimitStrip(Role.BUYER, tuple(limits), belief, drawn)
    draw_limit_strip(canvas.rows(1, 2), axis, view, numbered)
    return canvas, axis


EVEN = [0.2] * 5


def test_the_drawn_limit_is_marked() -> None:
    assert strip(range(1, 6), EVEN)[0].line(1).startswith(" worth? ")
    canvas, axis = strip(range(1, 6), EVEN, drawn=3)
    line = canvas.line(1)
    assert line.startswith(" worth  ")
    (x,) = (x for x, character in enumerate(line) if character == "3")
    assert canvas.style_at(1, x) == "buyer-mark"
    assert x == axis.column(3)
    line = strip([-7, 2, 9], [1 / 3] * 3, prices=range(0, 101, 3))[0].line(1)
    for limit in (-7, 2, 9):
        assert str(limit) in line, "though the scale does not say it"


def test_it_fits_any_width() -> None:
    for n, width in product((1, 2, 11, 100), range(16, 130, 15)):
        chances = np.arange(1, n + 1) / sum(range(1, n + 1))
        for drawn in (None, n - 1):
            canvas, _ = strip(range(n), chances.tolist(), drawn, width, prices=range(101))
            assert any(sign in canvas.line(1) for sign in "▁▂▃▄▅▆▇█") or drawn is not None
