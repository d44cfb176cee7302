"""Draw the real screens as SVG: `python docs/picture.py`.

Tells the story of seed 6 up to one of its facts, and writes docs/screen-dark.svg and
docs/screen-light.svg. Runs a market of seed 7 and writes docs/screen-market.svg.
"""

from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.recipes import recipe
from negotiation_tui.market.agents import population, with_teams
from negotiation_tui.market.limit import Limit
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.sessions.commands import Play, PlayCycle, Tell
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.play_facts import NobodyGains
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.tui.market import model as market_model
from negotiation_tui.tui.market import render as market_render
from negotiation_tui.tui.market import update as market_update
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.pace import NAMES
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.negotiation.update import update
from negotiation_tui.tui.negotiation.watch import Begin, first_model
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.messages import Published
from negotiation_tui.tui.toolkit.theme import THEMES
from negotiation_tui.tui.toolkit.timeline import ALL, show_newest

CELL_WIDTH, CELL_HEIGHT, FONT = 8.43, 18, 14
GROUNDS = {"dark": ("#d0d0d0", "#16181d"), "light": ("#24292f", "#ffffff")}
_BASIC = [
    "#000000",
    "#cd3131",
    "#0dbc79",
    "#e5e510",
    "#2472c8",
    "#bc3fbc",
    "#11a8cd",
    "#e5e5e5",
    "#666666",
    "#f14c4c",
    "#23d18b",
    "#f5f543",
    "#3b8eea",
    "#d670d6",
    "#29b8db",
    "#ffffff",
]


def frame(shown: type[Fact] = NobodyGains) -> Model:
    """Return the screen of the story while it tells the first fact of a kind."""
    scenario = replace(Scenario.original(), states=States.OPENER_AWARE)
    session = TrainingSession(scenario, recipe("reverse-curriculum")(scenario), seed=6)
    told: list[Fact] = []
    while not told:
        session.handle(PlayCycle())
        session.idle()
        told = [fact for fact in session.snapshot.news if isinstance(fact, shown)]
    session.handle(Tell(told[0]))
    session.idle()
    begin = Begin(NAMES.index("story"), paused=False, advice=False)
    model = first_model(session.snapshot, begin, ascii_only=False)
    model = replace(model, width=120, height=36, reveal=ALL)
    return update(model, Published(session.snapshot))


def colour(number: int, default: str) -> str:
    """Return a colour of the xterm palette; `default` if the number is negative."""
    if number < 0:
        return default
    if number < 16:
        return _BASIC[number]
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return f"#{grey:02x}{grey:02x}{grey:02x}"
    levels = (0, 95, 135, 175, 215, 255)
    red, rest = divmod(number - 16, 36)
    green, blue = divmod(rest, 6)
    return f"#{levels[red]:02x}{levels[green]:02x}{levels[blue]:02x}"


def svg(canvas: Canvas, ground: str) -> str:
    """Return a canvas as SVG, on a dark or a light background."""
    text, back = GROUNDS[ground]
    width, height = canvas.width * CELL_WIDTH + 24, canvas.height * CELL_HEIGHT + 24
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
            f' font-family="ui-monospace,Menlo,Consolas,DejaVu Sans Mono,monospace"'
            f' font-size="{FONT}" xml:space="preserve">'
            "<style>text{white-space:pre}</style>"  # newer browsers obey only this
        ),
        f'<rect width="100%" height="100%" rx="8" fill="{back}"/>',
    ]
    for y in range(canvas.height):
        for x, run, style in canvas.spans(y):
            look = THEMES[ground][style].c256
            ink, paper = colour(look.foreground, text), colour(look.background, back)
            if "reverse" in look.attributes:
                ink, paper = paper, ink
            left, top = 12 + x * CELL_WIDTH, 12 + y * CELL_HEIGHT
            span = len(run) * CELL_WIDTH
            if paper != back:
                parts.append(
                    f'<rect x="{left:.1f}" y="{top}" width="{span:.1f}" height="{CELL_HEIGHT}"'
                    f' fill="{paper}"/>'
                )
            if run.strip():
                bold = ' font-weight="bold"' if "bold" in look.attributes else ""
                line = ' text-decoration="underline"' if "underline" in look.attributes else ""
                parts.append(
                    f'<text x="{left:.1f}" y="{top + FONT}" textLength="{span:.1f}"'
                    f' fill="{ink}"{bold}{line}>{escape(run)}</text>'
                )
    return "\n".join([*parts, "</svg>", ""])


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
    pictures = {f"screen-{ground}": svg(canvas, ground) for ground in GROUNDS}
    pictures["screen-market"] = svg(market_render.render(market_frame()), "dark")
    for name, picture in pictures.items():
        path = Path(__file__).with_name(f"{name}.svg")
        path.write_text(picture, encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
