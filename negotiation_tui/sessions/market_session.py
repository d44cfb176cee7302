"""A live market: it takes commands, trades, and publishes immutable scenes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.market.checkpoint import save_simulation
from negotiation_tui.market.encounters import Encounters
from negotiation_tui.market.engine import PLAIN_ENGINE
from negotiation_tui.market.headless import SAVE_EVERY, warm
from negotiation_tui.market.scene import MarketSetup, MarketSnapshot
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.runtime.files import free_stem
from negotiation_tui.runtime.jit import BackgroundCompiler
from negotiation_tui.sessions.commands import Follow, MarketCommand, Save
from negotiation_tui.sessions.paced_session import PacedSession

WORTH_COMPILING = 1000
"""From this many negotiations at a time on, compiling is worth its time."""


class MarketSession(PacedSession[MarketSnapshot]):
    """A market that trades on as commands ask.

    `opened` opens the room, again for a restart; `path` is a file to save it in every minute.
    """

    _first_batch = 1

    def __init__(self, opened: Callable[[], MarketSimulation], path: str | None = None) -> None:
        super().__init__()
        self._opened, self._path = opened, path
        self._compiling = BackgroundCompiler(warm)
        self._goal: int | None = None
        """The tick that a `Play` trades on to; None without one."""
        self._busy = threading.Lock()
        self._followed = 0
        self._kept_at = time.monotonic()
        self._begin()
        self.snapshot = self._snapshot()

    @property
    def room(self) -> MarketSimulation:
        """The room as it is now."""
        return self._room

    def handle(self, command: MarketCommand) -> None:
        """Carry out one command and publish the result.

        A `Play` is left to `step`. It counts as handled once its goal is reached or another
        command takes its place.
        """
        with self._busy:
            super().handle(command)

    def step(self) -> float:
        """Trade for some ticks, publish when it is time; return the seconds to rest."""
        with self._busy:
            return self._step()

    @property
    def _finished(self) -> bool:
        return self._room.finished

    def _obey(self, command: MarketCommand) -> None:
        if not isinstance(command, Follow | Save):
            self._goal = None
        match command:
            case Follow(agent):
                self._followed = agent
            case Save():
                self._say(self._save())
            case _:
                super()._obey(command)
        if self._goal is None and self._seen != self._room.tick:  # as it runs flat out
            self._trade(self._look, self._look)

    def _run(self, per_second: float | None) -> None:
        super()._run(per_second)
        self._compiling.begin()

    def _play(self, n: int) -> None:
        """Leave `n` ticks to `step`."""
        if n * self._room.pairs >= WORTH_COMPILING:
            self._compiling.begin()
        if not self._finished:
            super()._run(None)
            self._goal = min(self._room.ticks, self._room.tick + n)

    def _step(self) -> float:
        if self._pacer is None or self._finished:
            return 0.0
        left = (self._room.ticks if self._goal is None else self._goal) - self._room.tick
        batch, due = min(left, self._pacer.due()), self._pacer.time_to_publish()
        if batch:
            often = self._look if due or not self._pacer.flat_out else 0
            self._trade(batch, max(often, batch - max(0, left - self._look)))
            self._pacer.played(batch)
        if batch == left:
            self._goal = self._pacer = None
            self._publish()
        elif due:
            self._publish()
            self._pacer.published()
        if self._path and time.monotonic() - self._kept_at > SAVE_EVERY:
            self._keep(self._path)
        return 0.0 if batch else 1 / 240

    @contextmanager
    def at_rest(self) -> Iterator[MarketSimulation]:
        """The room between two ticks, whoever is at work on it."""
        with self._busy:
            yield self._room

    def _begin(self) -> None:
        self._room = self._opened()
        self._cast = MarketSetup.of(self._room)
        # So many ticks may pass until what was begun in one is over.
        self._look = self._room.scenario.rounds if self._room.limit.steps else 1
        self._meetings: Encounters | None = None
        self._seen = self._room.tick
        """The tick after which was looked at what is said."""

    def _restart(self) -> str:
        try:
            self._begin()
        except BadInputError as error:  # a file that it came from is no more
            return str(error)
        if self._room.tick:
            return f"back where it was resumed, at tick {self._room.tick:,}"
        return f"opened anew with seed {self._room.seed}"

    def _trade(self, ticks: int, watched: int) -> None:
        """Let ticks go by, and see what is said in the last of them."""
        compiled = self._compiling.done
        if compiled and self._room.engine is not compiled:
            self._room.use(compiled)
        if ticks > watched:
            self._room.run(ticks - watched)
        for _ in range(min(ticks, watched)):
            if not self._room.finished:
                self._meetings = self._going_on(self._room.watch())
                self._seen = self._room.tick

    def _going_on(self, new: Encounters) -> Encounters:
        """What was begun in the last tick, and what was begun before and is not over."""
        before = self._meetings
        if before is None or not self._room.limit.steps:
            return new
        going = before.begun + before.rounds >= self._room.tick
        return before.chosen(going).with_later(new)

    def _save(self) -> str:
        room = self._room
        stem = f"market-{room.scenario.name}-seed{room.seed}-tick{room.tick}"
        path = f"{free_stem(stem, '.npz')}.npz"
        try:
            save_simulation(path, room)
        except BadInputError as error:
            return str(error)
        return f"saved to {path}, market --resume goes on with it"

    def _keep(self, path: str) -> None:
        try:
            save_simulation(path, self._room)
        except BadInputError as error:
            self._say(str(error))
        self._kept_at = time.monotonic()

    def _snapshot(self) -> MarketSnapshot:
        room, status = self._room, self._status(self._room.engine is not PLAIN_ENGINE)
        meetings = self._meetings or Encounters.none(room.scenario)
        self._meetings = meetings
        return MarketSnapshot(
            setup=self._cast,
            tick=room.tick,
            negotiations=room.negotiations,
            encounters=meetings,
            free_at=room.account("free_at"),
            met=room.account("meetings"),
            deals=room.account("deals"),
            money=room.account("money"),
            wallets=room.wallets,
            history=room.history,
            sold=room.sold,
            possible=int(room.possible_surplus.sum()),
            followed=self._followed,
            tables=self._tables(meetings),
            finished=room.finished,
            **vars(replace(status, handled=status.handled - (self._goal is not None))),
        )

    def _tables(self, meetings: Encounters) -> dict[int, NDArray[np.float64]]:
        """The tables of the one followed and of whoever it met last."""
        cast, room = self._cast, self._room
        role = cast.agents[self._followed].role
        place = self._followed - cast.number(role, 0)
        found = np.flatnonzero(meetings.of(role) == place)
        wanted = [(role, place)]
        if len(found):
            wanted.append((role.other, int(meetings.of(role.other)[found[-1]])))
        tables = {cast.number(who, at): room.table(who, at) for who, at in wanted}
        return {number: table for number, table in tables.items() if table is not None}
