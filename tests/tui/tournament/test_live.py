"""Enter on a pairing: its two players on the screen of two agents, and the way back."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.players.run import Run, trained_pair
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.tui.toolkit.app import Opened
from negotiation_tui.tui.toolkit.messages import KeyPressed
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tournament.live import opened
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.update import start, update
from tests.support.paths import ROOT
from tests.support.screen_loop import ScreenLoop

OPTIONS = RenderOptions(False, "auto", 30.0, "dark", True, {})
RECIPE = "reverse-curriculum"


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


def test_nothing_opens_without_enter() -> None:
    model = tournament("midpoint", "boulware")
    assert opened(model, OPTIONS) == (model, None)


def test_enter_opens_the_two_strategies_and_the_request_is_gone() -> None:
    asked = tournament("midpoint", "boulware:beta=0.4", keys=("right", "enter"))
    assert asked.opens
    model, on_top = opened(asked, OPTIONS)
    assert not model.opens
    assert on_top is not None
    loop = driven(on_top)
    assert loop.session.snapshot.strategies == ("midpoint", "boulware:beta=0.4")
    loop.tick(5)
    assert loop.model.playback is not None
    assert "seller MIDPOINT · buyer BOULWARE" in loop.text()


def test_it_says_that_the_tournament_goes_on() -> None:
    text = live("midpoint", "boulware").text().splitlines()[-1]
    assert "the tournament goes on meanwhile" in text
    paused = live("midpoint", "boulware", keys=("space", "enter")).text().splitlines()[-1]
    assert "leads back to the tournament" in paused
    assert "meanwhile" not in paused


@pytest.mark.parametrize("key", ["q", "esc"])
def test_q_and_esc_lead_back(key: str) -> None:
    loop = live("midpoint", "boulware").tick(60).press(key)
    assert loop.model.quit


@pytest.mark.slow
def test_the_learner_knows_what_it_knows_in_the_tournament() -> None:
    loop = live("learned", "hardliner")
    snapshot = loop.session.snapshot
    assert snapshot.strategies == (None, "hardliner")
    assert snapshot.finished
    run = Run.by_recipe(Scenario.original(), RECIPE, 0, ("learned", "hardliner"))
    expected = trained_pair(run.self_play("learned"))[Role.SELLER]
    table = snapshot.q_tables[Role.SELLER]
    assert table is not None
    known = greedy(snapshot.scenario, Role.SELLER, table)
    assert np.array_equal(known.probabilities, expected.probabilities)


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
    assert opened(replace(model, opens=False), OPTIONS) == (model, None)
