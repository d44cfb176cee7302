"""A live market: it takes commands, trades, and publishes immutable snapshots."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.market.checkpoint import save_simulation
from negotiation_tui.market.headless import SAVE_EVERY, can_run, compiling_pays, warm
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.snapshot import Encounters, MarketSnapshot
from negotiation_tui.runtime.files import new_files
from negotiation_tui.runtime.jit import BackgroundCompiler, busy_seconds
from negotiation_tui.runtime.text import joined
from negotiation_tui.sessions.commands import Command, Follow, Save
from negotiation_tui.sessions.paced_session import PUBLISH_EVERY, PacedSession
from negotiation_tui.sessions.saving import write_texts

_TIMED = 100  # negotiations of a batch that tell how long the rest takes


class MarketSession(PacedSession[MarketSnapshot]):
    """The market that `open_market` returns at each start, saved to `path`, if any, by minutes."""

    def __init__(
        self, open_market: Callable[[], MarketSimulation], path: str | None = None
    ) -> None:
        super().__init__()
        self._open_market, self._path = open_market, path
        self._compiling = BackgroundCompiler(lambda: warm(self.simulation))
        self._goal: int | None = None  # the tick at which a `Play` ends; None if there is none
        self._followed = 0
        self._saved_at, self._waiting_for = time.monotonic(), ""
        self._begin()
        self.snapshot = self._snapshot()

    @property
    def _finished(self) -> bool:
        return self.simulation.finished

    def _obey(self, command: Command) -> None:
        """Carry out a command; `Play` is left to `step`, handled when it ends or is replaced."""
        if not isinstance(command, Follow | Save):
            self._goal = None
        match command:
            case Follow(agent):
                self._followed = agent
            case Save():
                self._say(self._save(command))
            case _:
                super()._obey(command)
        if self._goal is None and self._watched_at != self.simulation.tick:  # runs flat out
            self._trade(self._to_watch, self._to_watch)

    def _play(self, n: int) -> None:
        if not self._finished:
            super()._run(None)
            self._goal = min(self.simulation.ticks, self.simulation.tick + n)

    def _step(self) -> float:
        if self._pacer is None or self._finished:
            return 0.0
        if not can_run(self.simulation, self._compiling, self._tell):
            return PUBLISH_EVERY
        self._tell("")
        end = self.simulation.ticks if self._goal is None else self._goal
        left = end - self.simulation.tick
        batch, due = min(left, self._pacer.due()), self._pacer.time_to_publish()
        if batch:
            to_watch = self._to_watch if due or self._pacer.pace is not None else 0
            self._trade(batch, max(to_watch, batch - max(0, left - self._to_watch)))
            self._pacer.played(batch)
        if batch == left:
            self._goal = self._pacer = None
            self._publish()
        elif due:
            self._publish()
            self._pacer.published()
        if self._path and time.monotonic() - self._saved_at > SAVE_EVERY:
            try:
                save_simulation(self._path, self.simulation)
            except BadInputError as error:
                self._say(str(error))
            self._saved_at = time.monotonic()
        return self._pacer.rest() if self._pacer else 0.0

    @contextmanager
    def at_rest(self) -> Iterator[MarketSimulation]:
        """Hold the market between two ticks, even if another thread runs the session."""
        with self._busy:
            yield self.simulation

    def _begin(self) -> None:
        self.simulation = market = self._open_market()
        # The most ticks that a negotiation takes: watching them shows all that is going on.
        self._to_watch = market.scenario.rounds if market.limit.steps else 1
        self._encounters = Encounters.none(market.scenario)
        self._watched_at = market.tick
        """The tick after the last one that was watched."""

    def _restart(self) -> str:
        self._begin()
        if self.simulation.tick:
            return f"back where it was resumed, at tick {self.simulation.tick:,}"
        return f"restarted with seed {self.simulation.seed}"

    def _trade(self, ticks: int, to_watch: int) -> None:
        market, compiled = self.simulation, self._compiling.done
        if compiled and market.backend is not compiled:
            market.use(compiled)
        if ticks > to_watch:
            n, begun = ticks - to_watch, busy_seconds()
            market.run(n)
            ahead = (busy_seconds() - begun) / n * (market.ticks - market.tick)
            if n * market.pairs >= _TIMED and compiling_pays(market, ahead):
                self._compiling.begin()
        for _ in range(min(ticks, to_watch)):
            if not market.finished:
                new, earlier, self._watched_at = market.watch(), self._encounters, market.tick
                if market.limit.steps:  # earlier ones may not be over yet
                    new = earlier.followed_by(new, earlier.begun + earlier.rounds >= market.tick)
                self._encounters = new

    def _tell(self, notice: str) -> None:
        """Publish a notice, unless it is the last one."""
        if notice != self._waiting_for:
            self._waiting_for = notice
            self._say(notice)
            self._publish()

    def _save(self, save: Save) -> str:
        market = self.simulation
        details, screen = f"seed{market.seed}-tick{market.tick}", dict(save.screen)
        with new_files(f"market-{market.scenario.name}", details, ".npz", *screen) as stem:
            save_simulation(f"{stem}.npz", market)
            write_texts(stem, save.screen)
        return f"saved to {joined((f'{stem}.npz (for market --resume)', *screen))}"

    def _snapshot(self) -> MarketSnapshot:
        market = self.simulation
        status = self._status(market.compiled)
        return MarketSnapshot(
            setup=market.setup,
            tick=market.tick,
            negotiations=market.negotiations,
            encounters=self._encounters,
            free_at=market.account("free_at"),
            meetings=market.account("meetings"),
            deals=market.account("deals"),
            money=market.account("money"),
            lost=market.account("lost"),
            wallets=market.wallets,
            history=market.history,
            sold=market.sold,
            possible=int(market.possible_surplus.sum()),
            followed=self._followed,
            tables=self._tables(self._encounters),
            finished=market.finished,
            status=replace(status, handled=status.handled - (self._goal is not None)),
        )

    def _tables(self, encounters: Encounters) -> dict[int, NDArray[np.float64]]:
        """Return the Q-tables of the followed agent and its latest partner, by agent."""
        role = self.simulation.agents[self._followed].role
        partners = encounters.of(role.other)[encounters.of(role) == self._followed]
        agents = self._followed, *partners.tolist()  # at most one in a tick
        tables = {agent: self.simulation.table(agent) for agent in agents}
        return {number: table for number, table in tables.items() if table is not None}
