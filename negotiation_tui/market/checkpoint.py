"""A market in a file: all that is needed to go on as if it had never stopped."""

import json
import os
from dataclasses import astuple
from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.market.agents import Agent
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.market.state import clock_of
from negotiation_tui.runtime.files import atomic_write, reading
from negotiation_tui.runtime.validate import integer, one_of

FORMAT = "negotiation-tui market 2"


def save_simulation(path: str | os.PathLike[str], room: MarketSimulation) -> None:
    """Write a room as `.npz`; BadInputError where the place cannot be written."""
    about = {
        "format": FORMAT,
        "scenario": room.scenario.to_dict(),
        "limit": str(room.limit),
        "seed": room.seed,
        "team_reward": room.team_reward,
        "period": room.period,
    }
    agents = room.agents
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
            **room.state(),  # type: ignore[arg-type]
        )


def load_simulation(path: str | os.PathLike[str], limit: Limit | None = None) -> MarketSimulation:
    """A room that `save_simulation` wrote, ready to go on, up to its own limit or a further one.

    Raises BadInputError, in one line, for a file that is missing, not ours or damaged, and for a
    limit in another unit or behind it.
    """
    with (
        reading(path, "market", "'market --save'"),
        np.load(path, allow_pickle=False) as file,
    ):
        return _room(file, limit)


def _room(file: Any, further: Limit | None) -> MarketSimulation:
    about = json.loads(str(file["about"]))
    one_of("format", about["format"], [FORMAT])
    columns = ("names", "roles", "reservations", "strategies", "teams", "learning")
    rows = zip(*(file[name].tolist() for name in columns), strict=True)
    agents = [
        Agent(name, Role(role), int(reservation), strategy, Learning(*learning), team or None)
        for name, role, reservation, strategy, team, learning in rows
    ]
    seed, period = integer("seed", about["seed"], 0), integer("period", about["period"], 1)
    limit = Limit.from_stored(about["limit"])
    pairs = min(sum(agent.role is role for agent in agents) for role in Role)
    tick, negotiations, _ = clock_of(file)
    ticks, there = limit.ticks(max(1, pairs), tick, negotiations), len(file["history"])
    wanted = -(-ticks // period)
    if there != wanted:
        raise BadInputError(f"its history has {there} rows, it should have {wanted}")
    return MarketSimulation(
        Scenario.from_stored(about["scenario"]),
        agents,
        _reachable(limit, further, tick, negotiations) if further else limit,
        seed,
        bool(about["team_reward"]),
        state={name: file[name] for name in file.files},
        period=period,
    )


def _reachable(limit: Limit, further: Limit, tick: int, negotiations: int) -> Limit:
    """The further limit; BadInputError where it is none."""
    done = tick if limit.steps else negotiations
    if further.unit != limit.unit:
        raise BadInputError(f"it is limited by {limit.unit}, use {limit.unit}=N, not {further}")
    if further.amount < done:
        raise BadInputError(
            f"it had {done:,} {limit.unit} already, use {limit.unit}=N from there on"
        )
    return further
