"""A market that goes on as it is told and publishes immutable scenes.

It does its work when it is asked to; `SessionThread` asks it in a thread of its own.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.market.checkpoint import save_room
from negotiation_tui.market.encounters import Meetings
from negotiation_tui.market.engine import PLAIN_ENGINE
from negotiation_tui.market.headless import SAVE_EVERY, warm
from negotiation_tui.market.scene import Cast, Scene
from negotiation_tui.market.simulation import Room
from negotiation_tui.runtime.jit import Compiling
from negotiation_tui.sessions.commands import Follow, Halt, Play, Restart, Run, Save
from negotiation_tui.sessions.pacer import Pacer

WORTH_COMPILING = 1000
"""So many negotiations at a time are worth a compiler's work."""
Told = Play | Run | Halt | Follow | Save | Restart


class MarketSession:
    """A room, and what is said in it; does nothing unless called.

    `opened` opens the room, again where it is to begin anew; `path` is a file to keep it in every
    minute.
    """

    def __init__(self, opened: Callable[[], Room], path: str | None = None) -> None:
        self._opened, self._path = opened, path
        self._compiling = Compiling(warm)
        self._pacer: Pacer | None = None
        self._goal: int | None = None
        """The tick that a `Play` trades on to; None without one."""
        self._busy = threading.Lock()
        self._handled = self._notices = self._followed = 0
        self._notice = ""
        self._kept_at = time.monotonic()
        self._begin()
        self.snapshot = self._scene()

    @property
    def room(self) -> Room:
        """The room as it is now."""
        return self._room

    @property
    def running(self) -> bool:
        """Whether `work` has something to do."""
        return self._pacer is not None and not self._room.finished

    def handle(self, command: Told) -> None:
        """Carry out one command and publish what came of it.

        A `Play` is left to `work`, and handled when that is through or something takes its place.
        """
        with self._busy:
            if self._goal is not None and not isinstance(command, Follow | Save):
                self._stop()
            self._carry_out(command)
            if self._goal is None and self._seen != self._room.tick:  # as it runs flat out
                self._trade(self._look, self._look)
            self.snapshot = self._scene()

    def _carry_out(self, command: Told) -> None:
        match command:
            case Play(ticks):
                if ticks * self._room.pairs >= WORTH_COMPILING:
                    self._compiling.begin()
                self._pacer = Pacer(None, 1)
                self._goal = min(self._room.ticks, self._room.tick + ticks)
                if self._room.finished:
                    self._stop()
                return
            case Run(per_second):
                self._pacer = Pacer(per_second, 1)
                self._compiling.begin()
            case Halt():
                self._pacer = None
            case Follow(agent):
                self._followed = agent
            case Save():
                self._say(self._save())
            case Restart():
                self._pacer = None
                self._say(self._open_anew())
        self._handled += 1

    def idle(self) -> None:
        """There is nothing to judge."""

    def step(self) -> float:
        """Let some ticks go by, publish when it is time; returns the seconds to rest."""
        with self._busy:
            return self._work()

    def _work(self) -> float:
        if self._pacer is None or self._room.finished:
            return 0.0
        left = (self._room.ticks if self._goal is None else self._goal) - self._room.tick
        batch, due = min(left, self._pacer.due()), self._pacer.time_to_publish()
        if batch:
            often = self._look if due or not self._pacer.flat_out else 0
            self._trade(batch, max(often, batch - max(0, left - self._look)))
            self._pacer.played(batch)
        if batch == left:
            self.snapshot = self._arrived()
        elif due:
            self.snapshot = self._scene()
            self._pacer.published()
        if self._path and time.monotonic() - self._kept_at > SAVE_EVERY:
            self._keep(self._path)
        return 0.0 if batch else 1 / 240

    def _arrived(self) -> Scene:
        """What there is to see at the end, of a `Play` or of the market."""
        if self._goal is not None:
            self._stop()
        return self._scene()

    def _stop(self) -> None:
        """Be through with a `Play`."""
        self._goal = self._pacer = None
        self._handled += 1

    @contextmanager
    def at_rest(self) -> Iterator[Room]:
        """The room between two ticks, whoever is at work on it."""
        with self._busy:
            yield self._room

    def close(self) -> None:
        """It holds nothing."""

    def _begin(self) -> None:
        self._room = self._opened()
        self._cast = Cast.of(self._room)
        # So many ticks may pass until what was begun in one is over.
        self._look = self._room.scenario.rounds if self._room.limit.steps else 1
        self._meetings: Meetings | None = None
        self._seen = self._room.tick
        """The tick after which was looked at what is said."""

    def _open_anew(self) -> str:
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

    def _going_on(self, new: Meetings) -> Meetings:
        """What was begun in the last tick, and what was begun before and is not over."""
        before = self._meetings
        if before is None or not self._room.limit.steps:
            return new
        going = before.begun + before.rounds >= self._room.tick
        return before.chosen(going).with_later(new)

    def _save(self) -> str:
        room = self._room
        stem = f"market-{room.scenario.name}-seed{room.seed}-tick{room.tick}"
        names = (f"{stem}.npz" if n == 1 else f"{stem}-{n}.npz" for n in count(1))
        path = next(name for name in names if not Path(name).exists())
        try:
            save_room(path, room)
        except BadInputError as error:
            return str(error)
        return f"saved to {path}, market --resume goes on with it"

    def _keep(self, path: str) -> None:
        try:
            save_room(path, self._room)
        except BadInputError as error:
            self._say(str(error))
        self._kept_at = time.monotonic()

    def _say(self, notice: str) -> None:
        self._notice, self._notices = notice, self._notices + 1

    def _scene(self) -> Scene:
        room, cast = self._room, self._cast
        meetings = self._meetings or Meetings.none(room.scenario)
        self._meetings = meetings
        return Scene(
            cast=cast,
            tick=room.tick,
            negotiations=room.negotiations,
            meetings=meetings,
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
            per_second=self._pacer.per_second if self._pacer and self.running else None,
            compiled=room.engine is not PLAIN_ENGINE,
            notice=self._notice,
            notices=self._notices,
            handled=self._handled,
        )

    def _tables(self, meetings: Meetings) -> dict[int, NDArray[np.float64]]:
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
