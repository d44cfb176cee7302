"""Two training runs of the original, recorded turn by turn, and replayed."""

import json
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Opener, Role, Scenario
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.backend import Backend, UniformStream
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.population import Population, TabularPlayer
from negotiation_tui.learning.schedules import Schedule
from negotiation_tui.learning.statistics import CycleStatistics
from tests.support.paths import DATA

Run = dict[str, Any]

ORIGINAL = Scenario.original()
RUNS: list[Run] = json.loads((DATA / "recorded_runs.json").read_text(encoding="utf-8"))


def tables() -> dict[Role, Any]:
    return {role: np.zeros((ORIGINAL.n_states, ORIGINAL.n_actions)) for role in Role}


class ForcedDraws:
    """The random numbers with which the inner loop can only play the recorded turns.

    The trainee always explores (ε = 1), so a draw picks its action among the legal ones; the
    trainer draws only if its frozen table has a tie.
    """

    def __init__(self, run: Run) -> None:
        self.q = tables()
        self.frozen = tables()
        self.rates = run["learning_rate"], run["discount_rate"]

    def of(self, episode: Run) -> list[float]:
        trainee = Role.of(episode["trainee"])
        if episode["episode"] == 0:
            self.frozen[trainee] = self.q[trainee].copy()
        plays = greedy(ORIGINAL, trainee.other, self.frozen[trainee.other])
        draws: list[float] = []
        for who, state, low, high, action in episode["turns"]:
            if who == str(trainee):
                draws.append((action - low + 0.5) / (high - low))
                continue
            ties = plays.actions[state, : plays.n_actions[state]].tolist()
            assert action in ties, "the original's trainer plays its frozen table greedily"
            if len(ties) > 1:
                draws.append((ties.index(action) + 0.5) / len(ties))
        (rate, discount_rate), q = self.rates, self.q[trainee]
        for state, action, reward, next_state, _ in episode["updates"]:
            target = reward + discount_rate * max(q[next_state])
            q[state, action] = q[state, action] * (1 - rate) + rate * target
        return draws


class Given(UniformStream):
    def __init__(self, numbers: list[float]) -> None:
        self._numbers, self.used = numbers, 0

    def block(self, backend: Backend, at_least: int, _ahead: int = 0) -> tuple[Any, int]:
        spare = [0.0] * at_least  # the loop wants to be sure that draws last
        return backend.row(np.array(self._numbers + spare)), 0

    def used_up_to(self, position: int) -> None:
        self.used = position


@pytest.mark.parametrize("run", RUNS, ids=["both", "one"])
def test_the_inner_loop_plays_it_again(run: Run, backend: Backend) -> None:
    parameters = Parameters(run["learning_rate"], run["discount_rate"])
    population = Population(ORIGINAL, backend, parameters)
    players = [TabularPlayer(Q_LEARNING, role, population) for role in Role]
    first, per_cycle = Role.of(run["first_trainee"]), run["episodes_per_cycle"]
    learners = first, first.other if run["train_both"] else first
    forced, counts = ForcedDraws(run), np.zeros((run["cycles"], 6), np.int64)
    for number, episode in enumerate(run["episodes"]):
        draws = Given(forced.of(episode))
        schedule = Schedule(learners, Opener.ALTERNATE, np.ones(1), number, per_cycle)
        batch = population.play(schedule, draws)
        counts[number // per_cycle] += batch.counts[0]
        assert draws.used == len(draws._numbers)
        turns = batch.transcript.turns
        assert [turn.action for turn in turns] == [turn[4] for turn in episode["turns"]]
        assert [str(turn.role) for turn in turns] == [turn[0] for turn in episode["turns"]]
        who = [turn[0] == episode["trainee"] for turn in episode["turns"]]
        assert [turn.explored for turn in turns] == who
        for role in Role:
            assert players[role].tables[0].tolist() == forced.q[role].tolist()
    counted = CycleStatistics(counts)
    for role in Role:
        validated, rejected = run["transactions"][str(role)]
        assert counted.agreements[:, role].tolist() == validated
        assert counted.breakdowns[:, role].tolist() == rejected
        assert players[role].tables[0].tolist() == run["final_q"][str(role)]
