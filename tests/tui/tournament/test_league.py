"""The screen of a league: whole pictures, its values, and a pair live.

Pictures are compared with tests/data/screens/league; see test_golden for writing them anew.
"""

from dataclasses import replace
from functools import cache

import pytest

from negotiation_tui.contest.league import RESULTS, LearnerContest
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit.app import Opened
from negotiation_tui.tui.toolkit.messages import KeyPressed, Published
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tournament.live import opened
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import render
from negotiation_tui.tui.tournament.update import start, update
from tests.support.golden import check
from tests.support.screen_loop import ScreenLoop

LEARNERS = ("q-learning", "sarsa", "wolf-phc:delta_win=0.05")


@cache
def whole() -> ContestSnapshot:
    """A small league; no two runs take the same time, so each says half a second."""
    contest = LearnerContest.of(LEARNERS, ("3x2", "2x2"), seeds=2, episodes=1440)
    rows = contest.rows(None, 1, None)
    return ContestSnapshot(contest, tuple({**row, "seconds": 0.5} for row in rows))


def part(n: int) -> ContestSnapshot:
    """The same after so many runs, the first of which was refused."""
    first = {**whole().rows[0], **dict.fromkeys(RESULTS), "refused": "it cannot learn that"}
    return replace(whole(), rows=(first, *whole().rows[1:n])[:n])


def screen(width: int, height: int, shown: ContestSnapshot, *keys: str) -> Model:
    """The model after some keys."""
    model = start(Model(shown, width=width, height=height))
    for key in keys:
        model = update(model, KeyPressed(key, 0.0))
    return model


SCREENS = {
    "80x24": lambda: screen(80, 24, whole(), "right"),
    "help-80x24": lambda: screen(80, 24, whole(), "?", "end"),
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_it_was(name: str) -> None:
    check(f"league/{name}", render(SCREENS[name]()).text())


def test_v_and_sort_go_through_the_leagues_own_values() -> None:
    titles = {render(screen(120, 36, whole(), *"v" * n)).line(1) for n in range(6)}
    assert len(titles) == 6
    model = screen(120, 36, whole(), ">", ">")
    assert model.message == "leaderboard sorted by runs that come close"
    assert model.standings[0].rank == whole().leaderboard[0].rank


def test_news_fill_the_screen() -> None:
    model = screen(80, 24, part(5))
    total = len(whole().contest.jobs)
    assert f"▶ 5 of {total} runs" in render(model).line(0)
    model = update(model, Published(whole()))
    assert model.message == f"all {total} runs are played"


def test_enter_opens_the_training_of_a_pair_live() -> None:
    model = screen(120, 36, whole(), "right", "enter")
    options = RenderOptions(False, "auto", 30.0, "dark", True, {})
    model, on_top = opened(model, options)
    assert not model.opens
    assert isinstance(on_top, Opened)
    job = model.job
    session = on_top.session
    loop = ScreenLoop(session, on_top.screen.update, on_top.screen.render, on_top.model)
    loop.resize(120, 36).tick(5)
    snapshot = loop.session.snapshot
    assert snapshot.parameters == job.parameters
    assert snapshot.seed == job.seed
    assert snapshot.specs == job.players
    assert "leads back to the league" in on_top.model.message


def test_bounds_of_nash_conv_are_shown_as_bounds() -> None:
    rows = tuple({**row, "nash_conv_at_least": row["nash_conv"] / 2} for row in whole().rows)
    shown = [
        render(screen(120, 36, replace(whole(), rows=each))).text() for each in (whole().rows, rows)
    ]
    assert ["NashConv at most" in text for text in shown] == [False, True]
    row = rows[0]
    assert f"{row['nash_conv_at_least']:.4f} to {row['nash_conv']:.4f}" in shown[1]
