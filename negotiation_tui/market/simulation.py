"""A market that goes on tick by tick, and what can be known of it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import UniformStream
from negotiation_tui.learning.kernel import ALTERNATE, SeatArrays
from negotiation_tui.market import economics
from negotiation_tui.market.agents import Agent, check
from negotiation_tui.market.encounters import Encounters
from negotiation_tui.market.engine import NARROW, Engine, engine_for
from negotiation_tui.market.kernel_seats import Occupant
from negotiation_tui.market.ledger import N_NOTES, NEGOTIATIONS, Rules, Side
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.state import (
    State,
    clock_of,
    new_books,
    new_side,
    notes,
    restored_books,
    restored_side,
    state_of,
)
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.players.spec import LEARNED

ROWS = 1000
"""A history has at most so many rows."""
_DRAWS = 1 << 17


class MarketSimulation:
    """Sellers and buyers, from an empty book to the limit.

    The same agents, seed and limit give the same market, whichever engine runs it and however the
    run is cut into parts; without one the size decides. `strategy_from_spec` says who plays the words of a
    static strategy; a `state` is where to go on from, its history in rows of `period` ticks.
    Raises BadInputError for an empty side, for an agent that cannot take part and for a state of
    another room.
    """

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        limit: Limit,
        seed: int,
        team_reward: bool = False,
        strategy_from_spec: Occupant = resolve_trusted,
        engine: Engine | None = None,
        state: State | None = None,
        period: int = 1,
    ) -> None:
        check(agents)
        self.scenario, self.limit, self.seed = scenario, limit, seed
        self.team_reward = team_reward
        self.agents = tuple(
            sorted(agents, key=lambda agent: (agent.role, agent.strategy != LEARNED))
        )
        """Sellers first; of each role learners first."""
        self.tick, self.negotiations, self.draws_used = clock_of(state)
        self.pairs = min(len(self.side(role)) for role in Role)
        self.ticks = limit.ticks(self.pairs, self.tick, self.negotiations)
        if self.tick > self.ticks:
            raise BadInputError(f"it is at tick {self.tick} of {self.ticks}")
        self.period = period * -(-self.ticks // (ROWS * period))
        """Ticks in a row of the history: so many times those asked for that the rows suffice."""
        costs, values = self.reservations
        self.scale = (max(values) - min(costs)) or 1
        if self.scale < 0:
            self.scale = scenario.prices[-1] - scenario.prices[0]
        owners = [(agent.team is not None, agent.team or agent.name) for agent in self.agents]
        purses = {owner: number for number, owner in enumerate(dict.fromkeys(owners))}
        self.wallet_names = tuple(name for _, name in purses)
        self.purses = np.array([purses[owner] for owner in owners], np.int64)
        """Which wallet each agent has, in the order of `agents`."""
        self._engine = engine or engine_for(len(agents))
        numbers = self.purses.tolist()
        cut = len(self.side(Role.SELLER))
        self._sides: tuple[Side, Side] = (
            self._new_side(Role.SELLER, numbers[:cut], strategy_from_spec),
            self._new_side(Role.BUYER, numbers[cut:], strategy_from_spec),
        )
        rows = -(-self.ticks // self.period)
        self._books = new_books(scenario, self.pairs, rows)
        if state is not None:
            self._restore(state, self.period // period)
        self._draws = UniformStream(_generator(seed, self.draws_used))
        self.use(self._engine)

    def _new_side(
        self, role: Role, wallet_index: Sequence[int], strategy_from_spec: Occupant
    ) -> Side:
        return new_side(
            self.scenario, role, self.side(role), wallet_index, self.scale, strategy_from_spec
        )

    def side(self, role: Role) -> tuple[Agent, ...]:
        """The agents of a role."""
        return tuple(agent for agent in self.agents if agent.role is role)

    @cached_property
    def reservations(self) -> tuple[list[int], list[int]]:
        """The sellers' costs and the buyers' values."""
        costs, values = ([agent.reservation for agent in self.side(role)] for role in Role)
        return costs, values

    @property
    def finished(self) -> bool:
        """Whether the limit is reached."""
        done = self.tick if self.limit.steps else self.negotiations
        return done >= self.limit.amount

    def run(self, ticks: int | None = None) -> None:
        """Let so many ticks go by, or all that are left."""
        stop = self.ticks if ticks is None else min(self.ticks, self.tick + ticks)
        most = 3 * self.scenario.rounds + 3
        # What a tick may use at most; drawn are more, so that a call is worth it.
        needed = len(self.side(Role.SELLER)) + self.pairs + (self.pairs + 1) * most
        while self.tick < stop and not self.finished:
            few = min(8, stop - self.tick)
            ahead = min(few * needed, max(_DRAWS, 2 * needed))
            block, position = self._draws.block(self._engine.backend, needed, ahead)
            self.tick, self.negotiations, after = self._engine.trade(
                self._sides,
                self._books,
                self._rules,
                self.tick,
                stop,
                self.negotiations,
                block,
                position,
            )
            self._draws.used_up_to(after)
            self.draws_used += after - position

    def watch(self) -> Encounters:
        """Let one tick go by; returns who met whom in it and what was said."""
        books, before, tick = self._books, self.negotiations, self.tick
        self._books = books._replace(**self._engine.rows(notes(self.scenario, self.pairs)))
        self.run(1)
        seen, self._books = self._books, books
        n = self.negotiations - before
        deferred_signals = np.array(seen.notes[:n], np.int64).reshape(n, N_NOTES)
        sellers, buyers, opened, trained, said = deferred_signals.T
        shape = n, 2 * self.scenario.rounds
        return Encounters(
            self.scenario.n_prices,
            np.full(n, tick),
            sellers,
            buyers,
            opened,
            trained,
            np.array(seen.chances[:n], np.float64),
            said,
            np.array(seen.turns[:n], np.int32).reshape(shape),
            np.array(seen.explored[:n], np.int32).reshape(shape),
        )

    def use(self, engine: Engine) -> None:
        """Go on with another engine; the market is the same."""
        self._engine = engine
        one, other = self._sides
        self._sides = engine.side(one), engine.side(other)
        self._books = engine.books(self._books)
        row, opener = engine.backend.row, self.scenario.opener
        self._rules = Rules(
            prices=row(np.array(self.scenario.prices, np.int64)),
            grid=row(np.arange(self.scenario.n_prices)),
            rounds=self.scenario.rounds,
            opener=ALTERNATE if opener is Opener.ALTERNATE else int(opener.role()),
            steps=self.limit.steps,
            team_reward=self.team_reward,
            scale=float(self.scale),
            limit=1 << 62 if self.limit.steps else self.limit.amount,
            period=self.period,
        )

    @property
    def engine(self) -> Engine:
        """What runs it."""
        return self._engine

    @property
    def wallets(self) -> NDArray[np.int64]:
        """The money in each wallet of `wallet_names`; all begin with 0."""
        money = self.account("money")
        money[len(self._sides[0].money) :] *= -1
        found = np.zeros(len(self.wallet_names), np.int64)
        np.add.at(found, self.purses, money)
        return found

    @property
    def history(self) -> NDArray[np.int64]:
        """Shape (rows, N_HISTORY), a row for every `period` ticks begun; columns as in `floor`."""
        return np.array(self._books.history, np.int64)[: self._rows]

    @property
    def sold(self) -> NDArray[np.int64]:
        """Shape (rows, n_prices): how many deals at each price, in rows as `history`."""
        return np.array(self._books.sold, np.int64)[: self._rows]

    @property
    def _rows(self) -> int:
        return -(-self.tick // self.period)

    def account(self, name: str) -> NDArray[np.int64]:
        """`meetings`, `deals`, or `money` of every agent: received by a seller, paid by a buyer."""
        rows = [np.array(getattr(side, name), np.int64) for side in self._sides]
        return np.concatenate(rows)

    def table(self, role: Role, agent: int) -> NDArray[np.float64] | None:
        """A learner's Q-table, (n_states, n_actions), a copy; None for a static strategy.

        Agents go by their number in `side(role)`.
        """
        side = self._sides[role]
        if agent >= side.n_learners:
            return None
        shape = self.scenario.n_states, self.scenario.n_actions
        size = shape[0] * shape[1]
        return np.array(side.learners.q[agent * size : (agent + 1) * size], np.float64).reshape(
            shape
        )

    @property
    def possible_surplus(self) -> NDArray[np.int64]:
        """Shape (rows,): the greatest there could be in each row: the best pairs in every tick."""
        met = self.history[:, NEGOTIATIONS]
        if self.limit.steps:
            begun = self.period * np.arange(len(met))
            return np.minimum(self.tick - begun, self.period) * self._whole_surplus
        # A tick that a limit cut short has the rest, and is alone in its row with less.
        whole, rests = np.divmod(met, self.pairs)
        costs, values = self.reservations
        few = {n: economics.maximum_surplus(costs, values, n) for n in set(rests.tolist())}
        return whole * self._whole_surplus + np.array([few[n] for n in rests.tolist()], np.int64)

    @cached_property
    def _whole_surplus(self) -> int:
        """The greatest surplus of a tick in which all can meet."""
        return economics.maximum_surplus(*self.reservations)

    @property
    def bytes_per_agent(self) -> float:
        """Memory of the tables and accounts, as the compiled engine has them, for each agent."""
        held: dict[int, int] = {}
        for side in self._sides:
            for part in (side.learners, side.others, side):
                for name, value in part._asdict().items():
                    if not isinstance(value, int | SeatArrays):
                        held.setdefault(id(value), len(value) * (2 if name in NARROW else 8))
        return sum(held.values()) / len(self.agents)

    def state(self) -> dict[str, NDArray[Any]]:
        """All that changes while it goes on, as arrays by name."""
        clock = np.array([self.tick, self.negotiations, self.draws_used], np.int64)
        return {"clock": clock, "purses": self.wallets, **state_of(self._sides, self._books)}

    def _restore(self, state: State, each: int) -> None:
        one, other = (
            restored_side(self.scenario, role, side, state)
            for role, side in zip(Role, self._sides, strict=True)
        )
        self._sides, self._books = (one, other), restored_books(self._books, state, each)
        if not np.array_equal(state["purses"], self.wallets):
            raise BadInputError("its purses do not hold what its agents received and paid")


def _generator(seed: int, used: int) -> np.random.Generator:
    """The stream that a room draws from, after so many draws."""
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(1,)))
    bits.advance(used)
    return np.random.Generator(bits)


def population_generator(seed: int) -> np.random.Generator:
    """The stream that the agents of a seed are drawn from."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
