"""The ancestry of a Q-table's entry: the negotiations that its value comes from.

Each update is linear in the reward and in the values it moves toward:
`Q[s, a] ← (1 − α)·Q[s, a] + α·(r + γ·max Q[s′, ·])`. So an entry is a weighted sum of rewards and
of values at the start. A training is played again, its updates are noted, and the weights are
carried back from the last update to the first. Equally good next actions share a weight equally.
"""

from dataclasses import dataclass
from itertools import zip_longest
from math import fsum
from typing import NamedTuple

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.rewind import RewindableTraining, SeatChange
from negotiation_tui.strategies.base import ReadyPlayer

MAX_EPISODES = 20_000  # the most negotiations that are traced: of 5 rounds, two seconds and 20 MB


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a role's Q-table, as it was after a number of negotiations in training."""

    role: Role
    state: int
    action: int
    moment: int
    limit: int = 0  # the index of the role's hidden limit, of whose table it is


@dataclass(frozen=True, slots=True)
class Source:
    """A negotiation that an entry's value comes from."""

    episode: int  # number of the negotiation in the training, from 0
    price: int | None  # the agreed price; None if there was no deal
    weight: float  # weight of the rewards
    amount: float  # the part of the value: weight times reward
    expected: bool  # True if a reward was only expected: a mean over possible answers


@dataclass(frozen=True, slots=True)
class Ancestry:
    """The parts of an entry's value, which sum to it."""

    entry: Entry
    value: float
    since: int  # number of the first episode that was traced
    initial: float  # the part that comes from the values at `since`
    sources: tuple[Source, ...]  # those with a part other than 0, greatest first

    @property
    def total(self) -> float:
        return fsum((self.initial, *(source.amount for source in self.sources)))


_Answer = tuple[int | None, int | None, float]  # price of a deal, next own state, share


class _Update(NamedTuple):
    """One update of an entry; entries are numbered `row · n_actions + action`."""

    episode: int
    entry: int
    reward: float
    expected: bool
    parts: tuple[tuple[float, int], ...]  # of the entries that it moved toward, with γ
    rate: float


class _Tracer:
    """A role's Q-table, updated again from transcripts; notes each update."""

    def __init__(self, training: ConcurrentTraining, role: Role, learner: Algorithm | None) -> None:
        self._training, self._role = training, role
        self.own_rate = learner.learning_rate if isinstance(learner, QLearning) else 0.0
        self.rate = 0.0  # of the episode at hand
        self._discount = training.parameters.discount_rate
        self.q: list[float] = training.q_table(role).ravel().tolist()
        self.updates: list[_Update] = []
        self.prices: dict[int, int | None] = {}
        self._game = training.scenario  # the game that the role sees in this episode
        self._opponent: ReadyPlayer | None = None  # only expected updates need it
        self._fixed: object = None

    def note_opponent(self) -> None:
        """Note the policy that the opponent plays next."""
        training, other = self._training, self._role.other
        fixed = training.cycle, training.strategy(other), training.opener
        if not training.parameters.expected_updates:
            self._opponent = self._fixed = None
        elif fixed != self._fixed:
            learner = training.players.learning.get(other)
            self._opponent, self._fixed = learner.kept if learner else training.policy(other), fixed

    def learn(self, episode: int, transcript: Transcript) -> None:
        price, turns = transcript.outcome.price, transcript.turns
        self.prices[episode], self._game = price, transcript.scenario.seen_by(self._role)
        own = [k for k, turn in enumerate(turns) if turn.role is self._role]
        own = [k for k in own if turns[k].state != NO_STATE]
        for k, following in zip_longest(own, own[1:]):
            played: _Answer = price, None, 1.0
            if following is not None:
                played = None, turns[following].state, 1.0
            answers = self._answers(transcript, k) or [played]
            self._update(episode, turns[k].state, turns[k].action, answers)

    def _answers(self, transcript: Transcript, k: int) -> list[_Answer]:
        """Return the possible answers to an offer; none if the one that was played counts."""
        scenario, opponent = self._training.scenario, self._opponent
        if opponent is None or transcript.turns[k].action >= scenario.accept:
            return []
        position = transcript.first(k + 1).position
        assert position is not None
        actions = opponent.support(position)
        shares = [1.0] * len(actions)
        if isinstance(opponent, TabularPolicy):
            shares = opponent.shares(position)
        answers: list[_Answer] = []
        for action, share in zip(actions, shares, strict=True) if len(actions) > 1 else ():
            turn, state = position.turn(action), None
            if action < scenario.accept and turn.price is not None:
                opened = transcript.opener is self._role
                state = scenario.state_index(turn.price, turn.round, opened)
            answers.append((turn.price if state is None else None, state, share))
        return answers

    def _update(self, episode: int, state: int, action: int, answers: list[_Answer]) -> None:
        game, reward, targets = self._game, 0.0, 0.0
        table = game.limit_index(self._role) * game.n_states  # that of the limit that was drawn
        parts: list[tuple[float, int]] = []
        for price, next_state, share in answers:
            chance = share / len(answers)
            if price is not None:
                gained = game.reward(self._role, price)
                reward, targets = reward + chance * gained, targets + share * gained
            if next_state is not None:
                at = (table + next_state) * game.n_actions
                legal = [at + action for action in game.legal_actions(next_state, self._role)]
                top = max(self.q[entry] for entry in legal)
                best = [entry for entry in legal if self.q[entry] == top]
                weight = self._discount * chance / len(best)
                parts += [(weight, entry) for entry in best]
                targets += share * (self._discount * top)
        entry = (table + state) * game.n_actions + action
        target = targets / len(answers)
        self.q[entry] = self.q[entry] * (1 - self.rate) + self.rate * target
        self.updates.append(
            _Update(episode, entry, reward, len(answers) > 1, tuple(parts), self.rate)
        )


