"""A frame is of one moment: random keys on every kind of line, judged by its fields."""

from collections import Counter
from random import Random

import pytest

from negotiation_tui.sessions.commands import Halt
from negotiation_tui.tui.toolkit.messages import Published
from tests.support.one_moment import KINDS, OF_MARKET
from tests.support.one_moment_keys import CASES, SIZES, drive
from tests.support.screen_driver import Screen

LEAST = 50  # frames in which each kind is judged


@pytest.mark.slow
def test_each_frame_is_of_one_moment() -> None:
    judged = Counter[str]()
    for case in CASES:
        for size in SIZES:
            judge = drive(case, size, 80, 1)
            judged += judge.judged
            assert not judge.found, f"{case}: {judge.summary}"
    assert min(judged[kind] for kind in {**KINDS, **OF_MARKET}) >= LEAST, judged


def test_games_alone_list_no_refused_key() -> None:
    screen = CASES["games"](Random(1)).resize(120, 36).press("space").settle()
    footer = screen.text().splitlines()[-1]
    assert "next" in footer
    assert "story" not in footer
    assert "s seller" not in footer


def test_the_opening_has_its_players() -> None:
    screen = Screen(pace="story")
    screen.session.handle(Halt())
    screen.tell(Published(screen.session.snapshot))
    assert screen.model.here.negotiation is None
    assert "seller: midpoint" in screen.text()
