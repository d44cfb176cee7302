"""Best responses with hidden limits against recursions that know nothing of merged beliefs."""

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.beliefs import prior
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.hidden_best_response import HiddenBestResponse
from tests.support.lotteries import lottery, stack
from tests.support.plans import Plan

Floats = NDArray[np.float64]


class Histories:
    """One limit of a role against all limits of the other, history by history.

    `weights` are the probabilities with which the other's limits are drawn and play on so; they
    are never divided by their sum. A role without a plan plays the best action.
    """

    def __init__(
        self, scenario: Scenario, role: Role, limit: int, others: list[Plan], rate: float
    ) -> None:
        self.views = scenario.views[role][limit], scenario.views[role.other]
        self.role, self.others, self.rate = role, others, rate

    def position(self, opener: Role, offers: tuple[int, ...], view: Scenario) -> Position:
        n = len(offers)
        mover = opener if n % 2 == 0 else opener.other
        own, standing = offers[n - 2] if n > 1 else None, offers[n - 1] if n else None
        return Position(view, mover, max(0, n - 1) // 2, own, standing, n % 2 == 0, offers)

    def options(
        self, opener: Role, offers: tuple[int, ...], weights: Floats, plan: Plan | None
    ) -> dict[int, float]:
        """The value of each action of the role in a position of its own."""
        game = self.views[0]
        at = self.position(opener, offers, game)
        discount = self.rate ** (at.ply // 2)
        found = {}
        for action in at.legal:
            found[action] = 0.0
            if action == game.accept:
                assert at.standing_offer is not None
                reward = game.reward(self.role, at.standing_offer)
                found[action] = weights.sum() * discount * reward
            elif action < game.accept:
                after = (*offers, game.prices[action])
                found[action] = self.answered(opener, after, weights, plan)
        return found

    def worth(
        self, opener: Role, offers: tuple[int, ...], weights: Floats, plan: Plan | None = None
    ) -> float:
        """The value of a position of either role."""
        if (opener if len(offers) % 2 == 0 else opener.other) is not self.role:
            return self.answered(opener, offers, weights, plan)
        found = self.options(opener, offers, weights, plan)
        if plan is None:
            return max(found.values())
        at = self.position(opener, offers, self.views[0])
        return sum(chance * found[action] for action, chance in plan(at).items())

    def answered(
        self, opener: Role, offers: tuple[int, ...], weights: Floats, plan: Plan | None
    ) -> float:
        """The value of a position of the other role, whose limits answer by their plans."""
        game, total = self.views[0], 0.0
        after: dict[int, Floats] = {}
        for j, weight in enumerate(weights):
            if not weight:
                continue
            at = self.position(opener, offers, self.views[1][j])
            for action, chance in self.others[j](at).items():
                after.setdefault(action, np.zeros(len(weights)))[j] += weight * chance
        for action, reached in after.items():
            if action == game.accept:
                # Decisions that the role has made so far.
                made = len(offers) // 2 + (len(offers) % 2 if opener is self.role else 0)
                reward = game.reward(self.role, offers[-1])
                total += reached.sum() * self.rate ** (made - 1) * reward
            elif action < game.accept:
                total += self.worth(opener, (*offers, game.prices[action]), reached, plan)
        return total


def interim(
    scenario: Scenario, role: Role, others: list[Plan], rate: float, plans: list[Plan] | None
) -> Floats:
    """The value to each limit for each opener; that of the plans, or the best."""
    weights = prior(scenario, role.other).chances
    return np.array(
        [
            [
                Histories(scenario, role, limit, others, rate).worth(
                    opener, (), weights, None if plans is None else plans[limit]
                )
                for limit in range(scenario.n_tables(role))
            ]
            for opener in Role
        ]
    )


@pytest.mark.parametrize("seed", range(200))
def test_it_is_worth_what_a_recursion_over_all_histories_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenario = lottery(rng, 4, 3 if seed % 5 == 0 else 2)
    rate = float(rng.choice([1.0, 0.99, 0.5]))
    players = [stack(scenario, role, rng) for role in Role]
    found = nash_conv(scenario, players[0][0], players[1][0], rate)
    assert found.exact
    openers, gains = list(scenario.opener.roles), []
    for role in Role:
        (_, plans), (_, others) = players[role], players[role.other]
        best = interim(scenario, role, others, rate, None)
        own = interim(scenario, role, others, rate, plans)
        answer = found.responses[role]
        assert isinstance(answer, HiddenBestResponse)
        assert answer.interim == pytest.approx(best, abs=1e-12)
        assert found.play is not None
        assert found.play.interim(role, rate) == pytest.approx(own, abs=1e-12)
        chances = prior(scenario, role).chances
        assert answer.values == pytest.approx((best @ chances).tolist(), abs=1e-12)
        assert found.values[role] == pytest.approx((own[openers] @ chances).mean(), abs=1e-12)
        gains.append(((best - own)[openers] @ chances).mean())
    assert found.exploitability == pytest.approx(gains, abs=1e-12)
    assert found.total == pytest.approx(sum(gains), abs=1e-12)
    assert found.bounds == (found.total, found.total)
