"""A market without a screen: compiled if it runs long enough, with a progress bar on stderr."""

import signal
import time
from collections.abc import Callable

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import new_backend
from negotiation_tui.learning.loop import write_policy
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.checkpoint import save_simulation
from negotiation_tui.market.run_length import BY_STEPS, RunLength
from negotiation_tui.market.simulation import OPENED, MarketSimulation
from negotiation_tui.market.tick_loop import run_ticks
from negotiation_tui.runtime.interrupts import ENDING
from negotiation_tui.runtime.jit import LOADING, BackgroundCompiler, seconds_until_ready
from negotiation_tui.runtime.output import ProgressBar, notice
from negotiation_tui.runtime.signals import deferred_signals

_COMPILING, COMPILING_ANY = 6.0, 9.0  # seconds to compile the tick loop; for any learners
MARKETS = 3  # the markets that kept code serves, at the least
SAVE_EVERY = 60.0  # seconds between two writes of a market that is to be saved


def trade(market: MarketSimulation, path: str | None = None) -> None:
    """Run a market to its limit, with a bar on a terminal; save it to `path`, if any, every minute.

    Ctrl-C raises KeyboardInterrupt, a signal of ENDING SystemExit, between two ticks.
    """
    saved = time.monotonic()
    compiling = BackgroundCompiler(lambda: warm(market))
    chunk = 1
    with deferred_signals("SIGINT", *ENDING) as signals, ProgressBar("ticks") as bar:
        while not market.finished and not signals:
            if not can_run(market, compiling, bar.say, waits=True):
                time.sleep(0.02)
                bar.left.restart(market.tick)
                continue
            before, used = time.monotonic(), time.thread_time()
            market.run(chunk)
            now = time.monotonic()
            ahead = (time.thread_time() - used) / chunk * (market.ticks - market.tick)
            # Check the clock and the compiler about ten times per second.
            chunk = max(1, int(chunk * min(4.0, 0.1 / max(now - before, 1e-6))))
            if compiling_pays(market, ahead):
                compiling.begin()
            if path and now - saved > SAVE_EVERY:
                try:
                    save_simulation(path, market)
                except BadInputError as error:  # the last save may find room
                    notice(str(error))
                saved = now
            bar.show(market.tick, market.ticks)
    if signals:
        if signals[0] == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + signals[0])


def can_run(
    market: MarketSimulation,
    compiling: BackgroundCompiler[Backend],
    say: Callable[[str], object],
    waits: bool = False,
) -> bool:
    """True unless a market waits for its code; `say` gets the reason if that takes long.

    A large market waits, and with `waits` each that compiles: both at once would take longer.
    """
    if market.backend is OPENED:
        compiling.begin()
        waits = True
    if waits and compiling.begun and not market.compiled:
        if not compiling.ended:
            if _seconds_to_compile(market) > LOADING:
                say("compiling the market; it is kept for the next time")
            return False
        if market.backend is not (code := compiling.done or PLAIN):
            market.use(code)
    return True


def compiling_pays(market: MarketSimulation, ahead: float) -> bool:
    """True if compiling pays for `ahead` seconds of plain work in each of some markets."""
    worth = market.backend is PLAIN and ahead > 2 * LOADING
    return worth and MARKETS * ahead > _seconds_to_compile(market)


def _seconds_to_compile(market: MarketSimulation) -> float:
    if market.traders.plain:
        return seconds_until_ready(run_ticks, _COMPILING)
    return seconds_until_ready(write_policy, COMPILING_ANY)


def warm(market: MarketSimulation | None = None) -> Backend | None:
    """Compile the tick loop by running a small market; return its backend, None without numba."""
    backend = new_backend()
    if backend is not None:
        scenario = Scenario.from_dict({"prices": 2, "rounds": 1, "states": "opener-aware"})
        specs = {agent.strategy for agent in market.agents} if market else {LEARNED}
        learners = sorted(filter(learns, specs)) or [LEARNED]
        agents = [
            Agent(f"{role}-{number}", role, 1 + role, spec)
            for role in Role
            for number, spec in enumerate(learners)
        ]
        small = MarketSimulation(scenario, agents, RunLength(BY_STEPS, 1), 0, backend=backend)
        small.run()
        for number in range(len(learners)):
            small.table(number)
    return backend
