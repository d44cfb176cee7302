"""A market that goes on as it is told: what it publishes, when it stops, what it keeps."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import population
from negotiation_tui.market.checkpoint import load_simulation, save_simulation
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.sessions.commands import Follow, Halt, Play, Restart, Run
from negotiation_tui.sessions.market_session import MarketSession

LIMITS = ("negotiations=2000", "steps=500")
ENDLESS = "steps=1000000000000"


def room(limit: str, pairs: int = 5) -> MarketSimulation:
    rng = np.random.default_rng(0)
    agents = [
        *population(Role.SELLER, "seller", pairs, [0, 1, 2], rng),
        *population(Role.BUYER, "buyer", pairs, [5, 4, 3], rng),
    ]
    return MarketSimulation(Scenario.original(), agents, Limit.of(limit), 3)


def assert_of_now(scene: MarketSnapshot) -> None:
    """What is said to go on was begun in the last tick, or goes on until then."""
    meetings = scene.encounters
    until = meetings.begun + (meetings.rounds if scene.setup.limit.steps else 1)
    assert len(meetings)
    assert (until >= scene.tick).all()


@pytest.mark.parametrize("limit", LIMITS)
def test_flat_out_what_is_published_is_of_now(limit: str) -> None:
    runner, followed = MarketSession(lambda: room(limit)), 0
    runner.handle(Run(None))
    while runner.running:
        before = runner.snapshot
        runner.step()
        if runner.snapshot is not before:
            assert_of_now(runner.snapshot)
        runner.step()
        if runner.running:
            followed = 9 - followed
            runner.handle(Follow(followed))
            assert_of_now(runner.snapshot)
    assert runner.snapshot.finished
    assert_of_now(runner.snapshot)


@pytest.mark.parametrize("limit", [*LIMITS, ENDLESS])
def test_it_halts_with_what_goes_on(limit: str) -> None:
    runner = MarketSession(lambda: room(limit))
    runner.handle(Run(None))
    for _ in range(4):
        runner.step()
    runner.handle(Halt())
    assert_of_now(runner.snapshot)
    assert not runner.running
    whole = room(limit)
    whole.run(runner.simulation.tick)
    for name, state in whole.state().items():
        assert np.array_equal(runner.simulation.state()[name], state)


def test_so_many_ticks_are_played_and_then_handled() -> None:
    runner = MarketSession(lambda: room("steps=500"))
    for ticks in (1, 30, 1, 400, 400):
        tick, handled = runner.simulation.tick, runner.snapshot.handled
        runner.handle(Play(ticks))
        while runner.running:
            runner.step()
        assert runner.simulation.tick == min(500, tick + ticks)
        assert runner.snapshot.handled == handled + 1
        assert_of_now(runner.snapshot)


def test_a_long_stretch_gives_way() -> None:
    runner = MarketSession(lambda: room(ENDLESS))
    runner.handle(Play(10**10))
    for _ in range(5):
        runner.step()
        assert runner.snapshot.handled == 0
    runner.handle(Follow(7))
    assert runner.running, "to look at another does not stop it"
    runner.step()
    runner.handle(Halt())
    assert not runner.running
    assert runner.snapshot.handled == 3
    assert 5 < runner.snapshot.tick < 10**9
    assert_of_now(runner.snapshot)


def test_it_is_kept_between_two_ticks(tmp_path: Path) -> None:
    """Also while another thread is at work on a large one, which takes time for a tick."""
    path = tmp_path / "room.npz"
    runner = MarketSession(lambda: room("steps=3", 2000))
    runner.handle(Run(None))
    worker = threading.Thread(target=runner.step)
    worker.start()
    with runner.at_rest() as resting:
        save_simulation(path, resting)
    worker.join()
    kept, whole = load_simulation(path), room("steps=3", 2000)
    for one in (kept, whole):
        one.run()
    for name, state in whole.state().items():
        assert np.array_equal(kept.state()[name], state), name


def test_it_is_kept_each_minute_while_stepping_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, later = tmp_path / "room.npz", time.monotonic() + 61
    runner = MarketSession(lambda: room("steps=500"), str(path))
    monkeypatch.setattr(time, "monotonic", lambda: later)
    runner.handle(Play(3))
    while runner.running:
        runner.step()
    assert load_simulation(path).tick in {1, 2, 3}


def test_what_is_resumed_begins_there_again_while_its_file_is_there(tmp_path: Path) -> None:
    path = tmp_path / "room.npz"
    begun = room("steps=500")
    begun.run(100)
    save_simulation(path, begun)
    runner = MarketSession(lambda: load_simulation(path))
    for _ in range(2):
        runner.handle(Play(50))
        while runner.running:
            runner.step()
        assert runner.snapshot.tick == 150
        runner.handle(Restart())
        assert "tick 100" in runner.snapshot.notice
        assert runner.snapshot.tick == 100
    path.unlink()
    runner.handle(Play(50))
    while runner.running:
        runner.step()
    runner.handle(Restart())
    assert "cannot be read" in runner.snapshot.notice
    assert runner.snapshot.tick == 150
