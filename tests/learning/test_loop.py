"""The inner loop against a slow and plain restatement of the rules; equal to the bit."""

from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.loop import ALMOST_ONE, log
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.schedules import starts
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.concession import Midpoint
from tests.support.game import roles, scenarios, seeds

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


def moves_of(transcript: Transcript | None) -> Moves:
    assert transcript is not None
    return [(turn.role, turn.action, turn.explored) for turn in transcript.turns]


@st.composite
def trainings(draw: st.DrawFn) -> Restated:
    share = st.floats(0, 1)
    parameters = Parameters(
        learning_rate=draw(st.sampled_from([0.1, 0.5, 1.0])),
        discount_rate=draw(st.sampled_from([0.0, 0.9, 0.99, 1.0])),
        exploration_start=draw(share),
        exploration_end=draw(share),
        exploration_decay=draw(st.sampled_from([0.0, 0.001, 0.3])),
        exploration_restarts=draw(st.booleans()),
        cycles=draw(st.integers(1, 5)),
        episodes=draw(st.integers(1, 12)),
        curriculum_window=draw(st.sampled_from([0, 0, 1, 2, 4, 99])),
        curriculum_shift_every=draw(st.integers(0, 2)),
        expected_updates=draw(st.booleans()),
    )
    static: dict[Role, Strategy] = draw(
        st.sampled_from([{}, {Role.SELLER: Midpoint()}, {Role.BUYER: Midpoint()}])
    )
    # Beside a static strategy the other learns.
    alone = next((role.other for role in static), None)
    return Restated(
        draw(scenarios(largest=8, rounds=5)),
        parameters,
        draw(seeds),
        draw(st.booleans()),
        alone if alone is not None else draw(roles),
        static,
    )


def same_to_the_bit(restated: Restated, backend: Backend) -> None:
    training = ConcurrentTraining(
        restated.scenario,
        restated.parameters,
        restated.seed,
        restated.train_both,
        restated.train_agent,
        seller=restated.static.get(Role.SELLER),
        buyer=restated.static.get(Role.BUYER),
        backend=backend,
    )
    for episode in range(restated.parameters.total):
        training.run_episodes(1)
        assert moves_of(training.last_negotiation) == restated.negotiation(episode)
    for role in Role:
        assert np.array_equal(training.q_table(role), restated.tables[role])


@given(restated=trainings())
def test_the_inner_loop_follows_the_rules(backend: Backend, restated: Restated) -> None:
    same_to_the_bit(restated, backend)


@settings(max_examples=15)
@given(scenarios(largest=3, rounds=2), seeds)
def test_ties_that_come_and_go(scenario: Scenario, seed: int) -> None:
    """With α = γ = 1 a value is the last one observed: many are equal, and rise and fall."""
    parameters = Parameters(1, 1, exploration_decay=0.01, cycles=4, episodes=60)
    same_to_the_bit(Restated(scenario, parameters, seed, True, Role.SELLER, {}), PLAIN)


def test_twice_the_published_training() -> None:
    """Long enough to use up more than one block of draws."""
    original = Restated(Scenario.original(), Parameters(cycles=100), 1, True, Role.BUYER, {})
    same_to_the_bit(original, PLAIN)


def test_a_full_log_holds_no_rows() -> None:
    changed = [0] * 6
    for row in (4, 5):
        log(changed, 1, row)
    assert changed == [0, 0, 0, 2, 4, 5]
    log(changed, 1, 4)
    assert changed[3] == len(changed) // 2, "all rows are looked at"
