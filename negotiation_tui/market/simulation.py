"""The simulation of a market, tick by tick, and its statistics."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import UniformStream
from negotiation_tui.learning.kernel_arguments import SeatArrays, is_general
from negotiation_tui.learning.spec import learns
from negotiation_tui.market import economics
from negotiation_tui.market import state as states
from negotiation_tui.market.agents import Agent, check
from negotiation_tui.market.any_learners import AnyLearners, all_plain, checked
from negotiation_tui.market.encounters import Encounters
from negotiation_tui.market.engine import NARROW, Engine, engine_for
from negotiation_tui.market.kernel_seats import Resolve
from negotiation_tui.market.ledger import N_NOTES, NEGOTIATIONS, Rules, Side
from negotiation_tui.market.limit import Limit
from negotiation_tui.players.resolve import resolve_trusted

ROWS = 1000
"""The most rows of a history."""
_DRAWS = 1 << 17


class MarketSimulation:
    """Sellers and buyers who trade up to the limit.

    Equal agents, seeds and limits give equal markets, with any engine and in any number of calls
    of `run`. Without an `engine` the number of agents decides. `strategy_from_spec` resolves the
    static strategies. `state` is the saved state to start from; its history has rows of `period`
    ticks. Raises BadInputError if a side is empty, an agent cannot take part or the state belongs
    to another market.
    """

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        limit: Limit,
        seed: int,
        team_reward: bool = False,
        strategy_from_spec: Resolve = resolve_trusted,
        engine: Engine | None = None,
        state: states.State | None = None,
        period: int = 1,
    ) -> None:
        check(agents)
        agents = checked(agents)
        scenario = replace(scenario, limits=(None, None))  # agents keep their reservation prices
        self.scenario, self.limit, self.seed = scenario, limit, seed
        self.team_reward = team_reward
        self.agents = tuple(
            sorted(agents, key=lambda agent: (agent.role, not learns(agent.strategy)))
        )
        """Sellers first; of each role learners first."""
        self.tick, self.negotiations, self.draws_used = states.clock_of(state)
        self.pairs = min(len(self.side(role)) for role in Role)
        self.ticks = limit.ticks(self.pairs, self.tick, self.negotiations)
        if self.tick > self.ticks:
            raise BadInputError(f"clock: expected at most tick {self.ticks}, got {self.tick}")
        self.period = period * -(-self.ticks // (ROWS * period))
        """Ticks per row of the history: a multiple of the `period` asked for, so that at most
        ROWS rows are needed."""
        costs, values = self.reservations
        self.scale = (max(values) - min(costs)) or 1
        if self.scale < 0:
            self.scale = scenario.prices[-1] - scenario.prices[0]
        owners = [(agent.team is not None, agent.team or agent.name) for agent in self.agents]
        wallets = {owner: number for number, owner in enumerate(dict.fromkeys(owners))}
        self.wallet_names = tuple(name for _, name in wallets)
        self.wallet_index = np.array([wallets[owner] for owner in owners], np.int64)
        """The number of each agent's wallet, in the order of `agents`."""
        self._engine = engine or engine_for(len(agents))
        cut = len(self.side(Role.SELLER))
        halves = self.wallet_index[:cut].tolist(), self.wallet_index[cut:].tolist()
        sides, plain = [self.side(role) for role in Role], all_plain(agents)
        sellers, buyers = (
            states.new_side(scenario, role, side, half, self.scale, strategy_from_spec, plain)
            for role, side, half in zip(Role, sides, halves, strict=True)
        )
        self._sides: tuple[Side, Side] = sellers, buyers
        self.learners = None if plain else AnyLearners(scenario, sides)
        """The learners; None if all are plain Q-learners, or there are none."""
        rows = -(-self.ticks // self.period)
        self._ledger = states.new_ledger(scenario, self.pairs, rows)
        if state is not None:
            self._restore(state, self.period // period)
        self._draws = UniformStream(_generator(seed, self.draws_used))
        self.use(self._engine)

    def side(self, role: Role) -> tuple[Agent, ...]:
        """Return the agents of a role."""
        return tuple(agent for agent in self.agents if agent.role is role)

    @cached_property
    def reservations(self) -> tuple[list[int], list[int]]:
        """The sellers' costs and the buyers' values."""
        costs, values = ([agent.reservation for agent in self.side(role)] for role in Role)
        return costs, values

    @property
    def finished(self) -> bool:
        """True if the limit is reached."""
        done = self.tick if self.limit.steps else self.negotiations
        return done >= self.limit.amount

    def run(self, ticks: int | None = None) -> None:
        """Run `ticks` ticks, or all that are left."""
        stop = self.ticks if ticks is None else min(self.ticks, self.tick + ticks)
        # The most draws that a tick uses. Drawing for several ticks saves calls.
        needed = len(self.side(Role.SELLER)) + self.pairs + (self.pairs + 1) * self._rules.draws
        while self.tick < stop and not self.finished:
            ahead = min(min(8, stop - self.tick) * needed, max(_DRAWS, 2 * needed))
            block, position = self._draws.block(self._engine.backend, needed, ahead)
            self.tick, self.negotiations, after = self._engine.trade(
                self._sides,
                self._ledger,
                self._rules,
                self._ways,
                self.tick,
                stop,
                self.negotiations,
                block,
                position,
            )
            self._draws.used_up_to(after)
            self.draws_used += after - position

    def watch(self) -> Encounters:
        """Run one tick and return its negotiations."""
        ledger, before, tick = self._ledger, self.negotiations, self.tick
        self._ledger = ledger._replace(**self._engine.rows(states.notes(self.scenario, self.pairs)))
        self.run(1)
        detailed, self._ledger = self._ledger, ledger
        n = self.negotiations - before
        columns = np.array(detailed.notes[:n], np.int64).reshape(n, N_NOTES).T
        sellers, buyers, openers, learners, n_turns = columns
        shape = n, 2 * self.scenario.rounds
        return Encounters(
            self.scenario.n_prices,
            np.full(n, tick),
            sellers,
            buyers,
            openers,
            learners,
            np.array(detailed.note_epsilons[:n], np.float64),
            n_turns,
            np.array(detailed.turns[:n], np.int32).reshape(shape),
            np.array(detailed.explored[:n], np.int32).reshape(shape),
        )

    def use(self, engine: Engine) -> None:
        """Switch to another engine; the results stay the same."""
        self._engine = engine
        sellers, buyers = self._sides
        self._sides = engine.side(sellers), engine.side(buyers)
        self._ledger = engine.ledger(self._ledger)
        row = engine.backend.row
        self._rules = Rules(
            prices=row(np.array(self.scenario.prices, np.int64)),
            grid=row(np.arange(self.scenario.n_prices)),
            rounds=self.scenario.rounds,
            opener=self.scenario.opener.number,
            steps=self.limit.steps,
            general=any(is_general(side.static) for side in self._sides),
            team_reward=self.team_reward,
            scale=float(self.scale),
            limit=1 << 62 if self.limit.steps else self.limit.amount,
            period=self.period,
            draws=(3 if self.learners is None else 4) * (self.scenario.rounds + 1),
        )
        self._ways = None if self.learners is None else self.learners.use(engine.backend)

    @property
    def engine(self) -> Engine:
        """The engine in use."""
        return self._engine

    @property
    def wallets(self) -> NDArray[np.int64]:
        """The money in each wallet of `wallet_names`; all start with 0."""
        money = self.account("money")
        money[len(self._sides[0].money) :] *= -1
        wallets = np.zeros(len(self.wallet_names), np.int64)
        np.add.at(wallets, self.wallet_index, money)
        return wallets

    @property
    def history(self) -> NDArray[np.int64]:
        """Shape (rows, N_HISTORY), one row per `period` ticks; the columns of `ledger`."""
        return self._first_rows(self._ledger.history)

    @property
    def sold(self) -> NDArray[np.int64]:
        """Shape (rows, n_prices): number of deals at each price, one row per row of `history`."""
        return self._first_rows(self._ledger.sold)

    def _first_rows(self, rows: Any) -> NDArray[np.int64]:
        """Return a copy of the rows that have begun, and of no others."""
        begun = -(-self.tick // self.period)
        return np.array(rows[: max(1, begun)], np.int64)[:begun]

    def account(self, name: str) -> NDArray[np.int64]:
        """Return `free_at`, `meetings` (negotiations), `deals` or `money` of every agent.

        Money is received by a seller and paid by a buyer.
        """
        rows = [np.array(getattr(side, name), np.int64) for side in self._sides]
        return np.concatenate(rows)

    def table(self, role: Role, agent: int) -> NDArray[np.float64] | None:
        """Return a copy of a learner's values of actions, shape (n_states, n_actions).

        Their probabilities if it has none. None for a static strategy. `agent` is an index into
        `side(role)`.
        """
        side = self._sides[role]
        if agent >= side.n_learners:
            return None
        if self.learners is not None:
            return self.learners.table(role, agent, side.learners)
        shape = self.scenario.n_states, self.scenario.n_actions
        size = shape[0] * shape[1]
        q = side.learners.q[agent * size : (agent + 1) * size]
        return np.array(q, np.float64).reshape(shape)

    @property
    def possible_surplus(self) -> NDArray[np.int64]:
        """Shape (rows,): the maximum surplus, as if the best pairs met in every tick."""
        negotiations = self.history[:, NEGOTIATIONS]
        if self.limit.steps:
            begun = self.period * np.arange(len(negotiations))
            return np.minimum(self.tick - begun, self.period) * self._surplus_per_tick
        # A tick that the limit cut short has fewer pairs; at most one per row.
        full_ticks, rests = np.divmod(negotiations, self.pairs)
        costs, values = self.reservations
        cut = {n: economics.maximum_surplus(costs, values, n) for n in set(rests.tolist())}
        rest = np.array([cut[n] for n in rests.tolist()], np.int64)
        return full_ticks * self._surplus_per_tick + rest

    @cached_property
    def _surplus_per_tick(self) -> int:
        """The maximum surplus of a tick in which all can meet."""
        return economics.maximum_surplus(*self.reservations)

    @property
    def bytes_per_agent(self) -> float:
        """Bytes of memory per agent for tables and accounts, with the compiled engine."""
        sizes: dict[int, int] = {}
        for side in self._sides:
            for part in (side.learners, side.static, side):
                for name, value in part._asdict().items():
                    if not isinstance(value, int | SeatArrays):
                        sizes.setdefault(id(value), len(value) * (2 if name in NARROW else 8))
        tables = 0 if self.learners is None else self.learners.size
        return (sum(sizes.values()) + tables) / len(self.agents)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return everything that changes during a run, as arrays by name."""
        clock = np.array([self.tick, self.negotiations, self.draws_used], np.int64)
        rest = states.state_of(self._sides, self._ledger)
        if self.learners is None:
            sides = zip(Role, self._sides, strict=True)
            tables = {f"{role}_q": np.array(side.learners.q, np.float64) for role, side in sides}
        else:
            tables = self.learners.state()
        return {"clock": clock, "purses": self.wallets, **rest, **tables}

    def _restore(self, state: states.State, rows_per_row: int) -> None:
        sellers, buyers = (
            states.restored_side(self.scenario, role, side, state)
            for role, side in zip(Role, self._sides, strict=True)
        )
        self._sides = sellers, buyers
        if self.learners is not None:
            tables = self.learners.state().items()
            self.learners.restore({name: states.like(state, name, each) for name, each in tables})
        self._ledger = states.restored_ledger(self._ledger, state, rows_per_row)
        if not np.array_equal(state["purses"], self.wallets):
            raise BadInputError("purses: expected the sums of the agents' money, got other numbers")


def _generator(seed: int, used: int) -> np.random.Generator:
    """Return the random stream of a market, after `used` draws."""
    bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(1,)))
    bits.advance(used)
    return np.random.Generator(bits)


def population_generator(seed: int) -> np.random.Generator:
    """Return the random stream that the agents are drawn from."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
