"""The screens of tournament and league: pictures, every key, and what they do meanwhile.

Pictures are compared with those in tests/data/screens; see test_golden for writing them again.
"""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.contest.tournament import Standing, StrategyContest, last_game
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.text import money
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit.messages import KeyPressed, Published, Resized, Tick
from negotiation_tui.tui.toolkit.run_screen import Opened
from negotiation_tui.tui.tournament.keys import KEYS
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import render
from negotiation_tui.tui.tournament.update import opened_pair, start, update
from negotiation_tui.tui.widgets.words import percent
from tests.support.golden import check
from tests.support.paths import ROOT
from tests.support.screen_loop import ScreenLoop

pytestmark = pytest.mark.usefixtures("without_numba")  # the loops of learners take seconds
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
    rows: list[ResultRow] = list(whole().rows[:n])
    for number in refused:
        rows[number] = {
            **rows[number],
            **dict.fromkeys(whole().contest.results),
            "refused": "seller best-response, buyer best-response: neither has a rule to answer",
        }
    return replace(whole(), rows=tuple(rows))


def screen(width: int, height: int, played: ContestSnapshot | None = None, *keys: str) -> Model:
    model = start(Model(whole() if played is None else played, width=width, height=height))
    for key in keys:
        model = update(model, KeyPressed(key, 0.0))
    return model


@cache
def league() -> ContestSnapshot:
    """A small league; no two runs take the same time, so each says half a second."""
    learners = "q-learning", "sarsa", "wolf-phc:delta_win=0.05"
    contest = LearnerContest.of(learners, ("3x2", "2x2"), seeds=2, episodes=1440)
    rows = contest.rows(None, 1, None)
    return ContestSnapshot(contest, tuple({**row, "seconds": 0.5} for row in rows))


def test_arrows_name_hidden_rows() -> None:
    for pane in ("1", "2"):
        for keys, arrows in (((), "↓"), (["down"] * 4, "↑↓"), (["down"] * 9, "↑")):
            part = render(screen(80, 15, None, pane, *keys))
            area = screen(80, 15, None, pane).layout().panes[int(pane)]
            drawn = part.subcanvas(area).text().partition("\n")[2]
            assert "".join(re.findall("[↑↓]", drawn)) == arrows


def test_a_league_shows_its_newest_pair() -> None:
    played = league()
    for n in range(1, len(played.rows)):
        row = played.rows[n - 1]
        model = screen(120, 36, replace(played, rows=played.rows[:n]))
        assert model.pair == (row["seller"], row["buyer"])
        assert "not trained yet" not in render(model).text()
    assert screen(120, 36, played).pair == ("sarsa", "q-learning"), "the leader and the best other"


