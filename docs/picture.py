"""Draw the real screens as SVG: `python docs/picture.py`.

Trains with seed 7, draws a frame, and writes docs/screen-dark.svg and docs/screen-light.svg. Runs a
market of the same seed and writes docs/screen-market.svg.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.market.agents import population, with_teams
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.sessions.commands import Play, PlayCycle
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.market import model as market_model
from negotiation_tui.tui.market import render as market_render
from negotiation_tui.tui.market import update as market_update
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.transport import show
from negotiation_tui.tui.negotiation.update import update
from negotiation_tui.tui.negotiation.watch import Begin, first_model
from negotiation_tui.tui.toolkit.messages import Published
from negotiation_tui.tui.toolkit.svg import svg
from negotiation_tui.tui.toolkit.timeline import show_newest


def frame(cycles: int = 35, turns: int = 5) -> Model:
    """Return the screen in the middle of the first long negotiation after `cycles` cycles.

    That negotiation has `turns` + 2 turns; `turns` of them are shown.
    """
    session = TrainingSession(Scenario.original(), Parameters(), seed=7)
    model = first_model(session.snapshot, Begin(2, paused=False, advice=False), ascii_only=False)
    model = replace(model, width=120, height=36)
    for _ in range(cycles):
        session.handle(PlayCycle())
        session.idle()
    while True:
        session.handle(Play())
        session.idle()
        model = update(model, Published(session.snapshot))
        negotiation = session.snapshot.negotiation
        if negotiation and len(negotiation.transcript.turns) == turns + 2:
            model = show(model, turns)
            assert model.playback
            return replace(model, playback=model.playback.at(model.now + 9))


def market_frame(ticks: int = 2000, offers: int = 4) -> market_model.Model:
    """Return the screen of a market after `ticks` ticks and `offers` offers of the next."""
    rng = np.random.default_rng(7)
    agents = [
        *population(Role.SELLER, "seller", 10, [0, 1, 2], rng),
        *population(Role.BUYER, "buyer", 10, [5, 4, 3], rng),
    ]
    agents = with_teams(agents, {"family": ["seller-1", "buyer-1"]})
    limit = Limit.of("negotiations=40000")
    session = MarketSession(lambda: MarketSimulation(Scenario.original(), agents, limit, seed=7))
    _play(session, ticks)
    snapshot = session.snapshot
    model = market_update.start(
        market_model.Model(snapshot, snapshot, width=120, height=36, running=False)
    )
    _play(session, 1)
    model = market_update.update(model, Published(session.snapshot))
    return replace(show_newest(model, offers), now=model.now + 9)


def _play(session: MarketSession, ticks: int) -> None:
    session.handle(Play(ticks))
    while session.running:
        session.step()


def main() -> None:
    """Write the pictures into the folder of this file."""
    canvas = render(frame())
    pictures = {f"screen-{theme}": svg(canvas, theme) for theme in ("dark", "light")}
    pictures["screen-market"] = svg(market_render.render(market_frame()), "dark")
    for name, picture in pictures.items():
        path = Path(__file__).with_name(f"{name}.svg")
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
