"""The negotiation as an environment of PettingZoo (Terry et al. 2021), for other learners.

Its agents are `seller` and `buyer`, which act in turns (AEC). Importing this module registers
the environment as ENVIRONMENT_ID for `pettingzoo.make`. See docs/pettingzoo.md.
"""

import operator
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from negotiation_tui.errors import how_to_install
from negotiation_tui.game.limits import LimitStream
from negotiation_tui.game.negotiation import Observation, Transcript, observation_of, observe
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario, ScenarioLike
from negotiation_tui.runtime.validate import integer, one_of
from negotiation_tui.tui.widgets.price_bar import still

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, aec_registry, register
    from pettingzoo.utils import wrappers
except ImportError as error:
    needed = f"negotiation_tui.integrations.pettingzoo needs PettingZoo ({error})"
    raise ImportError(f"{needed}: {how_to_install('pettingzoo')}") from None

ENVIRONMENT_ID = "negotiation-tui/negotiation-v0"  # for `pettingzoo.make("aec", ...)`
ILLEGAL_REWARD = -1.0  # the opponent gets 0
RENDER_MODES = ("human", "ansi")


def env(scenario: ScenarioLike = "original", render_mode: str | None = None) -> Any:
    """Return the environment in PettingZoo's usual wrappers.

    `scenario` is a Scenario, a preset, the path of a TOML file or a mapping (docs/rules.md).
    `render_mode` is None, `ansi` (`render` returns the price bar as text) or `human` (the bar is
    printed at each turn). An illegal action ends the negotiation with ILLEGAL_REWARD. An action
    that does not exist and calls out of order fail an assertion.
    """
    raw = raw_env(scenario, render_mode)
    wrapped = wrappers.TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class NegotiationEnv(AECEnv):  # type: ignore[misc]
    """Negotiations one after the other; `transcript` is the present one.

    The agent whose turn it is observes its state, a row of its Q-table, and a mask of its legal
    actions; the other one the state of its last action, with an empty mask. At the end both observe
    the final state and get their reward, with time costs but without γ. `infos` has the `opener`
    and the `round`, from 1. With hidden limits an agent also observes the index of its own, and
    `infos` has both `limits` at the end. `render` shows what is known to all.
    """

    metadata = {  # noqa: RUF012 - as PettingZoo wants it
        "name": "negotiation_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(self, scenario: ScenarioLike = "original", render_mode: str | None = None) -> None:
        super().__init__()
        scenario = Scenario.of(scenario)
        if render_mode is not None:
            one_of("render_mode", render_mode, RENDER_MODES)
        self.scenario, self.render_mode = scenario, render_mode
        self.possible_agents = [str(role) for role in Role]
        self.agents: list[str] = []
        self.observation_spaces = {}
        for role in Role:
            mask = spaces.Box(0, 1, (scenario.n_actions,), np.int8)
            seen = {"observation": spaces.Discrete(scenario.n_states), "action_mask": mask}
            if scenario.hidden:
                seen["limit"] = spaces.Discrete(scenario.n_tables(role))
            self.observation_spaces[str(role)] = spaces.Dict(seen)
        actions = spaces.Discrete
        self.action_spaces = {name: actions(scenario.n_actions) for name in self.possible_agents}
        self._number = -1
        self._limits = LimitStream(scenario.limits, 0)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:  # noqa: ARG002 - there are no options
        """Start the next negotiation, or with a seed the negotiation of that number.

        If openers alternate, the seller opens negotiations of even number. Only hidden limits are
        random: a seed, at first 0, draws those of this and the next negotiations.
        """
        self._number = self._number + 1 if seed is None else integer("seed", seed, 0)
        if seed is not None:
            self._limits = LimitStream(self.scenario.limits, self._number)
        seller, buyer = self._limits.pairs(self._number, self._number + 1)[0].tolist()
        game = self.scenario.drawn(seller, buyer)
        self.transcript = Transcript(game, self.scenario.opener.role(self._number))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = str(self.transcript.opener)
        self._acted = dict.fromkeys(self.agents, START)
        self._inform()

    def observe(self, agent: str) -> Observation:
        position, role = self.transcript.position, Role.of(agent)
        game = self.transcript.scenario
        if position is None or self.terminations.get(agent, True):
            return observation_of(game, role, game.final_state)
        if position.role is role:
            return observe(position)
        return observation_of(game, role, self._acted[agent])

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Carry out the action of `agent_selection`; None after the end.

        Raises IllegalActionError for an action that the rules do not allow.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        played = -1 if action is None else operator.index(action)
        self.transcript = self.transcript.followed_by(played)
        self._acted[agent] = self.transcript.turns[-1].state
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.transcript.over:
            self.rewards = {name: self.transcript.reward(Role.of(name)) for name in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = str(Role.of(agent).other)
        self._inform()

    def render(self) -> str | None:
        if self.render_mode is None:
            from gymnasium import logger

            logger.warn("render() does nothing without a render_mode; use ansi or human")
            return None
        ansi = self.render_mode == "ansi"
        any_text = ansi or (sys.stdout.encoding or "").lower().startswith("utf")
        text = still(self.transcript, f"negotiation {self._number + 1:,}", not any_text).text()
        if ansi:
            return text
        sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """Do nothing, but PettingZoo demands it."""

    def _inform(self) -> None:
        """Update `infos`, and print the price bar if the mode is `human`."""
        position = self.transcript.position
        ply = len(self.transcript.turns) - (position is None)
        info: dict[str, Any] = {"opener": str(self.transcript.opener), "round": ply // 2 + 1}
        if self.scenario.hidden and position is None:
            info["limits"] = {str(role): self.transcript.scenario.limit(role) for role in Role}
        self.infos = {name: dict(info) for name in self.agents}
        if self.render_mode == "human":
            self.render()


raw_env = NegotiationEnv
"""The environment without wrappers; an illegal action raises IllegalActionError."""

if ENVIRONMENT_ID not in aec_registry:  # a module that is loaded again registers nothing twice
    register("aec", ENVIRONMENT_ID, f"{__name__}:env")
