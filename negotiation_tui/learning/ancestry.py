"""The ancestry of a Q-table's entry: the negotiations that its value comes from.

Each update is linear in the reward and in the values it moves toward:
`Q[s, a] ← (1 − α)·Q[s, a] + α·(r + γ·max Q[s′, ·])`. So an entry is a weighted sum of rewards and
of values at the start. A training is played again, its updates are noted, and the weights are
carried back from the last update to the first. Equally good next actions share a weight equally.
"""

from itertools import zip_longest
from math import fsum
from typing import NamedTuple

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Algorithm
from negotiation_tui.learning.algorithms.q_learning import QLearning
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.rewind import RewindableTraining, SeatChange
from negotiation_tui.runtime.records import dataclass
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
    at_once: float  # that part without time costs
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


TracedAnswer = tuple[int | None, int | None, float]  # price of a deal, next own state, share


class _Update(NamedTuple):
    """One update of an entry; entries are numbered `row · n_actions + action`."""

    episode: int
    price: int | None  # that the negotiation ended with
    entry: int
    reward: float
    at_once: float  # the reward without time costs
    expected: bool
    parts: tuple[tuple[float, int], ...]  # of the entries that it moved toward, with γ
    rate: float


class Opponent:
    """The policy that a role's opponent plays, asked for only by expected updates."""

    def __init__(self, training: ConcurrentTraining, role: Role) -> None:
        self._training, self._role = training, role
        self._fixed: object = None
        self._player: ReadyPlayer | None = None

    def note(self) -> None:
        """Note what it plays next."""
        training = self._training
        fixed = training.cycle, training.strategy(self._role), training.opener
        if not training.parameters.expected_updates:
            self._player = self._fixed = None
        elif fixed != self._fixed:
            learner, self._fixed = training.learning.get(self._role), fixed
            self._player = learner.kept if learner else training.policy(self._role)

    def answers(self, transcript: Transcript, k: int) -> list[TracedAnswer]:
        """Return the possible answers to an offer; none if the one that was played counts."""
        scenario, player = self._training.scenario, self._player
        position = transcript.first(k + 1).position
        if player is None or position is None:
            return []
        actions = player.support(position)
        shares = [1.0] * len(actions)
        if isinstance(player, TabularPolicy):
            shares = player.shares(position)
        answers: list[TracedAnswer] = []
        for action, share in zip(actions, shares, strict=True) if len(actions) > 1 else ():
            turn, state = transcript.first(k + 1).followed_by(action).turns[-1], None
            if action < scenario.accept and turn.price is not None:
                opened = transcript.opener is not self._role
                state = scenario.state_index(turn.price, turn.round, opened)
            answers.append((turn.price if state is None else None, state, share))
        return answers


def ancestry(rewindable: RewindableTraining, entry: Entry) -> Ancestry:
    """Trace an entry of a Q-learner's table back; only the last MAX_EPISODES episodes are."""
    role, until = entry.role, entry.moment
    (begun, learner), since = _begun(rewindable, role, until), max(0, until - MAX_EPISODES)
    training = rewindable.training_at(max(begun, since))
    own_rate = learner.learning_rate if isinstance(learner, QLearning) else 0.0
    opponent = Opponent(training, role.other)
    start: list[float] = training.q_table(role).ravel().tolist()
    q, updates = start.copy(), list[_Update]()
    while (episode := training.episode) < until:
        together = training.together
        learns = together or training.learner(training.cycle) is role
        if learns and not together:
            opponent.note()
        learning = training.parameters  # of this episode
        rewindable.advance(training, 1)
        played = training.last_negotiation
        if learns and played:
            turns = enumerate(played.turns)
            decisions = [k for k, turn in turns if turn.role is role and turn.state != NO_STATE]
            for k, following in zip_longest(decisions, decisions[1:]):
                answers = opponent.answers(played, k)
                if not answers:
                    price = played.outcome.price
                    after = following and played.turns[following].state
                    answers = [(None if following else price, after, 1.0)]
                updates.append(_update(episode, played, k, answers, q, learning, own_rate))
    row = entry.limit * training.scenario.n_states + entry.state
    number = row * training.scenario.n_actions + entry.action
    value = float(training.q_table(role).flat[number])
    assert q[number] == value
    weights, sources = _carried_back(updates, number)
    initial, first = fsum(start[at] * by for at, by in weights.items()), since * (since > begun)
    return Ancestry(entry, value, first, initial, sources)


def _begun(rewindable: RewindableTraining, role: Role, until: int) -> tuple[int, Algorithm | None]:
    first = rewindable.training_at(0).seated[role]
    begun, learner = 0, first if isinstance(first, Algorithm) else None
    for episode, change in rewindable.changes:
        match change:
            case SeatChange(seat, Algorithm() as new) if seat is role and episode <= until:
                begun, learner = (begun, learner) if new == learner else (episode, new)
    return begun, learner


def _update(
    episode: int, played: Transcript, k: int, answers: list[TracedAnswer], q: list[float],
    learning: Parameters, own_rate: float,
) -> _Update:  # fmt: skip
    """Update the table `q` by a turn with these answers, as the learner did."""
    discount, rate = learning.discount_rate, own_rate or learning.learning_rate
    turn, reward, at_once, targets = played.turns[k], 0.0, 0.0, 0.0
    game, parts = played.scenario.seen_by(turn.role), list[tuple[float, int]]()
    table = game.limit_index(turn.role) * game.n_states  # that of the limit that was drawn
    for price, next_state, share in answers:
        chance = share / len(answers)
        if price is not None:
            # The turn accepted the offer before it, or made the offer that was accepted.
            offer = played.first_ply + k - (turn.action >= game.accept)
            gained = game.reward(turn.role, price, offer)
            reward, targets = reward + chance * gained, targets + share * gained
            at_once += chance * game.share(turn.role, price)
        if next_state is not None:
            at = (table + next_state) * game.n_actions
            legal = [at + action for action in game.legal_actions(next_state, turn.role)]
            top = max(q[entry] for entry in legal)
            best = [entry for entry in legal if q[entry] == top]
            parts += [(discount * chance / len(best), entry) for entry in best]
            targets += share * (discount * top)
    entry = (table + turn.state) * game.n_actions + turn.action
    q[entry] = q[entry] * (1 - rate) + rate * (targets / len(answers))
    price = played.outcome.price
    return _Update(episode, price, entry, reward, at_once, len(answers) > 1, tuple(parts), rate)


def _carried_back(
    updates: list[_Update], entry: int
) -> tuple[dict[int, float], tuple[Source, ...]]:
    """Return the weight of each entry before all updates, and the sources."""
    weights: dict[int, float] = {entry: 1.0}
    noted: dict[int, list[tuple[float, _Update]]] = {}
    for update in reversed(updates):
        weight = weights.get(update.entry, 0.0)
        if not weight:
            continue
        weights[update.entry] = weight * (1 - update.rate)
        weight *= update.rate
        for part, at in update.parts:
            weights[at] = weights.get(at, 0.0) + weight * part
        if update.reward:
            noted.setdefault(update.episode, []).append((weight, update))
    sources = [
        Source(
            episode,
            each[0][1].price,
            sum(weight for weight, _ in each),
            fsum(weight * update.reward for weight, update in each),
            fsum(weight * update.at_once for weight, update in each),
            any(update.expected for _, update in each),
        )
        for episode, each in noted.items()
    ]
    sources.sort(key=lambda source: (-abs(source.amount), source.episode))
    return weights, tuple(sources)
