"""A finished training: its tables, their test, and their distance from equilibrium."""

from dataclasses import dataclass, fields, replace
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import evaluation, report
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import NEGOTIATIONS, Evaluation
from negotiation_tui.learning.q_table import by_limit
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.learning.spec import LEARNED, PREFIX
from negotiation_tui.players.resolve import as_strategy, players_of, policies_of
from negotiation_tui.runtime.validate import integer, number, refusal
from negotiation_tui.solvers.best_response import NashConv, nash_conv
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

Seats = tuple[Strategy | None, Strategy | None]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Trained(TrainedTables):
    """Trained tables, with methods to test and judge them.

    `q_tables` has shape (2, n_states, n_actions), seller first: values of actions, or the
    probabilities of a learner that has no values. With hidden limits all tables of a role stand
    end to end there, see `q_table`. `statistics` has entries per cycle. `learners` are the specs of
    the learners, seller first, None for a static strategy; `learned` is all that each has learned
    besides, as arrays by name.
    """

    seats: Seats = (None, None)
    """The strategy objects that play, seller first; None for a learner or a saved strategy."""

    @classmethod
    def after(cls, training: ConcurrentTraining) -> Self:
        """Copy the tables of a training and its NashConv."""
        seats = training.strategy(Role.SELLER), training.strategy(Role.BUYER)
        return replace(cls.of(training), seats=seats)

    @property
    def evaluations(self) -> NDArray[np.float64]:
        """Finished cycles and their NashConv, shape (n, 2), where it can be computed exactly."""
        return np.array(self.nash_convs, np.float64).reshape(-1, 2)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Load saved tables. Raises BadInputError if the file is missing or has other contents."""
        tables = load_tables(path)
        return cls(**{each.name: getattr(tables, each.name) for each in fields(tables)})

    def save(self, path: str | PathLike[str]) -> None:
        """Save tables and statistics as `.npz`. Raises BadInputError if that is not possible."""
        save_tables(path, self)

    @property
    def players(self) -> tuple[ReadyPlayer, ReadyPlayer]:
        """Both players, seller first: the policy of a learner, or a strategy."""
        return players_of(self, *self.seats)

    @property
    def policies(self) -> tuple[TabularPolicy, TabularPolicy]:
        """Both players as tables, seller first. Raises BadInputError if one has no table."""
        return policies_of(self, *self.seats)

    def q_table(self, role: Role | str) -> NDArray[np.float64]:
        """Return a role's part of `q_tables`, shape (limits, n_states, n_actions)."""
        return by_limit(self.scenario, Role.of(role), self.rows(Role.of(role)))

    def probabilities(self, role: Role | str) -> NDArray[np.float64]:
        """Return how often a learner plays each action, shape (limits, n_states, n_actions).

        Rows sum to 1; that of the final state is zeros. Raises BadInputError for a role that a
        static strategy plays.
        """
        role = Role.of(role)
        if self.strategies[role] is not None:
            raise refusal(str(role), self.strategies[role], "a role that learned")
        return by_limit(self.scenario, role, self.policy(role).probabilities)

    def test(
        self,
        negotiations: int = NEGOTIATIONS,
        seed: int | None = None,
        as_published: bool = False,
        seller: Strategy | str = LEARNED,
        buyer: Strategy | str = LEARNED,
    ) -> Evaluation:
        """Play `negotiations` without learning and return their statistics.

        `seller` and `buyer` replace a player by a strategy. With `as_published` the mistakes of the
        original's test are repeated. `seed` None means the seed of the training.
        """
        rng = generators(self.seed if seed is None else integer("seed", seed, 0)).test
        one, other = self.seats
        for seat in (seller, buyer):
            if isinstance(seat, str) and seat.startswith(PREFIX):
                raise BadInputError(f"{seat}: expected a strategy, got a learner; train it first")
        instead = as_strategy(seller) or one, as_strategy(buyer) or other
        if as_published:
            policies, left_over = policies_of(self, *instead), self.statistics.left_over
            return evaluation.evaluate_as_published(
                self.scenario, *policies, rng, negotiations, left_over
            )
        return evaluation.evaluate(self.scenario, *players_of(self, *instead), rng, negotiations)

    def nash_conv(self, discount_rate: float | None = None) -> NashConv:
        """Compute the gain of each role's best response to the other; their sum is NashConv.

        `discount_rate` None means that of the training. Both players must have a table.
        """
        rate = self.parameters.discount_rate if discount_rate is None else discount_rate
        return nash_conv(self.scenario, *self.policies, number("discount_rate", rate, 0, 1))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `train --json` prints it with its NashConv."""
        return report.training_dict(self)

    def __repr__(self) -> str:
        return f"<Trained: {report.training_line(self)}>"
