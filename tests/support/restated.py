"""A slow and plain restatement of Q-learning by two agents, to compare bits and speeds with."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np

from negotiation_tui import Opener, Position, Role, Scenario, Strategy
from negotiation_tui.learning.algorithms.q_learning import Move, QTable, best_actions, one_episode
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import starts


@dataclass
class Restated:
    """Concurrent Q-learning as docs/learning.md describes it: objects and lists, step by step."""

    scenario: Scenario
    parameters: Parameters
    seed: int
    train_both: bool
    train_agent: Role
    static: dict[Role, Strategy]
    tables: dict[Role, QTable] = field(init=False)
    frozen: dict[Role, QTable] = field(init=False)

    def __post_init__(self) -> None:
        size = self.scenario
        self.tables = {r: [[0.0] * size.n_actions for _ in range(size.n_states)] for r in Role}
        self.frozen = deepcopy(self.tables)
        self.rng = generators(self.seed).training
        self.epsilons = dict.fromkeys(Role, self.parameters.exploration_start)

    def learner(self, cycle: int) -> Role:
        if len(self.static) == 1:
            return next(role for role in Role if role not in self.static)
        if self.train_both and cycle % 2 == 1:
            return self.train_agent.other
        return self.train_agent

    def fall(self, learner: Role, episode: int) -> None:
        """Let a learner's exploration fall after an episode; it keeps it until its next one."""
        p = self.parameters
        restarts = p.exploration_restarts
        number = episode % p.episodes if restarts else episode
        fallen = (p.exploration_start - p.exploration_end) * np.exp(-p.exploration_decay * number)
        for role in (learner,) if restarts else Role:
            self.epsilons[role] = p.exploration_end + float(fallen)

    def answers(self, position: Position) -> Sequence[int]:
        static = self.static.get(position.role)
        return (
            static.support(position)
            if static
            else best_actions(self.frozen[position.role], position)
        )

    def start(self, episode: int, opens: bool) -> int | None:
        """The ply of the learner's first decision, None for a whole negotiation."""
        plies = 2 * self.scenario.rounds
        earliest, width = starts(self.parameters, plies, episode, episode + 1)[0].tolist()
        if not width:
            return None
        ply = int(earliest) + int(self.rng.random() * width)
        if self.scenario.opener is Opener.ALTERNATE or (ply % 2 == 0) == opens:
            return ply
        return ply + 1 if ply % 2 == 0 else ply - 1

    def negotiation(self, episode: int) -> list[Move]:
        cycle, number = divmod(episode, self.parameters.episodes)
        learner = self.learner(cycle)
        if number == 0:
            self.frozen[learner] = deepcopy(self.tables[learner])
        opener = self.scenario.opener.role()
        if self.scenario.opener is Opener.ALTERNATE:
            opener = learner if number % 2 else learner.other
        position = Position(self.scenario, opener, opened=True)
        moves: list[Move] = []
        ply = self.start(episode, opens=opener is learner)
        if ply is not None:
            position = Position(self.scenario, learner, opened=ply % 2 == 0)
        if ply:
            offers = self.scenario.offers(learner.other)
            offer = offers[int(self.rng.random() * len(offers))]
            moves.append((learner.other, offer, True))
            price, time = self.scenario.prices[offer], (ply - 1) // 2
            position = replace(position, time=time, standing_offer=price)
        table, epsilon = self.tables[learner], self.epsilons[learner]
        moves += one_episode(
            table, learner, self.answers, position, self.parameters, epsilon, self.rng.random
        )
        self.fall(learner, episode)
        return moves
