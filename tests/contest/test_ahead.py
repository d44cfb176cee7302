"""Estimates of how long runs will take, before the first begins."""

import re
import select
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from negotiation_tui import Scenario, States
from negotiation_tui.contest.ahead import Load, seconds_ahead
from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands
from negotiation_tui.sessions.contest_session import ContestSession
from tests.support.cli import running
from tests.support.game import some

GAME = Scenario.original()
PROGRAM = "cmd:exit 1"  # would fail if it were asked
LONG = {
    "sweep": (("--set", "cycles=1000000", "--runs", "30"), "30 runs of 100,000,000 episodes"),
    "tournament": (
        ("--text", "--negotiations", "5000000"),
        "324 pairings of 5,000,000 negotiations",
    ),
    "league": (
        ("--text", "--learners", "sarsa,double-q", "--episodes", "1000000000"),
        "6 runs of 1,000,000,000 episodes",
    ),
}


@contextmanager
def said(*words: str) -> Iterator[str]:
    """Start the program; yield the first line that it prints to stderr."""
    with running(*words, until=lambda _: True) as process:
        assert process.stderr
        assert select.select([process.stderr], [], [], 60)[0], "nothing was said"
        yield process.stderr.readline()


@pytest.mark.parametrize(("name", "workers"), [("sweep", 1), ("tournament", 2), ("league", 2)])
def test_long_work_is_announced(name: str, workers: int) -> None:
    options, size = LONG[name]
    with said(name, *options, "--workers", str(workers)) as line:
        who = "1 worker" if workers == 1 else "2 workers"
        assert re.fullmatch(rf"about \d+ (s|min|h) with {who} \({size}\)\n", line)


def test_short_work_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    league = LearnerContest.of(["q-learning"], ["original"], 1, episodes=100)
    assert len(league.rows()) == 1
    assert capsys.readouterr().err == ""


def ahead(
    *players: str, scenario: Scenario = GAME, load: Load | None = None, workers: int = 1
) -> float | None:
    run = Run.by_recipe(scenario, "annealing", 0, (players[0], players[-1]))
    return seconds_ahead({run: load or Load(1e9)}, workers)


def test_it_grows_with_the_work_and_falls_with_the_workers() -> None:
    one, two = (some(ahead("learned:wolf-phc", workers=n)) for n in (1, 2))
    assert one > two >= one / 2
    assert some(ahead("learned:wolf-phc", load=Load(1e9, 1e9))) > 2 * one
    assert ahead(PROGRAM) is None  # players of the user count as the others and are not asked
    assert ahead(PROGRAM, "boulware") is not None


@pytest.mark.parametrize("spec", ["learned", "learned:cfr"])
def test_a_large_game_is_not_played_and_counts_by_its_size(spec: str) -> None:
    load = Load(40_000, 10)
    hidden = map(Scenario.of, ("hidden", "bazaar"))
    games = (replace(game, states=States.OPENER_AWARE) for game in hidden)
    small, large = (some(ahead(spec, scenario=game, load=load)) for game in games)
    assert large > small


def test_the_screen_knows_it_before_the_first_result() -> None:
    contest = StrategyContest.of(GAME, ["boulware", "conceder"])
    session = ContestSession(contest, contest.file(), 2, None)
    session.handle(commands.PlayOn())
    try:
        session.step()
        assert not session.snapshot.rows
        assert session.snapshot.seconds_left
    finally:
        session.close()
