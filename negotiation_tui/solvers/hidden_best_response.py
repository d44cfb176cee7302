"""The best response to an opponent with hidden limits, of every own limit at once."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Floats, TabularPolicy
from negotiation_tui.solvers.belief_induction import BeliefInduction
from negotiation_tui.solvers.beliefs import belief_at, prior
from negotiation_tui.solvers.subgame_perfect import EQUAL


@dataclass(frozen=True, eq=False)
class HiddenBestResponse:
    """A best response of a role to the tables of its opponent, one per limit."""

    scenario: Scenario
    role: Role
    opponent: TabularPolicy
    discount_rate: float
    table: ClassVar[None] = None
    """There is no table of the best actions by state, because they depend on the belief."""

    @cached_property
    def bounds(self) -> Floats:
        """The least and the greatest expected return there can be, shape (2, 2, L).

        The first index is the bound, the second the role that opens, the third the own limit.
        """
        # Inductions hold far more than their results, and few responses are asked for actions.
        ends = [_induction(self, opener is self.role).root for opener in Role]
        return np.stack([[each[end] for each in ends] for end in (0, -1)])

    @property
    def exact(self) -> bool:
        """True if both bounds are equal, but for rounding."""
        return bool((self.bounds[1] - self.bounds[0] <= EQUAL).all())

    @property
    def interim(self) -> Floats:
        """The expected return of each own limit, shape (2, L); the first index is the opener.

        It is the upper bound unless the response is `exact`.
        """
        upper: Floats = self.bounds[1]
        return upper

    @cached_property
    def values(self) -> tuple[float, float]:
        """The expected return if the seller opens and if the buyer opens, before limits are drawn.

        It is the upper bound unless the response is `exact`.
        """
        seller, buyer = (self.interim @ prior(self.scenario, self.role).chances).tolist()
        return seller, buyer

    def action_value(self, position: Position) -> Floats:
        """The value of each action in a position of the role, by its limit, shape (P + 2,).

        It depends on the belief that the offers so far leave. Illegal actions have −∞. Where the
        value is not exact it is the lower bound.
        """
        scenario = position.scenario
        options = np.full(scenario.n_actions, -np.inf)
        induction, n = _kept_induction(self, position.opened), position.ply // 2
        limit, stakes = scenario.limit_index(self.role), induction.stakes
        if n <= induction.last:
            last = position.standing_offer_index if self.opponent.remembers_own_offer else 0
            belief = belief_at(self.opponent, position)
            values = induction.values(n, last, belief.chances)[:, 0, limit]
            options[stakes.offers] = np.where(stakes.legal[:, 0, limit], values, -np.inf)
        if position.ply:
            options[scenario.walk_away] = 0.0
            if position.standing_offer_index in scenario.offers(self.role):
                options[scenario.accept] = stakes.rewards[position.standing_offer_index, limit]
        return options

    def best(self, position: Position) -> list[int]:
        """The best actions in a position of the role."""
        values = self.action_value(position)
        return np.flatnonzero(values >= values.max() - EQUAL).tolist()

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Draw one of the best actions."""
        actions = self.best(position)
        return actions[int(rng.random() * len(actions)) if len(actions) > 1 else 0]

    def __repr__(self) -> str:
        seller, buyer = self.values
        bound = "" if self.exact else "at most "
        values = f"value {bound}{seller:.4f} if the seller opens, {buyer:.4f} if the buyer opens"
        return f"<HiddenBestResponse of the {self.role} in {self.scenario.name}, {values}>"


def _induction(response: HiddenBestResponse, opened: bool) -> BeliefInduction:
    """Return the induction of a response, as opener or responder."""
    scenario, opponent = response.scenario, response.opponent
    return BeliefInduction(scenario, response.role, opponent, response.discount_rate, opened)


_kept_induction = lru_cache(maxsize=4)(_induction)
