"""The course of what each role holds of the other's hidden limit in a negotiation."""

from collections.abc import Callable, Collection
from dataclasses import replace

from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.sessions.snapshot import Beliefs, Negotiation
from negotiation_tui.solvers.beliefs import Belief, beliefs


def with_beliefs(
    negotiation: Negotiation,
    player: Callable[[Role], object],
    exploring: Collection[Role] = (),
    before: Beliefs = (None, None),
) -> Negotiation:
    """Return a negotiation with the beliefs about both limits.

    They come from the tables that each `player` plays by, and from the negotiation's ε for roles
    that are `exploring`. The first beliefs are those that were held `before`.
    """
    lottery, transcript = negotiation.transcript.scenario.lottery, negotiation.transcript

    def about(role: Role) -> tuple[Belief, ...] | None:
        if lottery is None or not lottery.limits[role] or role is negotiation.person:
            return None
        policy, epsilon = player(role), negotiation.epsilon if role in exploring else 0.0
        if not isinstance(policy, TabularPolicy):
            return None
        return beliefs(policy, transcript, role, epsilon, before[role] or ())

    return replace(negotiation, beliefs=(about(Role.SELLER), about(Role.BUYER)))


def believed(training: ConcurrentTraining, negotiation: Negotiation) -> Negotiation:
    """Return the newest negotiation of a training with the beliefs about both limits.

    In an episode a learner plays by its tables, taken as they are after it, and explores; its
    opponent plays by frozen tables. Otherwise both play by their plans.
    """
    occupants = training.occupants
    learning = [role for role in Role if negotiation.learned_from(role)]
    algorithms = {role: each.algorithm for role, each in occupants.learning.items()}

    def player(role: Role) -> object:
        strategy = training.strategy(role)
        if strategy is not None:
            responds = strategy.needs_opponent  # by its own beliefs, without a table
            return None if responds else strategy.remembering(training.scenario, role)
        present = negotiation.test or role in learning
        return occupants.policy(role) if present else occupants.frozen_policy(role)

    return with_beliefs(
        negotiation,
        player,
        [role for role in learning if not _explores_itself(algorithms.get(role))],
    )


class Believed:
    """The newest negotiation of a training with the beliefs in it, which are computed once."""

    def __init__(self, training: ConcurrentTraining) -> None:
        self._training = training
        self._plain: Negotiation | None = None
        self._found: Negotiation | None = None

    def of(self, newest: Negotiation | None) -> Negotiation | None:
        """Return the newest negotiation with its beliefs."""
        if newest is not self._plain:
            self._plain = newest
            self._found = newest and believed(self._training, newest)
        return self._found


def _explores_itself(algorithm: object) -> bool:
    """True if the policy of a learner holds its exploring."""
    return isinstance(algorithm, TabularAlgorithm) and algorithm.explores_itself
