"""A moment of a training: everything that a fact may be computed from, after a whole cycle."""

from dataclasses import dataclass

import numpy as np

from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.learning.schedules import starts
from negotiation_tui.solvers.expected_play import Outcomes

Plans = tuple[Plan, ...]
Plays = tuple[Outcomes, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Moment:
    """The state of a training between two cycles."""

    scenario: Scenario
    parameters: Parameters
    cycle: int
    """Number of cycles done."""
    coming: Role | None
    """The only role that learns in the next cycle; None if none does, or both do."""
    plans: Plans
    """The present plans, seller first; with hidden limits one per limit."""
    plays: Plays
    """The outcomes of these plans if the seller opens, and if the buyer opens; with hidden limits
    there are none."""
    could_gain: float | None
    """NashConv of the plans; None if it was not evaluated."""
    deals: int
    """Deals in the last cycle, of as many negotiations as a cycle has."""
    openers: tuple[Role, ...]
    """The roles that may open."""
    theory: tuple[tuple[int, ...], tuple[int, ...]]
    """Prices of the equilibria, if the seller opens and if the buyer opens."""
    before: "Moment | None" = None
    """The moment that was looked at before this one."""
    unchanged_since: int = 0
    """The first of the cycles, up to this one, after which the plans were as they are now."""
    together: bool = False
    """True if both roles learn in every cycle."""
    tries: bool = True
    """True if a learner tries actions, False if learners only compute."""
    reached: Reached | None = None
    """With hidden limits: what the plans reach; None if it was not evaluated."""

    def plans_of(self, role: Role) -> Plans:
        """The plan for each limit of a role."""
        sellers = self.scenario.n_tables(Role.SELLER)
        return self.plans[:sellers] if role is Role.SELLER else self.plans[sellers:]

    @property
    def finished(self) -> bool:
        return self.cycle >= self.parameters.cycles

    @property
    def last_ply(self) -> int:
        return 2 * self.scenario.rounds - 1

    @property
    def window(self) -> tuple[int, int]:
        """The first ply and the number of plies at which episodes of the next cycle begin.

        Both are 0 if they begin with the opening offer.
        """
        first = self.cycle * self.parameters.episodes
        windows = starts(self.parameters, self.last_ply + 1, first, first + 1)
        ply, width = windows[0].tolist()
        return ply, width

    @property
    def untouched(self) -> bool:
        """True if nothing was learned yet: no plan prefers one action to another."""
        tie = Kind.ACCEPT | Kind.WALK_AWAY  # at a price of no worth in the last round
        return all(
            np.isin(plan.kinds[plan.choices], [0, tie, Kind.UNTRIED]).all()
            and np.isnan(plan.chances).all()
            for plan in self.plans
        )

    @property
    def deal(self) -> float:
        """The probability of a deal by the plans, if all openers are equally likely."""
        return float(np.mean([self.plays[role].deal for role in self.openers]))

    @property
    def rounds(self) -> float | None:
        """The mean number of rounds to a deal, over all openers; None if one never gets a deal."""
        means = [self.plays[role].rounds for role in self.openers]
        return None if None in means else float(np.mean([mean for mean in means if mean]))

    def decisions(self, role: Role, time: int, opened: bool) -> list[tuple[int, Kind, int, int]]:
        """The decisions of a role on each price on the table in a round, from 0.

        Each is the price, the kinds of actions, and the actions that ask the lowest and the
        highest price. Prices on which the role never decides are left out. A decision between
        actions of different probabilities counts as untried, because no action is certain.
        """
        plan = self.plans[role]
        states = plan.states(opened)[time]
        rows = zip(
            self.scenario.prices,
            np.where(np.isnan(plan.chances[states]), plan.kinds[states], Kind.UNTRIED).tolist(),
            plan.lowest[states].tolist(),
            plan.highest[states].tolist(),
            strict=True,
        )
        return [(price, Kind(kinds), low, high) for price, kinds, low, high in rows if kinds]

    def share(self, role: Role, price: int) -> int:
        return round(100 * self.scenario.reward(role, price))
