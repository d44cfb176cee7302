"""The simulation of a market, tick by tick, and its statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN, Backend, UniformStream
from negotiation_tui.learning.compiling import jitted, new_backend
from negotiation_tui.learning.spec import learns
from negotiation_tui.market import economics
from negotiation_tui.market.agents import Agent, check_agents
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.setup import MarketSetup
from negotiation_tui.market.snapshot import Encounters
from negotiation_tui.market.tick_loop import (
    BY_ROWS,
    CHANGING,
    N_NOTES,
    NEGOTIATIONS,
    SURPLUS,
    Ledger,
    Rules,
    Side,
    dtype_of,
    in_form,
    new_ledger,
    new_notes,
    new_side,
    run_ticks,
    summed,
)
from negotiation_tui.market.traders import Traders, checked
from negotiation_tui.players.resolve import Resolve, resolve_trusted

ROWS = 1000  # the most rows of a history
COMPILED_FROM = 10_000  # agents of a market that runs compiled: copying to lists takes longer
OPENED = Backend("opened", PLAIN.code, np.ascontiguousarray)
"""The form of a large market that has not run yet: in arrays, with nothing compiled."""
_DRAWS = 1 << 17


class MarketSimulation:
    """Sellers and buyers who trade up to the limit, equal for equal seeds with any backend.

    A saved market begins at its `clock`: ticks, negotiations and draws so far; `restore` takes the
    rest. A row of the history is of `period` ticks: of 1, then of 5, 10, 50, 100, …. It depends on
    the ticks so far alone, not on the limit. Raises BadInputError if a side is empty, an agent
    cannot take part or the clock is beyond the limit.
    """

    def __init__(
        self,
        scenario: Scenario,
        agents: Sequence[Agent],
        limit: RunLength,
        seed: int,
        team_reward: bool = False,
        strategy_from_spec: Resolve = resolve_trusted,
        backend: Backend | None = None,
        clock: tuple[int, int, int] = (0, 0, 0),
        period: int = 1,
    ) -> None:
        check_agents(agents)
        everybody = checked(agents)
        everybody.sort(key=lambda agent: (agent.role, not learns(agent.strategy)))
        roles = [agent.role for agent in everybody]
        self.pairs = min(map(roles.count, Role))
        self.tick, self.negotiations, self.draws_used = clock
        self.ticks = limit.ticks(self.pairs, self.tick, self.negotiations)
        if self.tick > self.ticks:
            raise BadInputError(f"clock: expected at most tick {self.ticks}, got {self.tick}")
        self.period = period
        scenario = replace(scenario, limits=(None, None))  # agents keep their reservation prices
        self.scenario, self.agents, self.limit, self.seed = scenario, tuple(everybody), limit, seed
        self.team_reward = team_reward
        if team_reward and scenario.delta[0] != scenario.delta[1]:
            both = "{} and {}".format(*scenario.delta)
            why = "a deal inside a team then has a surplus that depends on its price"
            raise BadInputError(f"team reward: expected one delta for both, got {both}; {why}")
        self._changing = (*CHANGING, "lost") if scenario.time_costs else CHANGING
        self._rows = BY_ROWS[: 2 + scenario.time_costs]
        self.setup = MarketSetup(scenario, self.agents, limit, seed, self.ticks)
        self.traders = Traders(self.setup, strategy_from_spec)
        self._sides = pair(new_side(self.setup, role) for role in Role)
        self._ledger = new_ledger(scenario, self.pairs, min(ROWS, -(-self.ticks // period)))
        bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(1,)))
        bits.advance(self.draws_used)
        self._draws = UniformStream(np.random.Generator(bits))
        self.use(backend or (OPENED if len(agents) >= COMPILED_FROM else PLAIN))

    def side(self, role: Role) -> tuple[Agent, ...]:
        return self.agents[self.setup.of_role(role)]

    @property
    def compiled(self) -> bool:
        return self.backend not in {PLAIN, OPENED}

    @property
    def finished(self) -> bool:
        done = self.tick if self.limit.steps else self.negotiations
        return done >= self.limit.amount

    def run(self, ticks: int | None = None) -> None:
        if self.backend is OPENED:
            self.use(new_backend() or PLAIN)
        stop = self.ticks if ticks is None else min(self.ticks, self.tick + ticks)
        # The most draws that a tick uses. Drawing for several ticks saves calls.
        needed = self.setup.sellers + self.pairs + (self.pairs + 1) * self._rules.draws
        while self.tick < stop and not self.finished:
            self._make_room()
            ahead = min(min(8, stop - self.tick) * needed, max(_DRAWS, 2 * needed))
            block, position = self._draws.block(self.backend, needed, ahead)
            rows = self.traders.agents, self._sides, self._ledger, self._rules, self._functions
            self.tick, self.negotiations, after = self._trade(
                *rows,
                self._offers,
                self._factors,
                self.tick,
                min(stop, ROWS * self.period),
                self.negotiations,
                block,
                position,
            )
            self._draws.used_up_to(after)
            self.draws_used += after - position

    def watch(self) -> Encounters:
        """Run one tick and return its negotiations."""
        self._make_room()
        ledger, before, tick = self._ledger, self.negotiations, self.tick
        noted = in_form(new_notes(self.scenario, self.pairs), self.backend.row)
        self._ledger = ledger._replace(**noted)
        self.run(1)
        detailed, self._ledger = self._ledger, ledger
        n = self.negotiations - before
        notes = np.array(detailed.notes[:n], np.int64).reshape(n, N_NOTES)
        sellers, buyers, openers, learners, n_turns = notes.T
        shape = n, 2 * self.scenario.rounds
        turns = np.array(detailed.turns[:n], np.int32).reshape(shape)
        explored = np.array(detailed.explored[:n], np.int32).reshape(shape)
        who = np.full(n, tick), sellers, buyers, openers, learners
        return Encounters(self.scenario.n_prices, *who, n_turns, turns, explored)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle: functions cannot be pickled."""
        return {**vars(self), "backend": self.backend.name, "_trade": None, "_functions": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        plain = {each.name: each for each in (PLAIN, OPENED)}
        self.use(plain.get(state["backend"]) or new_backend() or PLAIN)

    def use(self, backend: Backend) -> None:
        self.backend = backend
        self._trade = jitted(run_ticks) if self.compiled else run_ticks
        self._functions = self.traders.use(backend)
        row, rounds = backend.row, self.scenario.rounds
        self._sides = pair(Side(**in_form(side._asdict(), row)) for side in self._sides)
        self._ledger = Ledger(**in_form(self._ledger._asdict(), row))
        offers = np.zeros((2, rounds + 2), np.int32)
        factors = np.array(self.scenario.time_factors).ravel()
        self._offers = row(offers) if self.traders.remembers else None
        self._factors = row(factors) if self.scenario.time_costs else None
        self._rules = Rules(
            prices=row(np.array(self.scenario.prices, np.int64)),
            grid=row(np.arange(self.scenario.n_prices)),
            rounds=rounds,
            opener=self.scenario.opener.number,
            steps=self.limit.steps,
            team_reward=self.team_reward,
            scale=float(self.setup.scale),
            limit=1 << 62 if self.limit.steps else self.limit.amount,
            period=self.period,
            draws=4 * (rounds + 1),
        )

    def _make_room(self) -> None:
        """Sum rows of the history if all are in use, so that there is one for the next tick."""
        if self.tick == ROWS * self.period:
            each = 5 if str(self.period).startswith("1") else 2
            self.period *= each
            self._rules = self._rules._replace(period=self.period)
            rows = {name: summed(row, each, ROWS) for name, row in self._by_rows().items()}
            self._ledger = self._ledger._replace(**in_form(rows, self.backend.row))

    def _by_rows(self) -> dict[str, NDArray[Any]]:
        return {name: np.array(getattr(self._ledger, name), dtype_of(name)) for name in self._rows}

    @property
    def wallets(self) -> NDArray[np.int64]:
        return self.setup.by_wallet(self.setup.signs * self.account("money"))

    @property
    def history(self) -> NDArray[np.int64]:
        """Shape (rows, N_HISTORY), one row per `period` ticks; columns NEGOTIATIONS, …."""
        return self._first_rows(self._ledger.history)

    @property
    def sold(self) -> NDArray[np.int64]:
        """Shape (rows, n_prices): number of deals at each price, one row per row of `history`."""
        return self._first_rows(self._ledger.sold)

    @property
    def surplus(self) -> NDArray[Any]:
        """Shape (rows,): the sum of the gains of the deals; with time costs floats."""
        surplus: NDArray[Any] = self.history[:, SURPLUS]
        if not self.scenario.time_costs:
            return surplus
        left: NDArray[Any] = surplus - self._first_rows(self._ledger.lost, np.float64)
        return left

    def _first_rows(self, rows: Any, kind: type[np.generic] = np.int64) -> NDArray[Any]:
        begun = -(-self.tick // self.period)
        return np.array(rows[: max(1, begun)], kind)[:begun]

    def account(self, name: str) -> NDArray[Any]:
        """Return one of ACCOUNTS, such as the `money` received by sellers, paid by buyers.

        `lost` is the gain that time costs took, empty without them.
        """
        kind = dtype_of(name)
        return np.concatenate([np.array(getattr(each, name), kind) for each in self._sides])

    def table(self, agent: int) -> NDArray[np.float64] | None:
        """Return a copy of the values of actions of `agents[agent]`, else its probabilities."""
        return self.traders.table(agent)

    @property
    def possible_surplus(self) -> NDArray[np.int64]:
        """Shape (rows,): the maximum surplus, as if the best pairs met in every tick."""
        negotiations = self.history[:, NEGOTIATIONS]
        if self.limit.steps:
            begun = self.period * np.arange(len(negotiations))
            return np.minimum(self.tick - begun, self.period) * int(self._surplus[-1])
        # A tick that the limit cut short has fewer pairs; at most one per row.
        full_ticks, rests = np.divmod(negotiations, self.pairs)
        return full_ticks * int(self._surplus[-1]) + np.take(self._surplus, rests)

    @cached_property
    def _surplus(self) -> NDArray[np.int64]:
        """The maximum surplus of a tick by its number of pairs."""
        return economics.maximum_surplus(*self.setup.reservations)

    @property
    def bytes_per_agent(self) -> float:
        """Bytes of memory per agent for tables and accounts, with the compiled backend."""
        rows = [len(row) for side in self._sides for row in side if not isinstance(row, int)]
        return (self.traders.size + 8 * sum(rows)) / len(self.agents)

    def state(self) -> dict[str, NDArray[Any]]:
        clock = np.array([self.tick, self.negotiations, self.draws_used], np.int64)
        state = {"clock": clock, "purses": self.wallets}
        for role, side in zip(Role, self._sides, strict=True):
            for name in self._changing:
                state[f"{role}_{name}"] = np.array(getattr(side, name), dtype_of(name))
        return {**state, **self._by_rows(), **self.traders.state()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take back what `state` returned, perhaps with a history of another length."""
        changing: list[dict[str, Any]] = [
            {name: state[f"{role}_{name}"] for name in self._changing} for role in Role
        ]
        sellers, buyers = self._sides
        self._sides = sellers._replace(**changing[0]), buyers._replace(**changing[1])
        n = len(self._ledger.sold)
        rows = {name: summed(state[name], 1, n) for name in self._rows}
        self._ledger = self._ledger._replace(**rows)
        self.traders.restore(state)
        self.use(self.backend)
        if not np.array_equal(state["purses"], self.wallets):
            raise BadInputError("purses: expected the sums of the agents' money, got other numbers")


def population_generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
