"""NashConv with hidden limits equals that of OpenSpiel for the game of imperfect information."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.legal_actions import legal_rows
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.solvers.beliefs import prior
from negotiation_tui.solvers.best_response import nash_conv, response

pyspiel = pytest.importorskip("pyspiel")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
BaseGame: Any = pyspiel.Game
BaseState: Any = pyspiel.State
BasePolicy: Any = pytest.importorskip("open_spiel.python.policy").TabularPolicy
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

    def returns(self, actions: list[int]) -> list[float]:
        if actions[-1] > self.scenario.n_prices:
            return [0.0, 0.0]
        price, n = self.scenario.prices[actions[-2]], len(actions) - 2
        made = {self.opener: (n + 1) // 2, self.opener.other: n // 2}
        return [
            self.rate ** (made[role] - 1) * self.view(actions, role).reward(role, price)
            for role in Role
        ]


def spiel_game(rules: Rules) -> Any:  # noqa: C901 - their classes must see the rules
    """The rules as a game of OpenSpiel."""
    kind = pyspiel.GameType(
        short_name="limits",
        long_name="Negotiation with hidden limits",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=rules.scenario.n_actions,
        max_chance_outcomes=max(map(rules.scenario.n_tables, Role)),
        num_players=2,
        min_utility=-10.0,
        max_utility=10.0,
        max_game_length=2 * rules.scenario.rounds,
    )

    class Game(BaseGame):  # type: ignore[misc]
        def new_initial_state(self) -> Any:
            return State(self)

    class State(BaseState):  # type: ignore[misc]
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.actions: list[int] = []

        def is_terminal(self) -> bool:
            return rules.over(self.actions)

        def current_player(self) -> int:
            if len(self.actions) < 2:
                return int(pyspiel.PlayerId.CHANCE)
            over = self.is_terminal()
            return int(pyspiel.PlayerId.TERMINAL if over else rules.mover(self.actions))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            chances = prior(rules.scenario, Role(len(self.actions))).chances
            return list(enumerate(chances.tolist()))

        def _legal_actions(self, player: int) -> list[int]:
            return list(rules.position(self.actions).legal)

        def _apply_action(self, action: int) -> None:
            self.actions.append(action)

        def returns(self) -> list[float]:
            return rules.returns(self.actions) if self.is_terminal() else [0.0, 0.0]

        def information_state_string(self, player: int | None = None) -> str:
            role = self.current_player() if player is None else player
            return f"{role} of limit {self.actions[role]}: {self.actions[2:]}"

        def __str__(self) -> str:
            return f"{self.actions}"

    return Game(kind, info, {})


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
        game = spiel_game(rules)
        both = players(rules, game, policies)
        theirs = [exploitability.best_response(game, both, int(role)) for role in Role]
        gains = [best["nash_conv"] for best in theirs]
        fixed = replace(scenario, opener=Opener.of(opener))
        ours = nash_conv(fixed, policies[0], policies[1], rate)
        assert ours.exploitability == pytest.approx(tuple(gains), abs=1e-9)
        for role, best in zip(Role, theirs, strict=True):
            found = response(scenario, role, policies[role.other], rate).values[opener]
            assert found == pytest.approx(best["best_response_value"], abs=1e-9)
            assert ours.values[role] == pytest.approx(best["on_policy_value"], abs=1e-9)
        totals.append(sum(gains))
    ours = nash_conv(replace(scenario, opener=Opener.ALTERNATE), policies[0], policies[1], rate)
    assert ours.total == pytest.approx(np.mean(totals), abs=1e-9)
