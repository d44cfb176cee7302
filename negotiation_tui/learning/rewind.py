"""Rewind a training to any earlier episode: states kept on the way, the rest computed again.

When the states, at equal distances, grow too many or too large, every second one is dropped. So
memory has a bound, and an episode is computed from a state at most one distance before it.
"""

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Self

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.concurrent import ConcurrentTraining, TrainingState
from negotiation_tui.learning.hyperparameters import whole_games
from negotiation_tui.learning.learner import ObjectAlgorithm
from negotiation_tui.learning.players import OF_EPSILON
from negotiation_tui.learning.schedules import Fade
from negotiation_tui.learning.seats import NeedsWholeGamesError
from negotiation_tui.runtime.records import dataclass, replace

KEPT_BYTES = 20 << 20  # of all kept states together; a state larger by itself is not kept
_MOST = 256  # greatest number of kept states
CLOSEST = 1000  # most episodes between two states at first; shorter cycles keep one each
CLOSEST_BY_TURNS = 25  # as CLOSEST, for a learner of the user's own, which may be slow


class _Change:
    """The base of changes. When time travel makes one again, its training is at episode 0.

    So a change holds what it found when it was made.
    """

    __slots__ = ()

    def found_in(self, training: ConcurrentTraining) -> Self:  # noqa: ARG002 - for others
        """Return the change with what it finds in a training that is at its moment."""
        return self


@dataclass(frozen=True, slots=True)
class SeatChange(_Change):
    role: Role
    occupant: Occupant
    whole_games: bool = False
    """True if every episode from now on begins with the opening offer; see `whole_games`."""

    def found_in(self, training: ConcurrentTraining) -> Self:
        try:
            training.check(self.role, self.occupant)
        except NeedsWholeGamesError:
            return replace(self, whole_games=True)
        return self

    def apply(self, training: ConcurrentTraining) -> None:
        """Raises BadInputError, and leaves all as it was, if the seat cannot be taken."""
        before = training.parameters
        if self.whole_games:
            training.parameters = whole_games(before)
        try:
            training.seat(self.role, self.occupant)
        except BadInputError:
            if self.whole_games:
                training.parameters = before
            raise


@dataclass(frozen=True, slots=True)
class NewOpener(_Change):
    opener: Opener

    def apply(self, training: ConcurrentTraining) -> None:
        training.opener = self.opener


@dataclass(frozen=True, slots=True)
class NewSetting(_Change):
    """Another value of a parameter, or of a step of learners, from the next episode on.

    ε goes on from a new start; with another end or decay it goes on from its present value.
    """

    name: str
    value: Any
    fade: Fade | None = None  # of ε, found

    def found_in(self, training: ConcurrentTraining) -> Self:
        if self.name not in OF_EPSILON:
            return self
        begins = self.value if self.name == OF_EPSILON[0] else training.next_epsilon
        return replace(self, fade=Fade(training.episode, begins))

    def apply(self, training: ConcurrentTraining) -> None:
        """Raises BadInputError, and leaves all as it was, if the setting cannot be that."""
        training.set(self.name, self.value, self.fade)


Change = SeatChange | NewOpener | NewSetting


class RewindableTraining:
    """A training, the states kept on its way, and the changes made to it by `change`.

    `begin` returns the training before its first episode, equal each time it is called.
    """

    def __init__(self, begin: Callable[[], ConcurrentTraining]) -> None:
        self.training = begin()
        self.changes: list[tuple[int, Change]] = []  # with the number of episodes before
        self._begin = begin
        self.size = 0  # bytes of all kept states, at most KEPT_BYTES
        self._states: list[TrainingState] = []
        by_turns = any(isinstance(each, ObjectAlgorithm) for each in self.training.seated)
        closest = CLOSEST_BY_TURNS if by_turns else CLOSEST
        self._distance = min(self.training.parameters.episodes, closest)
        self._keeps = True

    def run_episodes(self, n: int) -> None:
        training = self.training
        stop = training.episode + n
        while training.episode < stop:
            self._keep()
            following = training.episode // self._distance * self._distance + self._distance
            training.run_episodes(min(stop, following) - training.episode)

    def change(self, change: Change) -> None:
        """Make a change and remember it. Raises BadInputError if it is not possible."""
        change = change.found_in(self.training)
        change.apply(self.training)
        self.changes.append((self.training.episode, change))

    def go_back(self, episode: int) -> None:
        """Let the run go on from an earlier moment; all after its last episode is dropped."""
        self.changes = self.changes_before(episode)
        self._states = [each for each in self._states if each.episode < episode]
        self.training = self.training_at(episode)
        self.size = sum(each.nbytes for each in self._states)

    def changes_before(self, episode: int) -> list[tuple[int, Change]]:
        """Return the changes up to the beginning of the last episode of a moment."""
        return self.changes[: self._n_changes(max(0, episode - 1))]

    def training_at(self, episode: int) -> ConcurrentTraining:
        """Return a new training that equals this one after an earlier number of episodes.

        Changes made just after that episode are part of it; `advance` leads on to the present.
        Raises ValueError if this training has not played as many episodes.
        """
        present = self.training
        if not 0 <= episode <= present.episode:
            raise ValueError(f"episode: expected 0 to {present.episode:,}, got {episode:,}")
        n_states = bisect_right(self._states, episode, key=lambda state: state.episode)
        state = self._states[n_states - 1] if n_states else None
        training = self._begin()
        training.use(present.backend)
        training.nash_convs = None  # evaluated before
        for _, change in self.changes[: self._n_changes(state.episode if state else 0)]:
            change.apply(training)
        if state:
            training.restore(state, present)
        self.advance(training, episode - training.episode)
        if present.nash_convs:
            training.nash_convs = present.nash_convs.up_to(training)
        return training

    def advance(self, training: ConcurrentTraining, episodes: int) -> None:
        """Play on from a moment of the past, with the changes that were made on the way."""
        stop = training.episode + episodes
        for before, change in self.changes[self._n_changes(training.episode) :]:
            if before > stop:
                break
            training.run_episodes(before - training.episode)
            change.apply(training)
        training.run_episodes(stop - training.episode)

    def _n_changes(self, episode: int) -> int:
        return bisect_right(self.changes, episode, key=lambda change: change[0])

    def _keep(self) -> None:
        training = self.training
        last = self._states[-1].episode if self._states else 0
        if not self._keeps or training.episode % self._distance or training.episode == last:
            return
        state = training.state()
        self._keeps = state.nbytes <= KEPT_BYTES
        if not self._keeps:
            return
        self._states.append(state)
        self.size += state.nbytes
        while len(self._states) > _MOST or self.size > KEPT_BYTES:
            self._distance *= 2
            self._states = [each for each in self._states if each.episode % self._distance == 0]
            self.size = sum(each.nbytes for each in self._states)
