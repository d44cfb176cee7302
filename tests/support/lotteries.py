"""Random games with hidden limits, random players of them, and their values by whole histories."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from negotiation_tui import Position, Role, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, stacked
from tests.support.game import game
from tests.support.plans import MEMORYLESS, REMEMBERING, Plan, seat

Floats = NDArray[np.float64]
Offers = tuple[int, ...]


def lottery(
    rng: np.random.Generator, largest: int = 4, rounds: int = 3, known: bool = False
) -> Scenario:
    """A game with up to three hidden limits a side, or on one side alone; often without overlap.

    If limits are `known`, some reservation values are stated.
    """
    prices = sorted(rng.choice(12, int(rng.integers(2, largest + 1)), replace=False).tolist())
    sides: dict[str, dict[str, object]] = {}
    hidden = rng.choice(["both", "both", "seller", "buyer"])
    for role in Role:
        side: dict[str, object] = {}
        if rng.random() < 0.3:
            side["min" if role is Role.SELLER else "max"] = int(rng.choice(prices))
        if known:
            side |= {"reservation": int(rng.choice(12))} if rng.random() < 0.5 else {}
        elif hidden in ("both", str(role)):
            low, high = prices[0] - 2, prices[-1]
            if role is Role.BUYER:
                low, high = prices[0], prices[-1] + 2
            n = min(int(rng.integers(1, 4)), high - low + 1)
            side["limits"] = rng.choice(np.arange(low, high + 1), n, replace=False).tolist()
            weights = rng.integers(0, 4, n).tolist()
            if any(weights):
                side["weights"] = weights
        sides[str(role)] = side
    return game(
        prices,
        int(rng.integers(1, rounds + 1)),
        opener=str(rng.choice(["seller", "buyer", "alternate"])),
        states=str(rng.choice(["published", "opener-aware"])),
        delta=rng.choice([1.0, 0.9, 0.5], 2).tolist(),
        **sides,
    )


def stack(
    scenario: Scenario, role: Role, rng: np.random.Generator
) -> tuple[TabularPolicy, list[Plan]]:
    """A random player: tables end to end, and the plan of each limit."""
    kinds = REMEMBERING if rng.random() < 0.2 else MEMORYLESS
    kind = str(rng.choice(kinds))
    seats = [
        seat(view, role, kind if kinds is REMEMBERING else str(rng.choice(kinds)), n)
        for view in scenario.views[role]
        for n in rng.integers(0, 2**32, 1).tolist()
    ]
    return stacked(scenario, [policy for policy, _ in seats]), [plan for _, plan in seats]


class Histories:
    """One limit of a role against all limits of the other, history by history.

    `weights` are the probabilities with which the other's limits are drawn and play on so; they
    are never divided by their sum. A role without a plan plays the best action.
    """

    def __init__(
        self, scenario: Scenario, role: Role, limit: int, others: list[Plan], rate: float
    ) -> None:
        self.view, self.seen = scenario.views[role][limit], scenario.views[role.other]
        self.role, self.others, self.rate = role, others, rate

    def action(
        self, opener: Role, offers: Offers, weights: Floats, action: int, plan: Plan | None = None
    ) -> float:
        if action > self.view.accept:
            return 0.0
        if action < self.view.accept:
            after = (*offers, self.view.prices[action])
            return self.answered(opener, after, weights, plan)
        reward = self.view.reward(self.role, offers[-1], len(offers) - 1)
        return float(weights.sum()) * self.rate ** (len(offers) // 2) * reward

    def worth(
        self, opener: Role, offers: Offers, weights: Floats, plan: Plan | None = None
    ) -> float:
        if (opener if len(offers) % 2 == 0 else opener.other) is not self.role:
            return self.answered(opener, offers, weights, plan)
        at = Position.after(self.view, opener, offers)
        if plan is None:
            return max(self.action(opener, offers, weights, action) for action in at.legal)
        return sum(
            chance * self.action(opener, offers, weights, action, plan)
            for action, chance in plan(at).items()
        )

    def reached(self, opener: Role, offers: Offers, weights: Floats) -> dict[int, Floats]:
        """The other role's actions, with the weights of its limits after each."""
        after: dict[int, Floats] = {}
        for j in np.flatnonzero(weights):
            at = Position.after(self.seen[j], opener, offers)
            for action, chance in self.others[j](at).items():
                after.setdefault(action, np.zeros(len(weights)))[j] += weights[j] * chance
        return after

    def answered(self, opener: Role, offers: Offers, weights: Floats, plan: Plan | None) -> float:
        """The value of a position of the other role, whose limits answer by their plans."""
        total = 0.0
        for action, after in self.reached(opener, offers, weights).items():
            if action == self.view.accept:
                # Decisions that the role has made so far.
                made = len(offers) // 2 + (len(offers) % 2 if opener is self.role else 0)
                reward = self.view.reward(self.role, offers[-1], len(offers) - 1)
                total += after.sum() * self.rate ** (made - 1) * reward
            elif action < self.view.accept:
                price = self.view.prices[action]
                total += self.worth(opener, (*offers, price), after, plan)
        return total


def interim(
    scenario: Scenario, role: Role, others: list[Plan], rate: float, plans: list[Plan] | None
) -> Floats:
    """The value to each limit for each opener; that of the plans, or the best."""
    weights, limits = scenario.chances(role.other), range(scenario.n_tables(role))
    games = [Histories(scenario, role, limit, others, rate) for limit in limits]
    known: Sequence[Plan | None] = plans or [None] * len(limits)
    each = [*zip(games, known, strict=True)]
    return np.array([[game.worth(o, (), weights, plan) for game, plan in each] for o in Role])
