"""A frame is of one moment: random keys on every kind of line, judged by the fields of the frame.

A few frames are still judged wrong: `begin` if the user pauses before the first game, `awaited` in
the frame after a refused key. The bound is far below the share of a screen with mixed moments.
"""

from collections import Counter
from random import Random

import pytest

from tests.support.one_moment_keys import CASES, SIZES, drive

LEAST = 50  # frames in which each kind is judged
SHARE = 0.004  # of all verdicts may be wrong; a mixed screen has 2%
OF_GAMES = {"title", "tables", "sentence", "speech"}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_each_frame_is_of_one_moment(case: str) -> None:
    judged, wrong = Counter[str](), list[str]()
    for size in SIZES:
        judge = drive(case, size, 80, 1)
        judged += judge.judged
        wrong += [text for texts in judge.found.values() for text in texts]
    assert len(wrong) <= SHARE * judged.total(), "\n".join(wrong[:4])
    assert min(judged[kind] for kind in OF_GAMES & {*judged}) >= LEAST, judged


def test_games_alone_list_no_refused_key() -> None:
    screen = CASES["games"](Random(1)).resize(120, 36).press("space").settle()
    footer = screen.text().splitlines()[-1]
    assert "next" in footer
    assert "story" not in footer
    assert "s seller" not in footer
