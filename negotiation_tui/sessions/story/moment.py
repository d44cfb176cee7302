"""A moment of a training: everything that a fact may be computed from, after a whole cycle."""

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.learning.schedules import starts
from negotiation_tui.runtime.arrays import Ints32
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.solvers.expected_play import CERTAIN, ExpectedPlay, Outcomes

Plans = tuple[Plan, ...]
Plays = tuple[Outcomes, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """The state of a training between two cycles."""

    scenario: Scenario
    parameters: Parameters
    cycle: int  # number of cycles done
    coming: Role | None  # the only role that learns in the next cycle; None if none or both do
    plans: Plans  # the present plans, seller first; with hidden limits one per limit
    plays: Plays  # the outcomes if the seller opens, and if the buyer does; none if hidden
    could_gain: float | None  # NashConv of the plans; None if it was not evaluated
    openers: tuple[Role, ...]  # the roles that may open
    theory: tuple[tuple[int, ...], tuple[int, ...]]  # prices of the equilibria, by who opens
    before: "Moment | None" = None  # the moment that was looked at before this one
    unchanged_since: int = 0  # the first cycle after which the plans were as they are now
    together: bool = False  # True if both roles learn in every cycle
    learners: frozenset[Role] = frozenset(Role)  # the roles that learn
    tries: frozenset[Role] = frozenset(Role)  # those that try actions; others only compute
    tables: tuple[TabularPolicy, ...] = ()  # what both play, seller first
    reached: Reached | None = None  # with hidden limits what the plans reach, if evaluated
    play: ExpectedPlay | None = None  # how they play; with hidden limits if evaluated

    def plans_of(self, role: Role) -> Plans:
        sellers = self.scenario.n_tables(Role.SELLER)
        return self.plans[:sellers] if role is Role.SELLER else self.plans[sellers:]

    @property
    def alone(self) -> "Moment":
        """The moment without those before it."""
        return replace(self, before=None)

    @property
    def finished(self) -> bool:
        return self.cycle >= self.parameters.cycles

    @property
    def last_ply(self) -> int:
        return 2 * self.scenario.rounds - 1

    @property
    def window(self) -> tuple[int, int]:
        """First ply and number of plies at which the next episodes begin; both 0 at the opening."""
        first = self.cycle * self.parameters.episodes
        ply, width = starts(self.parameters, self.last_ply + 1, first, first + 1)[0].tolist()
        return ply, width

    @property
    def knows_the_end(self) -> bool:
        """True if training begins before the last offer, so that both roles know how it ends."""
        ply, width = self.window
        return not width or ply < self.last_ply - 1

    @property
    def untouched(self) -> bool:
        """True if nothing was learned yet: no plan prefers one action to another."""
        tie = Kind.ACCEPT | Kind.WALK_AWAY  # at a price of no worth in the last round
        return all(
            {*plan.kinds[plan.choices].flat} <= {0, tie, Kind.UNTRIED}
            and np.isnan(plan.chances).all()
            for plan in self.plans
        )

    @property
    def deal(self) -> float:
        return float(np.mean([self.plays[role].deal for role in self.openers]))

    @property
    def at_once(self) -> bool:
        """True if every opening offer is accepted."""
        return all(self.plays[role].deals[0].sum() > CERTAIN for role in self.openers)

    @property
    def last_round(self) -> int:
        """The last round, from 1, in which a deal is made; 0 without one."""
        made = sum(self.plays[role].deals.sum(axis=1) for role in self.openers) > 1 - CERTAIN
        return int((np.flatnonzero(made) + 1).max(initial=0))

    def gains_of(self, opener: Role) -> tuple[float, float]:
        """Return the coins of both per game that a role opens, without hidden limits."""
        assert self.play is not None
        return pair(self.play.coins.gains[role][opener] for role in Role)

    @property
    def gains(self) -> tuple[float, float]:
        """The coins of seller and buyer per game, without hidden limits."""
        return pair(np.mean([self.gains_of(opener) for opener in self.openers], axis=0).tolist())

    @property
    def lost_to_time(self) -> float:
        """The share of what there is to divide in their deals that waiting costs."""
        cost, worth = self.scenario.reservation_values
        whole = self.deal * (worth - cost) * self.scenario.time_costs
        return max(0.0, 1 - sum(self.gains) / whole) if whole > 0 else 0.0

    def decisions(self, role: Role, time: int, opened: bool) -> list[tuple[int, Kind, int, int]]:
        """Price, kinds, lowest and highest action of each decision that is met in a round."""
        plan = self.plans[role]
        states = plan.states(opened)[time]
        rows = zip(
            self.scenario.prices,
            sure_kinds(plan, states).tolist(),
            plan.lowest[states].tolist(),
            plan.highest[states].tolist(),
            strict=True,
        )
        return [(price, Kind(kinds), low, high) for price, kinds, low, high in rows if kinds]


def sure_kinds(plan: Plan, states: Ints32) -> NDArray[np.uint8]:
    """Return the kinds of decisions; as untried if actions are played beside the likely ones."""
    return np.where(np.isnan(plan.chances[states]), plan.kinds[states], Kind.UNTRIED)


def same(table: TabularPolicy, other: TabularPolicy) -> bool:
    names = "actions", "n_actions", "weights"
    return all(np.array_equal(getattr(table, name), getattr(other, name)) for name in names)
