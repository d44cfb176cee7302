"""The market screen, driven one message at a time on a clock of its own."""

from dataclasses import replace

import numpy as np

from negotiation_tui import Role, Scenario
from negotiation_tui.market.agents import Agent, population, with_teams
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.session import attempt
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.pace import NAMES
from negotiation_tui.tui.market.render import render
from negotiation_tui.tui.market.update import start, update
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Published, Tick

SCENARIO = Scenario.original()
LONG = 5.0


def company() -> list[Agent]:
    """Return six sellers and eight buyers, some of them static, some in teams."""
    rng = np.random.default_rng(0)
    agents = [
        *population(Role.SELLER, "seller", 5, [0, 1, 2], rng),
        *population(Role.SELLER, "stall", 1, 1, rng, "boulware"),
        *population(Role.BUYER, "buyer", 6, [5, 4, 3], rng),
        *population(Role.BUYER, "guest", 2, 4, rng, "zero-intelligence"),
    ]
    return with_teams(agents, {"red": ["seller-1", "seller-2"], "mixed": ["seller-3", "buyer-1"]})


def schools() -> list[Agent]:
    """Return sellers and buyers who learn in different ways, plain Q-learning and chances too."""
    rng = np.random.default_rng(0)
    kinds = {
        Role.SELLER: {"ann": "learned:sarsa", "bob": "learned:roth-erev", "cy": "learned"},
        Role.BUYER: {"xi": "learned:wolf-phc:delta_win=0.02", "yo": "learned:boltzmann"},
    }
    return [
        agent
        for role in Role
        for name, kind in kinds[role].items()
        for agent in population(role, name, 6 // len(kinds[role]), [role * 5], rng, kind)
    ]


class Screen:
    """The market screen without a terminal: the test sends the messages and sets the clock."""

    def __init__(
        self,
        width: int = 120,
        height: int = 36,
        limit: str = "negotiations=600",
        agents: list[Agent] | None = None,
        paused: bool = True,
        pace: str = "4",
        ascii_only: bool = False,
        seed: int = 7,
    ) -> None:
        traders = company() if agents is None else agents
        self.runner = MarketSession(
            lambda: MarketSimulation(SCENARIO, traders, RunLength.of(limit), seed)
        )
        snapshot = self.runner.snapshot
        self.now = 0.0
        self.model = start(
            Model(
                latest=snapshot,
                width=width,
                height=height,
                running=not paused,
                pace_index=NAMES.index(pace),
                ascii=ascii_only,
            )
        )
        self.answer()

    def send(self, message: Message) -> None:
        self.model = update(self.model, message)
        self.answer()

    def answer(self) -> None:
        """Let the market carry out the commands of the screen."""
        while self.model.commands:
            for command in self.model.commands:
                attempt(self.runner, self.runner.handle, command)
            while self.runner.snapshot.handled < self.model.sent:
                self.runner.step()
            self.model = replace(self.model, commands=())
            self.model = update(self.model, Published(self.runner.snapshot))

    def press(self, *keys: str) -> "Screen":
        for key in keys:
            self.now += 0.01
            self.send(KeyPressed(key, self.now))
        return self

    def wait(self, seconds: float, frame: float = 0.05) -> "Screen":
        for _ in range(round(seconds / frame)):
            self.now += frame
            if self.runner.running:
                self.runner.step()
                if self.runner.snapshot is not self.model.latest:
                    self.send(Published(self.runner.snapshot))
            self.send(Tick(self.now))
        return self

    def settle(self) -> Model:
        self.now += LONG
        self.send(Tick(self.model.now + 0.9))
        return self.model

    @property
    def text(self) -> str:
        return render(self.settle()).text()


def crowd(n: int) -> list[Agent]:
    rng = np.random.default_rng(1)
    return [
        *population(Role.SELLER, "seller", n // 2, [0, 1, 2], rng),
        *population(Role.BUYER, "buyer", n - n // 2, [5, 4, 3], rng),
    ]