SCREENS = {
    "tournament/80x24": lambda: screen(80, 24, None, *["down"] * 2, *["right"] * 4),
    "league/80x24": lambda: screen(80, 24, league()),
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_is_as_it_was(name: str) -> None:
    check(name, render(SCREENS[name]()).text())


@pytest.mark.parametrize("played", [whole, league])
def test_v_goes_through_the_measures(played: Callable[[], ContestSnapshot]) -> None:
    measures = played().contest.measures
    titles = [render(screen(120, 36, played(), *"v" * n)).line(1) for n in range(len(measures))]
    for title, measure in zip(titles, measures, strict=True):
        assert measure.title[1:] in title
    assert screen(120, 36, played(), *"v" * len(measures)).measure_index == 0


def test_sort_goes_through_the_columns() -> None:
    orders = len(screen(120, 36).orders)
    boards = [screen(120, 36, None, *">" * n).standings for n in range(orders)]
    assert [each.name for each in boards[-1]] == sorted(whole().contest.axes[0])
    gains = [each.seller or 0.0 for each in boards[1] if isinstance(each, Standing)]
    assert gains == sorted(gains, reverse=True)
    assert screen(120, 36, None, *">" * orders).sort_index == 0


def test_space_pauses_until_it_is_pressed_again() -> None:
    model = screen(80, 24, part(3))
    assert model.commands == (PlayOn(),)
    paused = update(model, KeyPressed("space", 0.0))
    assert (paused.commands, paused.running) == ((PlayOn(), Halt()), False)
    assert update(paused, KeyPressed("space", 0.0)).commands[-1] == PlayOn()
    assert "all pairings are done: best-response wins" in screen(80, 24, None, "space").message


def test_a_key_of_the_other_screens_says_why_not() -> None:
    for key in ".nc,[]g+-DtsbSB":
        assert "Enter opens the chosen pair" in screen(80, 24, None, key).message


def test_the_title_says_how_far_it_is() -> None:
    model = screen(100, 24, replace(part(0), seconds_left=80.2, notice="the workers start"))
    assert "0 of 100, 1:20 left, the workers start" in render(model).line(0)
    model = screen(80, 24, replace(part(99), seconds_left=80.2))
    assert "▶ 99 of 100 pairings, 1:20 left" in render(model).line(0)
    assert re.search(r"▸ best-response leads: 3\.\d of 5 coins per game, ", render(model).text())


def test_the_end_is_said_for_less_than_a_minute() -> None:
    model = update(screen(80, 24, part(99)), Published(whole()))
    assert "done: 100 pairings" in render(model).line(0)
    assert "wins: 3.6 of 5 coins per game, 0.6 more than tit-for-tat." in model.message
    model = update(model, Tick(1.0))
    assert update(model, Tick(2.0)) is model
    assert update(model, Tick(60.0)).message == ""
    assert update(model, Resized(80, 24)) is model


def test_what_both_gain_is_said_in_coins() -> None:
    model = screen(120, 36)
    best, row = model.standings[0], model.cell
    assert isinstance(best, Standing)
    assert row is not None
    rewards = np.array([best.overall, best.seller, best.buyer])
    numbers = " ".join(f"{5 * reward:.2f}" for reward in rewards)
    assert f"{best.name} {numbers}" in " ".join(render(model).text().split())
    seller, buyer = (money(5 * row[f"reward_{role}"]) for role in Role)
    assert f"per game seller {seller}, buyer {buyer} coins" in render(model).text()


def test_the_lists_open_at_the_best_pair_that_could_play() -> None:
    model = screen(120, 36, part(60, refused=(0, 11)))
    assert model.pair == tuple(each.name for each in model.standings[:2])
    assert screen(120, 36, None).pair == ("best-response", "zeuthen"), "it cannot meet the second"
    assert screen(120, 36, None, "down", "right").pair == ("tit-for-tat", "learned")


def test_hidden_limits_are_those_of_the_last_negotiation() -> None:
    entrants = ("midpoint", "boulware")
    contest = StrategyContest.of(Scenario.of("hidden"), entrants, negotiations=3)
    rows = contest.rows(None, 1, None)
    shown = ContestSnapshot(contest, rows)
    chosen = screen(120, 36, shown, "home", "left")
    text = render(chosen).text()
    last = last_game(contest.jobs[0], 3)
    assert "the last of 3 negotiations (limits {} and {})".format(*last.reservation_values) in text
    row = shown.cells[chosen.pair]
    assert f"deals {percent(row['deal_share'])} of {row['possible']} possible" in text
    zoomed = render(screen(120, 36, shown, "home", "left", "3", "z")).text()
    assert f"{percent(row['efficiency'])} of the possible surplus" in zoomed
    assert f"rewards {row['reward_seller']:.2f} and {row['reward_buyer']:.2f}" in zoomed
    last_measure = screen(120, 36, shown, *"v" * (len(shown.contest.measures) - 1))
    assert "% of the possible surplus" in render(last_measure).text()
    for key in KEYS:
        render(screen(80, 24, shown, key.keys[0]))


def test_a_league_is_sorted_by_values_of_its_own() -> None:
    model = screen(120, 36, league(), ">", ">")
    assert model.message == "both lists sorted by runs that come close"
    assert "▸ sarsa wins: 0.1375 still to gain, q-learning" in render(model).text()
    assert model.standings[0].rank == league().leaderboard[0].rank


def test_bounds_of_nash_conv_are_shown_as_bounds() -> None:
    rows = tuple({**row, "nash_conv_at_least": row["nash_conv"] / 2} for row in league().rows)
    shown = [
        render(screen(120, 36, replace(league(), rows=each))).text()
        for each in (league().rows, rows)
    ]
    assert ["NashConv at most" in text for text in shown] == [False, True]
    row = rows[0]
    assert f"{row['nash_conv_at_least']:.4f} to {row['nash_conv']:.4f}" in shown[1]


def tournament(*specs: str, keys: tuple[str, ...] = ()) -> Model:
    contest = StrategyContest.of(SCENARIO, specs, negotiations=4)
    return screen(120, 36, ContestSnapshot(contest, ()), *keys)


def driven(on_top: Opened[Any]) -> ScreenLoop:
    screen = on_top.screen
    return ScreenLoop(on_top.session, screen.update, screen.render, on_top.model).resize(120, 36)


def test_enter_opens_the_two_strategies_once() -> None:
    asked = tournament("midpoint", "boulware:beta=0.4", keys=("right", "enter"))
    assert asked.opens
    model, on_top = opened_pair(asked)
    assert opened_pair(model) == (model, None)
    assert on_top is not None
    loop = driven(on_top)
    assert loop.session.snapshot.seating.strategies == ("midpoint", "boulware:beta=0.4")
    loop.tick(5)
    assert "seller: midpoint  buyer: boulware" in loop.text()
    assert all(driven(on_top).press(key).model.quit for key in ("q", "esc"))


def test_why_a_pairing_cannot_be_played_is_one_line(tmp_path: Path) -> None:
    model, on_top = opened_pair(
        tournament("midpoint", "best-response", keys=("end", "right", "enter"))
    )
    assert on_top is None
    assert model.message.startswith("cannot be played: ")
    assert "\n" not in model.message
    file = tmp_path / "mine.py"
    file.write_text((ROOT / "docs/my_strategy.py").read_text())
    asked = tournament("midpoint", str(file), keys=("right", "enter"))
    file.write_text("raise ValueError('broken since')")
    model, on_top = opened_pair(asked)
    assert on_top is None
    assert "cannot be played: " in model.message


def test_enter_opens_the_training_of_a_pair_of_a_league() -> None:
    contest = LearnerContest.of(("q-learning", "sarsa"), ("3x2",), seeds=2, episodes=1440)
    model = start(Model(ContestSnapshot(contest, ())))
    for key in ("enter", "enter"):  # the runs of the pair, the first of them
        model = update(model, KeyPressed(key, 0.0))
    model, on_top = opened_pair(model)
    assert isinstance(on_top, Opened)
    snapshot = driven(on_top).tick(5).session.snapshot
    run = snapshot.parameters, snapshot.seed, snapshot.seating.specs
    assert run == (model.job.parameters, model.job.seed, model.job.players)
    assert "the league goes on meanwhile, Esc leads back" in on_top.model.message


@pytest.mark.skipif(sys.platform == "win32", reason="needs sh")
def test_programs_have_short_names_that_differ() -> None:
    run = "cmd:sh /long/path/"
    text = render(tournament(f"{run}one.sh", f"{run}two.sh a", f"{run}two.sh b")).text()
    assert " one.sh " in text
    assert "sh /long/path/two.sh a " in text
    assert "cmd:" not in text
