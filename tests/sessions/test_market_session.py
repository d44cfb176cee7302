"""A market session: its snapshots, its stops and its files."""

import gc
import threading
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.market.agents import population
from negotiation_tui.market.checkpoint import load_simulation, save_simulation
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.market.summary import accounts
from negotiation_tui.market.tick_loop import SURPLUS
from negotiation_tui.runtime.jit import BackgroundCompiler, is_compiling
from negotiation_tui.sessions.commands import Follow, Halt, Play, PlayOn, Restart
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.session import attempt
from negotiation_tui.tui.market import panes

pytestmark = pytest.mark.usefixtures("without_numba")  # the loop of markets takes nine seconds
LIMITS = ("negotiations=2000", "steps=500")
ENDLESS = "steps=1000000000000"


def market(limit: str, pairs: int = 5, delta: tuple[float, float] = (1, 1)) -> MarketSimulation:
    rng = np.random.default_rng(0)
    agents = [
        *population(Role.SELLER, "seller", pairs, [0, 1, 2], rng),
        *population(Role.BUYER, "buyer", pairs, [5, 4, 3], rng),
    ]
    scenario = replace(Scenario.original(), delta=delta)
    return MarketSimulation(scenario, agents, RunLength.of(limit), 3)


def test_a_snapshot_has_the_gains_that_time_left() -> None:
    own = MarketSession(lambda: market("negotiations=2000", delta=(0.9, 0.1)))
    found, trade = played(own, 4), own.simulation
    assert found.gains.tolist() == [row["surplus"] for row in accounts(trade)]
    assert found.surplus == pytest.approx(trade.surplus.sum()) == pytest.approx(found.gains.sum())
    assert 0 < found.surplus < found.history[:, SURPLUS].sum()
    met = found.encounters
    third, differ = np.minimum(met.n_turns, 3), 0
    _, ahead, agreed = panes.standing(found, third)
    for n in np.flatnonzero(ahead != panes.NONE).tolist():
        turns = met.transcript(n, trade.scenario).turns[: third[n]]
        k = len(turns) - 1 - int(agreed[n])
        cost, value = (found.setup.reservation[each[n]] for each in (met.sellers, met.buyers))
        price = turns[-1].price
        assert (ahead[n] == panes.SELLER) == ((price - cost) * 0.9**k > (value - price) * 0.1**k)
        differ += ((price - cost) > (value - price)) != (ahead[n] == panes.SELLER)
    assert differ


def played(session: MarketSession, ticks: int) -> MarketSnapshot:
    session.handle(Play(ticks))
    while session.running:
        session.step()
    return session.snapshot


def assert_of_now(snapshot: MarketSnapshot) -> None:
    """The encounters of a snapshot began in the last tick, or were not over before it."""
    encounters = snapshot.encounters
    until = encounters.begun + (encounters.rounds if snapshot.setup.limit.steps else 1)
    assert len(encounters)
    assert (until >= snapshot.tick).all()


