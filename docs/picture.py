"""Draw the real screens as SVG: `python docs/picture.py`.

Films the whole story at SPEED times its pace, docs/film-dark.svg and docs/film-light.svg, and
docs/film-narrow-dark.svg and docs/film-narrow-light.svg for the screen of a telephone. The last
frame on a larger screen is docs/screen-dark.svg and docs/screen-light.svg. Runs a market of seed 7
for docs/market-dark.svg and docs/market-light.svg, and a sweep for docs/sweep-dark.svg and
docs/sweep-light.svg.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from negotiation_tui.experiments.sweep import Sweep
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import recipe
from negotiation_tui.market.agents import population, with_teams
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.sessions.commands import Play
from negotiation_tui.sessions.contest_session import ContestSnapshot
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.market import model as market_model
from negotiation_tui.tui.market import render as market_render
from negotiation_tui.tui.market import update as market_update
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.pace import NAMES
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import start, update
from negotiation_tui.tui.negotiation.watch import Begin, first_model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.film import filmed
from negotiation_tui.tui.toolkit.messages import Message, Published, Tick
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, Screen
from negotiation_tui.tui.toolkit.svg import svg
from negotiation_tui.tui.toolkit.timeline import show_newest
from negotiation_tui.tui.tournament import model as contest
from negotiation_tui.tui.tournament import render as contest_render
from negotiation_tui.tui.tournament.update import new_model

SEED, SECONDS, SPEED, FPS = 7, 186.0, 3.0, 5


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
    model = market_model.Model(snapshot, here=snapshot, width=120, height=36, running=False)
    model = market_update.start(model)
    _play(session, 1)
    model = market_update.update(model, Published(session.snapshot))
    return replace(show_newest(model, offers), now=model.now + 9)


def _play(session: MarketSession, ticks: int) -> None:
    session.handle(Play(ticks))
    while session.running:
        session.step()


def sweep_frame() -> contest.Model:
    """Return the sweep of docs/league.md when it is done, the usual values chosen."""
    values = {"recipe": ["corrected"], "states": ["opener-aware"], "cycles": ["400"]}
    values |= {"learning_rate": ["0.02", "0.1", "0.3", "1"]}
    values |= {"exploration_end": ["0.01", "0.1", "0.5", "1"]}
    sweep = Sweep.of(Scenario.original(), values, 12, 0)
    done = ContestSnapshot(sweep, sweep.rows(), numbers=tuple(range(len(sweep.jobs))))
    return new_model(done, running=False, picked=(1, 0), width=100, height=30)


def story(theme: str, size: tuple[int, int]) -> tuple[str, Canvas]:
    """Return the story as a film of `size` cells, and its last frame."""
    session, shown = TrainingSession(story_of(SEED)), []

    def tell(model: Model, message: Message) -> Model:
        faster = Tick(message.now * SPEED) if isinstance(message, Tick) else message
        return update(model, faster)

    def draw(model: Model, canvas: Canvas) -> Canvas:
        shown.append(render(model, canvas))
        return shown[-1]

    begin = Begin(NAMES.index("story"), paused=False, advice=False)
    options = RenderOptions(theme=theme, fps=FPS)
    model = first_model(session.snapshot, begin).drawn_with(options)
    film = filmed(Opened(session, Screen(tell, draw), start(model)), size, SECONDS / SPEED)
    return film, shown[-1]


def story_of(seed: int) -> Run:
    """Return the training of the bare command."""
    scenario = replace(Scenario.original(), states=States.OPENER_AWARE)
    return Run(scenario, recipe("reverse-curriculum")(scenario), seed=seed)


def main() -> None:
    """Write the pictures into the folder of this file."""
    (_, screen), market = story("dark", (120, 36)), market_render.render(market_frame())
    sweep, pictures = contest_render.render(sweep_frame()), dict[str, str]()
    for theme in ("dark", "light"):
        pictures |= {
            f"screen-{theme}": svg(screen, theme),
            f"market-{theme}": svg(market, theme),
            f"sweep-{theme}": svg(sweep, theme),
            f"film-{theme}": story(theme, (100, 30))[0],
            f"film-narrow-{theme}": story(theme, (44, 30))[0],
        }
    for name, picture in pictures.items():
        path = Path(__file__).with_name(f"{name}.svg")
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    run(main)
