"""A market without a screen: compiled as soon as that pays, with a bar on stderr."""

import signal
import sys
import time
from typing import TextIO

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.headless import COMPILE_AFTER
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.checkpoint import save_simulation
from negotiation_tui.market.engine import Engine, compiled_engine
from negotiation_tui.market.limit import BY_STEPS, Limit
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.runtime.jit import BackgroundCompiler
from negotiation_tui.runtime.progress_bar import BAR_AFTER, Bar
from negotiation_tui.runtime.signals import deferred_signals

SAVE_EVERY = 60.0
"""Seconds after which a room that is to be kept is written once more."""


def trade(room: MarketSimulation, stream: TextIO | None = None, path: str | None = None) -> None:
    """Run a room to its limit; with a path it is kept there every minute.

    If that takes longer than a second and the stream (stderr) is a terminal, a bar shows how far
    it is. Ctrl-C raises KeyboardInterrupt between two ticks, SIGTERM and SIGHUP SystemExit; the
    room can go on from there.
    """
    begun = kept = time.monotonic()
    compiling = BackgroundCompiler(warm)
    bar, chunk = Bar(sys.stderr if stream is None else stream, "ticks"), 1
    with deferred_signals("SIGINT", "SIGTERM", "SIGHUP") as signals:
        while not room.finished and not signals:
            before = time.monotonic()
            room.run(chunk)
            now = time.monotonic()
            # About ten looks a second at the clock and the compiler.
            chunk = max(1, int(chunk * min(4.0, 0.1 / max(now - before, 1e-6))))
            if now - begun > COMPILE_AFTER:
                compiling.begin()
            if compiling.done and room.engine is not compiling.done:
                room.use(compiling.done)
            if path and now - kept > SAVE_EVERY:
                save_simulation(path, room)
                kept = now
            if now - begun > BAR_AFTER:
                bar.show(room.tick, room.ticks, now - begun)
        bar.clear()
    if signals:
        if signals[0] == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + signals[0])


def warm() -> Engine | None:
    """The compiled engine, compiled by now on the smallest room there is; None without numba."""
    engine = compiled_engine()
    if engine is not None:
        scenario = Scenario.from_dict({"prices": 2, "rounds": 1})
        agents = [Agent("seller", Role.SELLER, 1), Agent("buyer", Role.BUYER, 2)]
        MarketSimulation(scenario, agents, Limit(BY_STEPS, 1), 0, engine=engine).run()
    return engine