def ancestry(rewindable: RewindableTraining, entry: Entry) -> Ancestry:
    """Trace an entry of a Q-learner's table back; only the last MAX_EPISODES episodes are."""
    role, until = entry.role, entry.moment
    (begun, learner), since = _begun(rewindable, role, until), max(0, until - MAX_EPISODES)
    training = rewindable.training_at(max(begun, since))
    tracer, start = _Tracer(training, role, learner), training.q_table(role).ravel().tolist()
    while (episode := training.episode) < until:
        together = training.together
        learns = together or training.learner(training.cycle) is role
        if learns and not together:
            tracer.note_opponent()
        tracer.rate = tracer.own_rate or training.parameters.learning_rate
        rewindable.advance(training, 1)
        if learns:
            assert training.last_negotiation is not None
            tracer.learn(episode, training.last_negotiation)
    row = entry.limit * training.scenario.n_states + entry.state
    number = row * training.scenario.n_actions + entry.action
    value = float(training.q_table(role).flat[number])
    assert tracer.q[number] == value
    weights, by_episode = _carried_back(tracer.updates, number)
    sources = [
        Source(episode, tracer.prices[episode], weight, fsum(amounts), expected)
        for episode, (weight, amounts, expected) in by_episode.items()
    ]
    sources.sort(key=lambda source: (-abs(source.amount), source.episode))
    initial, first = fsum(start[at] * by for at, by in weights.items()), since * (since > begun)
    return Ancestry(entry, value, first, initial, tuple(sources))


def _begun(rewindable: RewindableTraining, role: Role, until: int) -> tuple[int, Algorithm | None]:
    first = rewindable.training_at(0).players.seated[role]
    begun, learner = 0, first if isinstance(first, Algorithm) else None
    for episode, change in rewindable.changes:
        match change:
            case SeatChange(seat, Algorithm() as new) if seat is role and episode <= until:
                begun, learner = (begun, learner) if new == learner else (episode, new)
    return begun, learner


def _carried_back(
    updates: list[_Update], entry: int
) -> tuple[dict[int, float], dict[int, tuple[float, list[float], bool]]]:
    """Return the weight of each entry before all updates, and the parts of each episode."""
    weights: dict[int, float] = {entry: 1.0}
    by_episode: dict[int, tuple[float, list[float], bool]] = {}
    for update in reversed(updates):
        weight = weights.get(update.entry, 0.0)
        if not weight:
            continue
        rate = update.rate
        weights[update.entry] = weight * (1 - rate)
        for part, at in update.parts:
            weights[at] = weights.get(at, 0.0) + weight * rate * part
        if update.reward:
            total, amounts, expected = by_episode.get(update.episode, (0.0, [], False))
            amounts = [*amounts, weight * rate * update.reward]
            total, expected = total + weight * rate, expected or update.expected
            by_episode[update.episode] = total, amounts, expected
    return weights, by_episode
