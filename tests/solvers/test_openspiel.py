"""NashConv equals that of OpenSpiel (Lanctot et al. 2019), with and without hidden limits."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_rows
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.subgame_perfect import DISCOUNT

pyspiel = pytest.importorskip("pyspiel")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
BaseGame: Any = pyspiel.Game
BaseState: Any = pyspiel.State
BasePolicy: Any = pytest.importorskip("open_spiel.python.policy").TabularPolicy


def side(low: int, high: int, reservation: int | None = None) -> dict[str, object]:
    stated = {} if reservation is None else {"reservation": reservation}
    return {"min": low, "max": high, **stated}


# Prices, rounds, seller and buyer.
KNOWN = [
    ([1, 2], 1, side(1, 2), side(1, 2)),
    ([2, 3, 5, 9], 2, side(3, 9, 2), side(2, 5, 7)),
    ([1, 2, 3], 2, side(2, 3), side(1, 1)),  # apart
    ([1, 2, 3], 2, side(1, 3, 2), side(1, 2, 3)),  # losses
]
HIDDEN = [
    ([1, 2, 3], 2, {"limits": [0, 1], "weights": [2, 1]}, {"limits": [2, 3]}),
    ([1, 2], 2, {"limits": [0, 2]}, {"limits": [1, 2, 3]}),
    ([2, 4], 3, {"limits": [1, 4]}, side(0, 4)),
    ([1, 2, 3], 1, {"limits": [2, 3]}, {"limits": [1, 2]}),
]
KINDS = "untrained", "random", "ties", "weights"


@dataclass(frozen=True)
class Rules:
    """The rules as functions of the actions so far, for one opener; the seller is player 0.

    With hidden limits the first two actions are chance's, the limits of both roles.
    """

    scenario: Scenario
    opener: Role
    rate: float

    @property
    def chances(self) -> list[list[float]]:
        scenario = self.scenario
        return [scenario.chances(role).tolist() for role in Role] if scenario.hidden else []

    def moves(self, actions: list[int]) -> list[int]:
        """The actions of both roles."""
        return actions[len(self.chances) :]

    def mover(self, actions: list[int]) -> Role:
        return self.opener if len(self.moves(actions)) % 2 == 0 else self.opener.other

    def view(self, actions: list[int], role: Role) -> Scenario:
        return self.scenario.views[role][actions[role]] if self.scenario.hidden else self.scenario

    def over(self, actions: list[int]) -> bool:
        moves = self.moves(actions)
        return bool(moves) and moves[-1] >= self.scenario.n_prices

    def legal(self, actions: list[int]) -> list[int]:
        role, moves = self.mover(actions), self.moves(actions)
        offers = self.view(actions, role).offers(role)
        found = list(offers) if len(moves) < 2 * self.scenario.rounds - 1 else []
        if moves:
            found += [self.scenario.n_prices] if moves[-1] in offers else []
            found += [self.scenario.n_prices + 1]
        return found

    def returns(self, actions: list[int]) -> list[float]:
        moves = self.moves(actions)
        if not self.over(actions) or moves[-1] > self.scenario.n_prices:
            return [0.0, 0.0]
        price, n = self.scenario.prices[moves[-2]], len(moves)
        made = {self.opener: (n + 1) // 2, self.opener.other: n // 2}
        return [
            self.rate ** (made[role] - 1) * self.view(actions, role).reward(role, price)
            for role in Role
        ]

    def position(self, actions: list[int]) -> Position:
        """The position of the mover; own earlier offers do not matter to its table."""
        role, moves = self.mover(actions), self.moves(actions)
        price = self.scenario.prices[moves[-1]] if moves else None
        time, opened = max(0, len(moves) - 1) // 2, role is self.opener
        return Position(self.view(actions, role), role, time, None, price, opened)


def spiel_game(rules: Rules) -> Any:  # noqa: C901 - their classes must see the rules
    """The rules as a game of OpenSpiel; chance draws hidden limits by the first two actions."""
    limits = rules.chances
    chance, told = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    kind = pyspiel.GameType(
        short_name="negotiation",
        long_name="Negotiation",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if limits else chance.DETERMINISTIC,
        information=told.IMPERFECT_INFORMATION if limits else told.PERFECT_INFORMATION,
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
        max_chance_outcomes=max(map(len, limits), default=0),
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
            if len(self.actions) < len(limits):
                return int(pyspiel.PlayerId.CHANCE)
            over = self.is_terminal()
            return int(pyspiel.PlayerId.TERMINAL if over else rules.mover(self.actions))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return list(enumerate(limits[len(self.actions)]))

        def _legal_actions(self, player: int) -> list[int]:
            return rules.legal(self.actions)

        def _apply_action(self, action: int) -> None:
            self.actions.append(action)

        def returns(self) -> list[float]:
            return rules.returns(self.actions) if self.is_terminal() else [0.0, 0.0]

        def information_state_string(self, player: int | None = None) -> str:
            role = self.current_player() if player is None else player
            own, offers = self.actions[: len(limits)], self.actions[len(limits) :]
            return f"{role}, limit {own[role : role + 1]}: {offers}"

        def __str__(self) -> str:
            return f"{self.actions}"

    return Game(kind, info, {})


def players(rules: Rules, game: Any, policies: list[TabularPolicy]) -> Any:
    class Players(BasePolicy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, _player: Any = None) -> dict[int, float]:
            position = rules.position(state.actions)
            policy = policies[position.role]
            chances = policy.probabilities[policy.row(position)]
            return {action: float(chances[action]) for action in rules.legal(state.actions)}

    return Players(game, [0, 1])


def policy(scenario: Scenario, role: Role, kind: str) -> TabularPolicy:
    """A policy of a kind; of the weights some are 0."""
    rng = np.random.default_rng(len(kind) + scenario.n_prices + role)
    shape = scenario.n_rows(role), scenario.n_actions
    match kind:
        case "weights":
            legal = legal_rows(scenario, role)
            weights = np.where(legal, rng.exponential(size=shape), 0.0)
            fewer = weights * (rng.random(shape) < 0.5)
            weights = np.where(fewer.any(axis=1, keepdims=True), fewer, weights)
            dense = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
            return TabularPolicy.of_probabilities(scenario, role, dense)
        case "ties":
            return greedy(scenario, role, rng.integers(0, 2, shape) / 2)
    return greedy(
        scenario, role, np.zeros(shape) if kind == "untrained" else rng.normal(size=shape)
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("states", States)
@pytest.mark.parametrize("rate", [1.0, DISCOUNT])
@pytest.mark.parametrize("rules", [*KNOWN, *HIDDEN])
def test_open_spiel_finds_the_same(
    rules: tuple[list[int], int, dict[str, object], dict[str, object]],
    rate: float,
    states: States,
    kind: str,
) -> None:
    names = "prices", "rounds", "seller", "buyer"
    scenario = Scenario.from_dict({**dict(zip(names, rules, strict=True)), "states": states})
    (seller, buyer), totals = (policy(scenario, role, kind) for role in Role), []
    for opener in Role:
        played = Rules(scenario, opener, rate)
        game = spiel_game(played)
        both = players(played, game, [seller, buyer])
        # Their nash_conv is the sum of these gains, from best responses found once more.
        theirs = [exploitability.best_response(game, both, int(role)) for role in Role]
        gains = [best["nash_conv"] for best in theirs]
        ours = nash_conv(replace(scenario, opener=Opener.of(opener)), seller, buyer, rate)
        assert ours.total == pytest.approx(sum(gains), abs=1e-9)
        assert ours.exploitability == pytest.approx(tuple(gains), abs=1e-9)
        for role, best in zip(Role, theirs, strict=True):
            found = best_response(scenario, role, (seller, buyer)[role.other], rate).values[opener]
            assert found == pytest.approx(best["best_response_value"], abs=1e-9)
            assert ours.values[role] == pytest.approx(best["on_policy_value"], abs=1e-9)
        totals.append(sum(gains))
    ours = nash_conv(replace(scenario, opener=Opener.ALTERNATE), seller, buyer, rate)
    assert ours.total == pytest.approx(np.mean(totals), abs=1e-9)