@pytest.mark.parametrize(
    ("run", "limit", "begins"), [(PlayOn(None), "steps=100", False), (Play(200), ENDLESS, True)]
)
def test_it_begins_to_compile_if_the_work_ahead_takes_longer(
    run: PlayOn | Play, limit: str, begins: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    monkeypatch.setattr(BackgroundCompiler, "begin", lambda _: begun.append(1))
    session = MarketSession(lambda: market(limit, 100))
    session.handle(run)
    assert not begun
    until = time.monotonic() + 20
    while session.running and not begun and time.monotonic() < until:
        session.step()
    assert bool(begun) == begins


@pytest.mark.parametrize("limit", LIMITS)
def test_flat_out_what_is_published_is_of_now(limit: str) -> None:
    session, followed = MarketSession(lambda: market(limit)), 0
    session.handle(PlayOn(None))
    while session.running:
        before = session.snapshot
        session.step()
        if session.snapshot is not before:
            assert_of_now(session.snapshot)
        session.step()
        if session.running:
            followed = 9 - followed
            session.handle(Follow(followed))
            assert_of_now(session.snapshot)
    assert session.snapshot.finished
    assert_of_now(session.snapshot)


@pytest.mark.parametrize("limit", [*LIMITS, ENDLESS])
def test_it_halts_with_what_goes_on(limit: str) -> None:
    session = MarketSession(lambda: market(limit))
    session.handle(PlayOn(None))
    for _ in range(4):
        session.step()
    session.handle(Halt())
    assert_of_now(session.snapshot)
    assert not session.running
    whole = market(limit)
    whole.run(session.simulation.tick)
    for name, state in whole.state().items():
        assert np.array_equal(session.simulation.state()[name], state)


def test_so_many_ticks_are_played_and_then_handled() -> None:
    session = MarketSession(lambda: market("steps=100"))
    for ticks in (1, 30, 90):
        tick, handled = session.simulation.tick, session.snapshot.status.handled
        played(session, ticks)
        assert session.simulation.tick == min(100, tick + ticks)
        assert session.snapshot.status.handled == handled + 1
        met = session.snapshot.encounters
        partner = met.of(Role.BUYER)[met.of(Role.SELLER) == 0][-1]
        assert [*session.snapshot.tables] == [0, partner]
        assert_of_now(session.snapshot)


def test_a_long_stretch_gives_way() -> None:
    session = MarketSession(lambda: market(ENDLESS))
    session.handle(Play(10**10))
    for _ in range(5):
        session.step()
        assert session.snapshot.status.handled == 0
    session.handle(Follow(7))
    assert session.running, "to look at another does not stop it"
    session.step()
    session.handle(Halt())
    assert not session.running
    assert session.snapshot.status.handled == 3
    assert 5 < session.snapshot.tick < 10**9
    assert_of_now(session.snapshot)


def test_it_is_kept_between_two_ticks(tmp_path: Path) -> None:
    """Even while another thread runs a tick of a large market, which takes a while."""
    path = tmp_path / "market.npz"
    session = MarketSession(lambda: market("steps=3", 300))
    session.handle(PlayOn(None))
    worker = threading.Thread(target=session.step)
    worker.start()
    with session.at_rest() as resting:
        save_simulation(path, resting)
    worker.join()
    kept, whole = load_simulation(path), market("steps=3", 300)
    for one in (kept, whole):
        one.run()
    for name, state in whole.state().items():
        assert np.array_equal(kept.state()[name], state), name


def test_stepping_keeps_it_each_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, later = tmp_path / "market.npz", time.monotonic() + 61
    session = MarketSession(lambda: market("steps=500"), str(path))
    monkeypatch.setattr(time, "monotonic", lambda: later)
    played(session, 3)
    assert load_simulation(path).tick in {1, 2, 3}


def test_what_is_resumed_begins_there_again_while_its_file_is_there(tmp_path: Path) -> None:
    path = tmp_path / "market.npz"
    begun = market("steps=500")
    begun.run(100)
    save_simulation(path, begun)
    session = MarketSession(lambda: load_simulation(path))
    for _ in range(2):
        assert played(session, 50).tick == 150
        session.handle(Restart())
        assert "tick 100" in session.snapshot.status.notice
        assert session.snapshot.tick == 100
    path.unlink()
    played(session, 50)
    attempt(session, session.handle, Restart())
    assert "cannot be read" in session.snapshot.status.notice
    assert session.snapshot.tick == 150


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "pairs"), [("steps=1000", 100), ("negotiations=20000", 20)])
def test_the_size_of_a_snapshot_is_what_it_allocates(limit: str, pairs: int) -> None:
    session, kept = MarketSession(lambda: market(limit, pairs)), list[MarketSnapshot]()
    session.handle(Play(50))
    while is_compiling():  # a thread that allocates memory
        time.sleep(0.01)
    tracemalloc.start()
    try:
        for _ in range(20):
            kept.append(played(session, 1))
        said = sum(snapshot.bytes_beyond(None) for snapshot in kept[:-1])
        del kept[-1]  # the session keeps the last one
        gc.collect()
        with_all = tracemalloc.get_traced_memory()[0]
        kept.clear()
        gc.collect()
        used = with_all - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 0.8 * used < said < 1.2 * used
