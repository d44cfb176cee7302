"""A training that is over: what was learned, how well it does, and how far from equilibrium."""

from dataclasses import dataclass, field, fields
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning import evaluation, report
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import NEGOTIATIONS, Evaluation
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.players.resolve import players_of, policies_of, seated
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.validate import integer, number
from negotiation_tui.solvers.best_response import NashConv, nash_conv
from negotiation_tui.strategies.base import ReadyPlayer, Strategy

Seats = tuple[Strategy | None, Strategy | None]


def _none() -> NDArray[np.float64]:
    return np.zeros((0, 2))


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Trained(TrainedTables):
    """Tables, and what can be asked of them.

    `q_tables` has shape (2, n_states, n_actions), seller first; `statistics` has an entry a cycle.
    """

    seats: Seats = (None, None)
    """The strategies that play now whatever `strategies` names, seller first; None else."""
    evaluations: NDArray[np.float64] = field(default_factory=_none)
    """Shape (looks, 2): NashConv while it learned, as cycles done and NashConv then."""

    @classmethod
    def after(cls, training: ConcurrentTraining, looks: NDArray[np.float64] | None = None) -> Self:
        """A training as it is now."""
        kept = TrainedTables.of(training)
        seats = training.strategy(Role.SELLER), training.strategy(Role.BUYER)
        taken = _none() if looks is None else looks
        return cls(**_values(kept), seats=seats, evaluations=taken)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """What `save` or `train --save` wrote; BadInputError where it is not that."""
        return cls(**_values(load_tables(path)))

    def save(self, path: str | PathLike[str]) -> None:
        """Write tables and statistics as `.npz`; BadInputError where that cannot be done."""
        save_tables(path, self)

    @property
    def players(self) -> tuple[ReadyPlayer, ReadyPlayer]:
        """How the seats play now, greedily or as their strategy, seller first."""
        return players_of(self, *self.seats)

    @property
    def policies(self) -> tuple[TabularPolicy, TabularPolicy]:
        """The same as tables, seller first; BadInputError where a seat has none."""
        return policies_of(self, *self.seats)

    def test(
        self,
        negotiations: int = NEGOTIATIONS,
        seed: int | None = None,
        as_published: bool = False,
        seller: Strategy | str = LEARNED,
        buyer: Strategy | str = LEARNED,
    ) -> Evaluation:
        """Let the seats meet and learn nothing; a strategy that is named sits there instead.

        With `as_published` the slips of the original's test are repeated. The seed is that of the
        training where none is given.
        """
        rng = generators(self.seed if seed is None else integer("seed", seed, 0)).test
        one, other = self.seats
        instead = seated(seller) or one, seated(buyer) or other
        if as_published:
            policies, left_over = policies_of(self, *instead), self.statistics.left_over
            return evaluation.evaluate_as_published(
                self.scenario, *policies, rng, negotiations, left_over
            )
        return evaluation.evaluate(self.scenario, *players_of(self, *instead), rng, negotiations)

    def nash_conv(self, discount_rate: float | None = None) -> NashConv:
        """What each role would gain by a best response, by the training's discount if none given.

        Raises BadInputError where a seat has no table.
        """
        given = self.parameters.discount_rate if discount_rate is None else discount_rate
        rate = number("discount_rate", given, 0, 1)
        return nash_conv(self.scenario, *self.policies, rate)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, as `train --json` prints it."""
        return report.training_dict(self)

    def __repr__(self) -> str:
        return f"<Trained: {report.training_line(self)}>"


def _values(tables: TrainedTables) -> dict[str, Any]:
    return {each.name: getattr(tables, each.name) for each in fields(TrainedTables)}
