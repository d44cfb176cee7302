"""Enter on a pairing: its two players on the screen of two agents, and the way back."""

from pathlib import Path
from typing import Any

from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit.app import Opened
from negotiation_tui.tui.toolkit.messages import KeyPressed
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tournament.live import opened
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.update import start, update
from tests.support.paths import ROOT
from tests.support.screen_loop import ScreenLoop

OPTIONS = RenderOptions(False, "auto", 30.0, "dark", True, True, {})


def tournament(*specs: str, keys: tuple[str, ...] = ()) -> Model:
    """The first screen of a tournament after some keys."""
    contest = StrategyContest.of(Scenario.original(), specs, negotiations=4)
    model = start(Model(ContestSnapshot(contest, ())))
    for key in keys:
        model = update(model, KeyPressed(key, 0.0))
    return model


def live(*specs: str, keys: tuple[str, ...] = ("right", "enter")) -> ScreenLoop:
    """The screen that opens."""
    _, on_top = opened(tournament(*specs, keys=keys), OPTIONS)
    assert isinstance(on_top, Opened)
    return driven(on_top)


def driven(on_top: Opened[Any]) -> ScreenLoop:
    screen = on_top.screen
    return ScreenLoop(on_top.session, screen.update, screen.render, on_top.model).resize(120, 36)


def test_enter_opens_the_two_strategies_and_the_request_is_gone() -> None:
    asked = tournament("midpoint", "boulware:beta=0.4", keys=("right", "enter"))
    assert asked.opens
    model, on_top = opened(asked, OPTIONS)
    assert opened(model, OPTIONS) == (model, None)
    assert on_top is not None
    loop = driven(on_top)
    assert loop.session.snapshot.strategies == ("midpoint", "boulware:beta=0.4")
    loop.tick(5)
    assert loop.model.playback is not None
    assert "seller: midpoint  buyer: boulware" in loop.text()
    assert all(driven(on_top).press(key).model.quit for key in ("q", "esc"))


def test_why_a_pairing_cannot_be_played_is_one_line(tmp_path: Path) -> None:
    model, on_top = opened(
        tournament("midpoint", "best-response", keys=("end", "right", "enter")), OPTIONS
    )
    assert on_top is None
    assert model.message.startswith("cannot be played: ")
    assert "\n" not in model.message
    file = tmp_path / "mine.py"
    file.write_text((ROOT / "docs/my_strategy.py").read_text())
    asked = tournament("midpoint", str(file), keys=("right", "enter"))
    file.write_text("raise ValueError('broken since')")
    model, on_top = opened(asked, OPTIONS)
    assert on_top is None
    assert "cannot be played: " in model.message


def test_enter_opens_the_training_of_a_pair_of_a_league() -> None:
    contest = LearnerContest.of(("q-learning", "sarsa"), ("3x2",), seeds=2, episodes=1440)
    model = update(start(Model(ContestSnapshot(contest, ()))), KeyPressed("enter", 0.0))
    model, on_top = opened(model, OPTIONS)
    assert isinstance(on_top, Opened)
    snapshot = driven(on_top).tick(5).session.snapshot
    run = snapshot.parameters, snapshot.seed, snapshot.specs
    assert run == (model.job.parameters, model.job.seed, model.job.players)
    assert "the league goes on meanwhile, Esc leads back" in on_top.model.message
