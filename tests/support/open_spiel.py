"""Rules as a game of OpenSpiel (Lanctot et al. 2019), which judges players by code of its own."""

from collections.abc import Sequence
from typing import Any, Protocol

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario

pyspiel = pytest.importorskip("pyspiel")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
BaseGame: Any = pyspiel.Game
BaseState: Any = pyspiel.State
BasePolicy: Any = pytest.importorskip("open_spiel.python.policy").TabularPolicy


class SpielRules(Protocol):
    """The rules as functions of the actions so far, for one opener; the seller is player 0."""

    @property
    def scenario(self) -> Scenario: ...
    def over(self, actions: list[int]) -> bool: ...
    def mover(self, actions: list[int]) -> Role: ...
    def legal(self, actions: list[int]) -> list[int]: ...
    def returns(self, actions: list[int]) -> list[float]: ...


def spiel_game(  # noqa: C901 - their classes must see the rules
    rules: SpielRules, limits: Sequence[Sequence[float]] = ()
) -> Any:
    """The rules as a game of OpenSpiel.

    With the probabilities of the `limits` of both roles, chance draws these by the first two
    actions, and each role knows its own alone.
    """
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
