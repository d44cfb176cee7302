"""NashConv with hidden limits equals that of OpenSpiel for the game of imperfect information."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows
from negotiation_tui.solvers.best_response import best_response, nash_conv
from tests.support.open_spiel import BasePolicy, exploitability, spiel_game

Floats = NDArray[np.float64]

SCENARIOS = [
    {
        "prices": [1, 2, 3],
        "rounds": 2,
        "seller": {"limits": [0, 1], "weights": [2, 1]},
        "buyer": {"limits": [2, 3]},
    },
    {"prices": [1, 2], "rounds": 2, "seller": {"limits": [0, 2]}, "buyer": {"limits": [1, 2, 3]}},
    {"prices": [2, 4], "rounds": 3, "seller": {"limits": [1, 4]}, "buyer": {"min": 0, "max": 4}},
    {"prices": [1, 2, 3], "rounds": 1, "seller": {"limits": [2, 3]}, "buyer": {"limits": [1, 2]}},
]


@dataclass(frozen=True)
class Rules:
    """The rules for one opener; the first two actions are chance's, the limits of both roles."""

    scenario: Scenario
    opener: Role
    rate: float

    def mover(self, actions: list[int]) -> Role:
        return self.opener if len(actions) % 2 == 0 else self.opener.other

    def view(self, actions: list[int], role: Role) -> Scenario:
        return self.scenario.views[role][actions[role]]

    def over(self, actions: list[int]) -> bool:
        return len(actions) > 2 and actions[-1] >= self.scenario.n_prices

    def position(self, actions: list[int]) -> Position:
        """The position of the role that moves; own earlier offers do not matter to its table."""
        role, n = self.mover(actions), len(actions) - 2
        price = self.scenario.prices[actions[-1]] if n else None
        opened = role is self.opener
        return Position(self.view(actions, role), role, max(0, n - 1) // 2, None, price, opened)

    def legal(self, actions: list[int]) -> list[int]:
        return list(self.position(actions).legal)

    def returns(self, actions: list[int]) -> list[float]:
        if actions[-1] > self.scenario.n_prices:
            return [0.0, 0.0]
        price, n = self.scenario.prices[actions[-2]], len(actions) - 2
        made = {self.opener: (n + 1) // 2, self.opener.other: n // 2}
        return [
            self.rate ** (made[role] - 1) * self.view(actions, role).reward(role, price)
            for role in Role
        ]


def players(rules: Rules, game: Any, policies: list[TabularPolicy]) -> Any:
    class Players(BasePolicy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, _player: Any = None) -> dict[int, float]:
            position = rules.position(state.actions)
            policy = policies[position.role]
            chances = policy.probabilities[policy.row(position)]
            return {action: float(chances[action]) for action in position.legal}

    return Players(game, [0, 1])


def probabilities(scenario: Scenario, role: Role, name: str, rng: np.random.Generator) -> Floats:
    """Rows that are uniform, certain, or have weights; half of the weights are 0."""
    legal = legal_rows(scenario, role)
    weights = np.where(legal, 1.0 if name == "untrained" else rng.exponential(size=legal.shape), 0)
    if name == "certain":
        weights = (weights == weights.max(axis=1, keepdims=True)) & legal
    if name == "weights":
        fewer = weights * (rng.random(legal.shape) < 0.5)
        weights = np.where(fewer.any(axis=1, keepdims=True), fewer, weights)
    found: Floats = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    return found


@pytest.mark.parametrize("name", ["untrained", "certain", "weights"])
@pytest.mark.parametrize("states", States)
@pytest.mark.parametrize("rate", [1.0, 0.9])
@pytest.mark.parametrize("table", SCENARIOS, ids=lambda table: str(table["prices"]))
def test_open_spiel_finds_the_same(
    table: dict[str, object], rate: float, states: States, name: str
) -> None:
    scenario = replace(Scenario.from_dict(table), states=states)
    rng = np.random.default_rng(len(name))
    policies = [
        TabularPolicy.of_probabilities(scenario, role, probabilities(scenario, role, name, rng))
        for role in Role
    ]
    totals = []
    for opener in Role:
        rules = Rules(scenario, opener, rate)
        chances = [scenario.chances(role).tolist() for role in Role]
        game = spiel_game(rules, chances)
        both = players(rules, game, policies)
        theirs = [exploitability.best_response(game, both, int(role)) for role in Role]
        gains = [best["nash_conv"] for best in theirs]
        fixed = replace(scenario, opener=Opener.of(opener))
        ours = nash_conv(fixed, policies[0], policies[1], rate)
        assert ours.exploitability == pytest.approx(tuple(gains), abs=1e-9)
        for role, best in zip(Role, theirs, strict=True):
            found = best_response(scenario, role, policies[role.other], rate).values[opener]
            assert found == pytest.approx(best["best_response_value"], abs=1e-9)
            assert ours.values[role] == pytest.approx(best["on_policy_value"], abs=1e-9)
        totals.append(sum(gains))
    ours = nash_conv(replace(scenario, opener=Opener.ALTERNATE), policies[0], policies[1], rate)
    assert ours.total == pytest.approx(np.mean(totals), abs=1e-9)
