"""The time bar: the moment shown, the present, and the changes on the way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.sessions.snapshot import Course
from negotiation_tui.tui.negotiation.render import draw_course
from negotiation_tui.tui.toolkit.canvas import Canvas

HINTS = (("[ ]", "cycle"), ("g", "go to"))
LINE = Course(800, 1000, range(0, 1001, 10), per=10, changes=((500, "the seller plays"),))


def drawn(line: Course, here: int, width: int = 80, **shown: Any) -> str:
    canvas = Canvas(width, 1)
    draw_course(canvas, line, here, HINTS, **shown)
    return canvas.text().rstrip("\n")


def test_the_moment_the_present_and_a_change_are_at_their_shares() -> None:
    text = drawn(LINE, 200, in_past=True)
    track = text[text.index("├") : text.index("┤")]
    for mark, share in (("●", 0.2), ("◆", 0.5), ("○", 0.8)):
        assert track.index(mark) / len(track) == pytest.approx(share, abs=0.04)
    assert text.startswith(" past ├─")
    assert "20 of 100 cycles" in text
    assert text.endswith("[ ] cycle · g go to")
    assert track.count("·") == pytest.approx(0.2 * len(track), abs=2), "the plan is dotted"


def test_a_number_that_is_typed_and_one_on_its_way() -> None:
    assert "go to cycle: 42_" in drawn(LINE, 200, typed="42")
    assert "… cycle 7 + 3" in drawn(LINE, 200, wanted=73)


@given(st.integers(1, 200), st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9))
def test_it_fits_any_width(width: int, now: int, end: int, here: int) -> None:
    line = Course(now, end, changes=((now // 2, "more"),))
    assert len(drawn(line, here, width, in_past=True)) <= width
