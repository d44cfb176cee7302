"""Saving and loading a market, so that it continues as if it had never stopped."""

import json
import os
from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.learning.q_table import MOST_COUNT, MOST_VALUE, check_values
from negotiation_tui.market.agents import LEARNING, MAX_AGENTS, MAX_NAME, Agent
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import ROWS, MarketSimulation
from negotiation_tui.market.tick_loop import BY_ROWS
from negotiation_tui.market.traders import table_shapes
from negotiation_tui.runtime.files import atomic_write, reading
from negotiation_tui.runtime.npz import Npz, open_npz
from negotiation_tui.runtime.validate import integer, one_of, refusal

_FORMAT = "negotiation-tui market 3"
_MOST_BYTES = 1 << 31  # both roles may have `market.agents.MAX_SIDE_ENTRIES` entries of 8 bytes


def save_simulation(path: str | os.PathLike[str], market: MarketSimulation) -> None:
    """Write a market as `.npz`; raise BadInputError if the file cannot be written."""
    about = {
        "format": _FORMAT,
        "scenario": market.scenario.to_dict(),
        "limit": str(market.limit),
        "seed": market.seed,
        "team_reward": market.team_reward,
        "period": market.period,
    }
    agents = market.agents
    with atomic_write(path) as file:
        np.savez_compressed(
            file,
            about=np.array(json.dumps(about)),
            names=np.array([agent.name for agent in agents]),
            roles=np.array([int(agent.role) for agent in agents]),
            reservations=np.array([agent.reservation for agent in agents]),
            strategies=np.array([agent.strategy for agent in agents]),
            teams=np.array([agent.team or "" for agent in agents]),
            learning=np.array([astuple(agent.learning) for agent in agents]),
            **market.state(),  # type: ignore[arg-type]
        )


def load_simulation(
    path: str | os.PathLike[str], new_limit: RunLength | None = None
) -> MarketSimulation:
    """Return a market that `save_simulation` wrote, with its own limit or a new one.

    Raises BadInputError if the file is damaged, or the new limit is of another unit or passed.
    """
    with reading(path, "market", "'market --save'"), open_npz(path, most=_MOST_BYTES) as file:
        about = json.loads(file.text("about"))
        one_of("format", about["format"], [_FORMAT])
        scenario, agents = Scenario.from_dict(about["scenario"]), _agents(file)
        seed, period = integer("seed", about["seed"], 0), integer("period", about["period"], 1)
        limit = RunLength.of(about["limit"])
        tick, negotiations, draws = map(int, _numbers(file, "clock", (3,), np.int64))
        if min(tick, negotiations, draws) < 0:
            raise refusal("clock", (tick, negotiations, draws), "3 integers of at least 0")
        done = tick if limit.steps else negotiations
        if new_limit and new_limit.unit != limit.unit:
            raise BadInputError(f"limit: expected {limit.unit}=N as before, got {new_limit}")
        if new_limit and new_limit.amount < done:
            so_far = f"the {done:,} {limit.unit} so far"
            raise BadInputError(f"limit: expected at least {so_far}, got {new_limit}")
        # Tables first: their headers say whether the file is large enough for its agents.
        state = {
            name: _numbers(file, name, shape, np.float64)
            for name, shape in table_shapes(scenario, agents).items()
        }
        market = MarketSimulation(
            scenario,
            agents,
            new_limit or limit,
            seed,
            bool(about["team_reward"]),
            clock=(tick, negotiations, draws),
            period=period,
        )
        rows = integer("rows of the history", file.length("history"), -(-tick // period), ROWS)
        for name, model in market.state().items():
            shape = (rows, *model.shape[1:]) if name in BY_ROWS else model.shape
            if name not in state:
                state[name] = _numbers(file, name, shape, model.dtype.type)
        market.restore(state)
        return market


def _numbers(file: Npz, name: str, shape: tuple[int, ...], kind: type[np.generic]) -> NDArray[Any]:
    numbers = file.array(name, shape, kind)
    check_values(name, numbers, MOST_VALUE if kind is np.float64 else MOST_COUNT)
    return numbers


def _agents(file: Npz) -> list[Agent]:
    n = integer("agents", file.length("roles"), 2, 2 * MAX_AGENTS)
    names, strategies, teams = (
        file.array(name, (n,), np.str_, item=4 * MAX_NAME).tolist()
        for name in ("names", "strategies", "teams")
    )
    whole = np.int64, np.int32  # int32 if numpy 1 on Windows wrote them
    roles = map(Role, file.array("roles", (n,), *whole).tolist())
    reservations = file.array("reservations", (n,), *whole).tolist()
    learning = file.array("learning", (n, len(LEARNING)), np.float64, *whole).tolist()
    settings = (Learning(*each) for each in learning)
    columns = names, roles, reservations, strategies, settings, (team or None for team in teams)
    return [Agent(*row) for row in zip(*columns, strict=True)]
