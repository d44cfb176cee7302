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
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from tests.support.screen_loop import ScreenLoop

SCENARIO = Scenario.original()


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


def crowd(n: int, seller: str = "seller", buyer: str = "buyer") -> list[Agent]:
    """Return so many agents who learn, half of them sellers, with the beginnings of their names."""
    rng = np.random.default_rng(1)
    return [
        *population(Role.SELLER, seller, n // 2, [0, 1, 2], rng),
        *population(Role.BUYER, buyer, n - n // 2, [5, 4, 3], rng),
    ]


class Screen(ScreenLoop):
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
    ) -> None:
        traders = company() if agents is None else agents
        session = MarketSession(
            lambda: MarketSimulation(SCENARIO, traders, RunLength.of(limit), seed=7)
        )
        index, options = NAMES.index(pace), RenderOptions(ascii=ascii_only)
        model = Model(
            session.snapshot,
            running=not paused,
            pace_index=index,
            options=options,
            here=session.snapshot,
        )
        super().__init__(session, update, render, start(model))
        self.resize(width, height)

    def answer(self, most: int | None = None) -> "Screen":
        while self.model.commands:
            for command in self.model.commands:
                attempt(self.session, self.session.handle, command)
            while self.session.snapshot.status.handled < self.model.sent:
                self.session.step()
            self.model = replace(self.model, commands=())
            self._publish()
        return self

    def settle(self) -> "Screen":
        return self.tick(0.9, 0.9)

    def wait(self, seconds: float, frame: float = 0.05) -> "Screen":
        """Let the session work for one step per frame."""
        for _ in range(round(seconds / frame)):
            self.step().tick(frame, frame)
        return self
