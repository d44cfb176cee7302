"""The price bar from a view alone: what it shows of a negotiation, and where."""

import re

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.price_bar import PriceBarView, draw_price_bar, reason

SCENARIO = Scenario.original()
LEARNED, STATIC = (True, True), (False, False)


def talk(*prices: int, closing: int | None = None) -> Transcript:
    """A negotiation that the seller opens, with these offers and a closing action."""
    transcript = Transcript(SCENARIO, Role.SELLER)
    for price in prices:
        transcript = transcript.followed_by(SCENARIO.prices.index(price))
    return transcript if closing is None else transcript.followed_by(closing)


def drawn(view: PriceBarView) -> Canvas:
    canvas = Canvas(100, 6)
    draw_price_bar(canvas, view)
    return canvas


def column_of(view: PriceBarView, marker: str) -> int:
    return drawn(view).line(4).index(marker)


def test_before_the_first_turn_it_says_what_it_waits_for() -> None:
    canvas = drawn(PriceBarView(talk(), waiting="press n to begin"))
    assert canvas.line(1).strip() == "press n to begin"
    assert "SELLER" in canvas.line(4)


def test_the_last_offer_with_its_reason() -> None:
    line = drawn(PriceBarView(talk(4, 2), reason="(explored, ε 0.50)")).line(1).strip()
    assert re.fullmatch(r"round 1 of 5 · seller opened +buyer offers 2  \(explored, ε 0.50\)", line)


def test_a_deal_flashes() -> None:
    deal = talk(4, closing=SCENARIO.accept)
    for flash, style in ((False, "deal"), (True, "deal-flash")):
        canvas = drawn(PriceBarView(deal, flash=flash))
        assert canvas.line(1).startswith("  DEAL at 4   the buyer accepts · round 1 of 5")
        assert canvas.style_at(1, 2) == style


def test_without_a_deal_the_bars_fade() -> None:
    canvas = drawn(PriceBarView(talk(4, closing=SCENARIO.walk_away)))
    assert canvas.line(1).startswith("  NO DEAL   the buyer quits")
    assert {style for y in (3, 4, 5) for _, text, style in canvas.spans(y) if text.strip()} == {
        "faint"
    }


def test_a_marker_slides_from_its_last_price() -> None:
    offers = talk(5, 1, 2)
    start, end = column_of(PriceBarView(talk(5)), " 5 "), column_of(PriceBarView(offers), " 2 ")
    half = column_of(PriceBarView(offers, progress=0.5), " 2 ")
    assert end < half < start
    assert column_of(PriceBarView(offers, progress=0.0), " 2 ") == start


def test_a_price_that_is_being_chosen_stands_in_brackets_on_the_mover_s_bar() -> None:
    canvas = drawn(PriceBarView(talk(4), cursor=3))
    assert "[3]" in canvas.line(3)
    assert "[" not in canvas.line(4)


def test_equilibria_are_marked_below_their_prices() -> None:
    canvas = drawn(PriceBarView(talk(4), equilibria=(2, 4)))
    assert canvas.line(5).count("▲") == 2
    assert "▲ equilibrium 2 or 4" in canvas.line(1)


def test_reasons() -> None:
    offered = talk(4)
    assert reason(talk(), Role.SELLER, 0.5, LEARNED) == ""
    assert reason(offered, None, 0.5, LEARNED) == ""
    assert reason(offered, Role.SELLER, 0.5, LEARNED) == "(its best, ε 0.50)"
    assert reason(offered, Role.BUYER, 0.5, LEARNED) == "(from its frozen table)"
    assert reason(offered, Role.BUYER, 0.5, STATIC) == ""
    drawn_at_random = talk().followed_by(SCENARIO.prices.index(4), explored=True)
    assert reason(drawn_at_random, Role.SELLER, 0.5, LEARNED) == "(explored, ε 0.50)"
    assert reason(drawn_at_random, Role.BUYER, 0.5, LEARNED) == "(random start)"
