"""The price bar from a view alone: what it shows of a negotiation, and where."""

import re
from dataclasses import replace

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.announcement import reason
from negotiation_tui.tui.widgets.price_bar import draw_price_bar
from negotiation_tui.tui.widgets.price_bar_view import PriceBarView

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


def test_a_reason_that_does_not_fit_leaves_its_term() -> None:
    narrow = Canvas(76, 6)
    frozen = "plays what it knew a cycle ago (frozen)"
    draw_price_bar(narrow, PriceBarView(talk(4, 2), reason=frozen))
    assert narrow.line(1).rstrip().endswith("buyer offers 2  (frozen)")


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


def test_reasons() -> None:
    offered = talk(4)
    assert reason(talk(), Role.SELLER, 0.5, LEARNED) == ""
    assert reason(offered, None, 0.5, LEARNED) == ""
    assert reason(offered, Role.SELLER, 0.5, LEARNED) == "its best; it guesses 50 % (ε 0.50)"
    frozen = "plays what it knew a cycle ago (frozen)"
    assert reason(offered, Role.BUYER, 0.5, LEARNED) == frozen
    assert reason(offered, Role.BUYER, 0.5, STATIC) == ""
    guessed = talk().followed_by(SCENARIO.prices.index(4), explored=True)
    assert reason(guessed, Role.SELLER, 0.5, LEARNED) == "a guess; it guesses 50 % (ε 0.50)"
    begun = replace(guessed, turns=(replace(guessed.turns[0], state=NO_STATE),))
    assert reason(begun, Role.BUYER, 0.5, LEARNED) == "a random start"


def test_a_deal_says_who_gains_how_much() -> None:
    deal = PriceBarView(talk(4, closing=SCENARIO.accept))
    line = drawn(deal).line(1)
    assert "DEAL at 4   the buyer accepts in round 1" in line
    assert "seller 80 % ████████░░  buyer 20 % ██░░░░░░░░" in line
    narrow = Canvas(78, 6)
    draw_price_bar(narrow, deal)
    assert "seller 80 %  buyer 20 %" in narrow.line(1)


def test_markers_stay_on_their_bars() -> None:
    for price in (1, 5):
        line = drawn(PriceBarView(talk(price))).line(4)
        empty = drawn(PriceBarView(talk())).line(4)
        bar = [x for x, character in enumerate(empty) if character == "·"]
        outside = [x for x in range(len(line)) if x not in bar]
        assert str(price) in line
        assert [line[x] for x in outside] == [empty[x] for x in outside]
        assert drawn(PriceBarView(talk(price))).style_at(4, bar[0] - 1) != "seller-mark"
