"""The screen of a tournament: whole pictures, every key, and what it does while it is played.

Pictures are compared with tests/data/screens/tournament; see test_golden for writing them anew.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from negotiation_tui.contest.tournament import (
    MEASURES,
    RESULTS,
    Standing,
    StrategyContest,
    last_game,
)
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.sessions.commands import Halt, Run
from negotiation_tui.sessions.contest_session import ContestSession, ContestSnapshot
from negotiation_tui.tui.toolkit.messages import KeyPressed, Published, Resized, Tick
from negotiation_tui.tui.tournament.keys import KEYS
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import render
from negotiation_tui.tui.tournament.update import start, update
from tests.support.golden import check

SCENARIO = Scenario.original()
ENTRANTS = (
    "learned", "midpoint", "boulware", "conceder", "tit-for-tat", "micro", "zeuthen",
    "random", "equilibrium", "best-response",
)  # fmt: skip


@cache
def whole() -> ContestSnapshot:
    """Ten entrants, whatever strategies are added, each pairing briefly."""
    contest = StrategyContest.of(SCENARIO, ENTRANTS, "published", negotiations=4)
    return ContestSnapshot(contest, contest.rows(None, 1, None))


def part(n: int, refused: Sequence[int] = ()) -> ContestSnapshot:
    """The same after so many pairings, some of which could not be played."""
    rows: list[Row] = list(whole().rows[:n])
    for number in refused:
        rows[number] = {
            **rows[number],
            **dict.fromkeys(RESULTS),
            "refused": "seller best-response, buyer best-response: neither has a rule to answer",
        }
    return replace(whole(), rows=tuple(rows))


def screen(
    width: int,
    height: int,
    played: ContestSnapshot | None = None,
    *keys: str,
    ascii_only: bool = False,
) -> Model:
    """The model after some keys."""
    shown = whole() if played is None else played
    model = start(Model(shown, width=width, height=height, ascii=ascii_only))
    for key in keys:
        model = update(model, KeyPressed(key, 0.0))
    return model


DOWN = ("down", "down", "right", "right", "right", "right")
SCREENS = {
    "80x24": lambda: screen(80, 24, None, *DOWN),
    "ascii-120x36": lambda: screen(120, 36, None, *DOWN, ascii_only=True),
    "refused-80x24": lambda: screen(80, 24, part(60, refused=(0, 11)), "v"),
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_it_was(name: str) -> None:
    check(f"tournament/{name}", render(SCREENS[name]()).text())


def test_v_goes_through_the_values_and_sort_through_the_columns() -> None:
    titles = [render(screen(120, 36, None, *"v" * n)).line(1) for n in range(len(MEASURES))]
    for title, measure in zip(titles, MEASURES, strict=True):
        assert measure.title[1:] in title
    assert screen(120, 36, None, *"v" * len(MEASURES)).measure_index == 0
    orders = len(screen(120, 36).orders)
    boards = [screen(120, 36, None, *">" * n).standings for n in range(orders)]
    assert [each.name for each in boards[-1]] == sorted(whole().contest.entrants)
    gains = [each.seller or 0.0 for each in boards[1] if isinstance(each, Standing)]
    assert gains == sorted(gains, reverse=True)
    assert screen(120, 36, None, *">" * orders).sort_index == 0


def test_on_the_leaderboard_sellers_follow_in_its_order() -> None:
    model = screen(120, 36, None, "1", *["pgup"] * 2)
    seen = []
    for _ in whole().contest.entrants:
        seen.append(model.entrants[model.one])
        model = update(model, KeyPressed("down", 0.0))
    assert seen == [standing.name for standing in whole().leaderboard]
    assert model.entrants[model.one] == seen[-1], "there is no more"


def test_space_pauses_and_goes_on() -> None:
    model = screen(80, 24, part(3))
    assert model.commands == (Run(),)
    paused = update(model, KeyPressed("space", 0.0))
    assert (paused.commands, paused.running) == ((Run(), Halt()), False)
    assert update(paused, KeyPressed("space", 0.0)).commands[-1] == Run()
    assert "all pairings are played" in screen(80, 24, None, "space").message


def test_news_fill_the_screen_and_the_end_is_said() -> None:
    model = screen(80, 24, part(99))
    assert "▶ 99 of 100 pairings" in render(model).line(0)
    model = update(model, Published(whole()))
    assert "done: 100 pairings" in render(model).line(0)
    assert model.message == "all 100 pairings are played"
    model = update(model, Tick(1.0))
    assert update(model, Tick(2.0)) is model
    assert update(model, Tick(60.0)).message == ""
    assert update(model, Resized(80, 24)) is model


@pytest.mark.slow
def test_the_referee_plays_what_carry_out_plays() -> None:
    contest = StrategyContest.of(SCENARIO, ("midpoint", "random"), negotiations=5, seed=3)
    referee = ContestSession(contest, None, workers=2, cluster=None)
    assert not referee.running
    referee.handle(Run())
    try:
        while referee.running:
            referee.step()
    finally:
        referee.close()
    assert referee.snapshot.cells == contest.cells(contest.rows(None, 1, None))
    assert referee.snapshot.finished


def test_hidden_limits_are_those_of_the_last_negotiation() -> None:
    entrants = ("midpoint", "boulware")
    contest = StrategyContest.of(Scenario.with_hidden_limits(), entrants, negotiations=4)
    rows = contest.rows(None, 1, None)
    shown = ContestSnapshot(contest, rows)
    text = render(screen(120, 36, shown)).text()
    last = last_game(contest.jobs[0], 4)
    assert "last (limits {} and {}): the".format(*last.reservation_values) in text
    assert f"deals {rows[0]['deal_share']:.0%} of {rows[0]['possible']} possible" in text
    assert f"{rows[0]['efficiency']:.0%} of the possible surplus" in text
    measures = len(shown.contest.measures)
    assert (
        "% of the possible surplus" in render(screen(120, 36, shown, *"v" * (measures - 1))).text()
    )
    for key in KEYS:
        for name in key.keys:
            for size in ((80, 24), (120, 36)):
                render(screen(*size, shown, name))
