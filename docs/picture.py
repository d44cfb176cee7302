"""Draw the real screens as SVG: `python docs/picture.py`.

Tells the story of a seed up to one of its facts, and writes docs/screen-dark.svg and
docs/screen-light.svg. Runs a market of seed 7 for docs/market-dark.svg and docs/market-light.svg.
Films the first half minute of the story, docs/film-dark.svg and docs/film-light.svg, and
docs/film-narrow-dark.svg and docs/film-narrow-light.svg for the screen of a telephone.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import recipe
from negotiation_tui.market.agents import population, with_teams
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.sessions.commands import Play, PlayCycle, Tell
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.market import model as market_model
from negotiation_tui.tui.market import render as market_render
from negotiation_tui.tui.market import update as market_update
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.pace import NAMES
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import start, update
from negotiation_tui.tui.negotiation.watch import SCREEN, Begin, first_model
from negotiation_tui.tui.toolkit.film import filmed
from negotiation_tui.tui.toolkit.messages import Published
from negotiation_tui.tui.toolkit.run_screen import Opened
from negotiation_tui.tui.toolkit.svg import svg
from negotiation_tui.tui.toolkit.timeline import show_newest


def frame(kind: str = "always_deal", offers: int = 3, seed: int = 21) -> Model:
    """Return the screen of the story after `offers` offers that show a fact of a kind.

    It is the first such fact about negotiations that the seller opens.
    """
    session = TrainingSession(story_of(seed))
    told: list[Fact] = []
    while not told:
        session.handle(PlayCycle())
        session.idle()
        news = [fact for fact in session.snapshot.story.news if fact.kind == kind]
        told = [fact for fact in news if fact.opener is Role.SELLER]
    session.handle(Tell(told[0]))
    session.idle()
    begin = Begin(NAMES.index("story"), paused=False, advice=False)
    model = first_model(session.snapshot, begin, ascii_only=False)
    model = replace(model, width=120, height=36, animation=False)
    return show_newest(update(model, Published(session.snapshot)), offers)


def market_frame(ticks: int = 2000, offers: int = 4) -> market_model.Model:
    """Return the screen of a market after `ticks` ticks and `offers` offers of the next."""
    rng = np.random.default_rng(7)
    agents = [
        *population(Role.SELLER, "seller", 10, [0, 1, 2], rng),
        *population(Role.BUYER, "buyer", 10, [5, 4, 3], rng),
    ]
    agents = with_teams(agents, {"family": ["seller-1", "buyer-1"]})
    limit = RunLength.of("negotiations=40000")
    session = MarketSession(lambda: MarketSimulation(Scenario.original(), agents, limit, seed=7))
    _play(session, ticks)
    snapshot = session.snapshot
    model = market_update.start(market_model.Model(snapshot, width=120, height=36, running=False))
    _play(session, 1)
    model = market_update.update(model, Published(session.snapshot))
    return replace(show_newest(model, offers), now=model.now + 9)


def _play(session: MarketSession, ticks: int) -> None:
    session.handle(Play(ticks))
    while session.running:
        session.step()


def story(theme: str, size: tuple[int, int], seconds: float = 30.0, seed: int = 7) -> str:
    """Return the beginning of the story as a film of `size` cells."""
    session = TrainingSession(story_of(seed))
    begin = Begin(NAMES.index("story"), paused=False, advice=False)
    model = replace(first_model(session.snapshot, begin), theme=theme)
    return filmed(Opened(session, SCREEN, start(model)), size, seconds, fps=15)


def story_of(seed: int) -> Run:
    """Return the training of the bare command."""
    scenario = replace(Scenario.original(), states=States.OPENER_AWARE)
    return Run(scenario, recipe("reverse-curriculum")(scenario), seed=seed)


def main() -> None:
    """Write the pictures into the folder of this file."""
    screen, market = render(frame()), market_render.render(market_frame())
    pictures = {}
    for theme in ("dark", "light"):
        pictures |= {
            f"screen-{theme}": svg(screen, theme),
            f"market-{theme}": svg(market, theme),
            f"film-{theme}": story(theme, (100, 30)),
            f"film-narrow-{theme}": story(theme, (44, 30)),
        }
    for name, picture in pictures.items():
        path = Path(__file__).with_name(f"{name}.svg")
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    run(main)
