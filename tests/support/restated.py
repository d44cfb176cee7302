"""A slow and plain restatement of Q-learning by two agents, to compare bits and speeds with."""

from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np

from negotiation_tui import Opener, Position, Role, Scenario, Strategy
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.loop import ALMOST_ONE
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import starts

Table = list[list[float]]
Moves = list[tuple[Role, int, bool]]


@dataclass
class Restated:
    """Concurrent Q-learning as docs/learning.md describes it: objects and lists, step by step."""

    scenario: Scenario
    parameters: Parameters
    seed: int
    train_both: bool
    train_agent: Role
    static: dict[Role, Strategy]
    tables: dict[Role, Table] = field(init=False)
    frozen: dict[Role, Table] = field(init=False)

    def __post_init__(self) -> None:
        size = self.scenario
        self.tables = {r: [[0.0] * size.n_actions for _ in range(size.n_states)] for r in Role}
        self.frozen = deepcopy(self.tables)
        self.rng = generators(self.seed).training
        self.replies: list[Position | int | None] = []
        self.epsilons = dict.fromkeys(Role, self.parameters.exploration_start)

    def learner(self, cycle: int) -> Role:
        if len(self.static) == 1:
            return next(role for role in Role if role not in self.static)
        if self.train_both and cycle % 2 == 1:
            return self.train_agent.other
        return self.train_agent

    def best(self, table: Table, position: Position) -> list[int]:
        legal = self.scenario.legal_actions(position.state, position.role)
        row = table[position.state]
        return [action for action in legal if row[action] == max(row[a] for a in legal)]

    def greedy(self, table: Table, position: Position) -> int:
        best = self.best(table, position)
        return best[0] if len(best) == 1 else best[int(self.rng.random() * len(best))]

    def fall(self, learner: Role, episode: int) -> None:
        """Let a learner's exploration fall after an episode; it keeps it until its next one."""
        p = self.parameters
        restarts = p.exploration_restarts
        number = episode % p.episodes if restarts else episode
        fallen = (p.exploration_start - p.exploration_end) * np.exp(-p.exploration_decay * number)
        for role in (learner,) if restarts else Role:
            self.epsilons[role] = p.exploration_end + float(fallen)

    def explore(self, position: Position, epsilon: float) -> tuple[int, bool]:
        draw = self.rng.random()
        if draw >= epsilon:
            return self.greedy(self.tables[position.role], position), False
        legal = self.scenario.legal_actions(position.state, position.role)
        return legal[int(draw * (ALMOST_ONE / epsilon) * len(legal))], True

    def answer(self, position: Position) -> int:
        if position.role in self.static:
            return self.static[position.role].act(position, self.rng)
        best = self.best(self.frozen[position.role], position)
        self.replies = [self.after(position, action) for action in best]
        return best[0] if len(best) == 1 else best[int(self.rng.random() * len(best))]

    def after(self, position: Position, action: int) -> Position | int | None:
        """The result of an action: the other's position, the price of a deal, or None."""
        if action < self.scenario.accept:
            price = self.scenario.prices[action]
            other, opened = position.role.other, not position.opened
            return Position(self.scenario, other, position.ply // 2, None, price, opened)
        return position.standing_offer if action == self.scenario.accept else None

    def learn(self, role: Role, state: int, action: int, reward: float, reached: int) -> None:
        """Learn from the result, or from the mean over all results that were possible."""
        q, alpha, gamma = (
            self.tables[role],
            self.parameters.learning_rate,
            self.parameters.discount_rate,
        )
        target = reward + gamma * max(q[reached])
        if self.parameters.expected_updates and len(self.replies) > 1:
            total = 0.0
            for reply in self.replies:
                if isinstance(reply, Position):
                    total += gamma * max(q[reply.state])
                elif reply is not None:
                    total += self.scenario.reward(role, reply)
            target = total / len(self.replies)
        q[state][action] = q[state][action] * (1 - alpha) + alpha * target

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

    def negotiation(self, episode: int) -> Moves:  # noqa: C901 - the rules in one piece
        cycle, number = divmod(episode, self.parameters.episodes)
        learner = self.learner(cycle)
        if number == 0:
            self.frozen[learner] = deepcopy(self.tables[learner])
        role = self.scenario.opener.role()
        if self.scenario.opener is Opener.ALTERNATE:
            role = learner if number % 2 else learner.other
        moves: Moves = []
        last_offers: dict[Role, int | None] = dict.fromkeys(Role)
        standing_offer: int | None = None
        before = 0  # plies that are taken as played
        ply = self.start(episode, opens=role is learner)
        opener = role
        if ply is not None:
            opener, role = (learner if ply % 2 == 0 else learner.other), learner
        if ply:
            offers = self.scenario.offers(learner.other)
            offer = offers[int(self.rng.random() * len(offers))]
            standing_offer = last_offers[learner.other] = self.scenario.prices[offer]
            moves.append((learner.other, offer, True))
            before = ply - 1
        pending: tuple[int, int] | None = None  # state and action the learner is to learn about
        while True:
            time = max(0, before + len(moves) - 1) // 2
            position = Position(
                self.scenario, role, time, last_offers[role], standing_offer, role is opener
            )
            if role is learner and pending is not None:
                self.learn(learner, *pending, 0.0, position.state)
            if role is learner:
                self.replies = []
                action, explores = self.explore(position, self.epsilons[learner])
                pending = position.state, action
            else:
                action, explores = self.answer(position), False
            moves.append((role, action, explores))
            if action < self.scenario.accept:
                last_offers[role] = standing_offer = self.scenario.prices[action]
                role = role.other
                continue
            if pending is not None:
                reward = 0.0
                if action == self.scenario.accept and standing_offer is not None:
                    reward = self.scenario.reward(learner, standing_offer)
                self.learn(learner, *pending, reward, self.scenario.final_state)
            self.fall(learner, episode)
            return moves
