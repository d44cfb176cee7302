"""Values from 0 to the most that a role can earn: their colours, numbers and bars."""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.text import first_fitting
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.theme import LEVELS
from negotiation_tui.tui.widgets.words import VERBS, percent


@lru_cache(maxsize=8)
def most(scenario: Scenario) -> float:
    """Return the largest reward of a deal: the value of the brightest colour; 1 without a deal."""
    game = scenario.origin
    rewards = (game.reward(role, price) for role in Role for price in game.zopa or ())
    largest = max(rewards, default=0.0)
    return largest if largest > 0 else 1.0


def levels(values: NDArray[np.float64], brightest: Any) -> NDArray[np.int64]:
    """Return the colour of each value, from 0 to LEVELS − 1."""
    shares = np.nan_to_num(np.asarray(values) / brightest)  # a quotient may be −∞
    return np.asarray(np.clip(shares * LEVELS, 0, LEVELS - 1).astype(np.int64))


def deal_values(
    game: Scenario, role: Role, states: Any, actions: Any, opened: bool
) -> NDArray[np.float64]:
    """Return what actions earn in states if each ends in a deal: an offer that is taken."""
    rewards, accepts = np.array([game.reward(role, price) for price in game.prices]), game.accept
    time, offered = np.divmod(np.maximum(states - 1, 0), game.n_prices)
    at = np.where(actions == accepts, offered, np.minimum(actions, game.n_prices - 1))
    # The number of the offer on the table; the role's own offer is the next one.
    number = np.where(states == START, -1, 2 * (time % game.rounds) + opened)
    number = np.minimum(number + (actions != accepts), 2 * game.rounds - 1)
    left = np.array(game.time_factors[role])[number]
    return np.where(actions == game.walk_away, 0.0, rewards[at] * left)


def in_coins(game: Scenario, value: float) -> str:
    """Write a value in the money of the price, such as 4.0 or −0.8, in at most 4 characters."""
    amount = value * game.origin.width
    texts = (f"{amount:{form}}".replace("-", "−") for form in ("z.1f", "z.0f"))
    return first_fitting(texts, 4, "…")


def value_text(value: float, room: int) -> str:
    """Write a value such as .61 or −.20, with fewer digits if there is little room."""
    for form in ("z.2f", "z.1f", "z.0f"):
        text = f"{value:{form}}".replace("-", "−")
        text = text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text
        if len(text) <= room:
            return text
    return "…"


def draw_colours(canvas: Canvas, y: int, x: int, largest: float | None) -> int:
    """Draw all colours from 0 to `largest`, None for the best of a row; return the next column."""
    text = "best"
    if largest is not None:
        forms = ("g", ".2g", ".0e")
        text = next(text for form in forms if len(text := f"{largest:{form}}") < LEVELS)
    for level, character in enumerate(f"0{text:>{LEVELS - 1}}"):
        canvas.write(y, x + level, character, f"heat{level}")
    return x + LEVELS


MOST_OFFERS = 6  # offers that have a bar: the best ones, if there are more
_NARROW, _SHORT = 17, 28
"""Columns of a bar with its texts: the fewest, and the fewest with room for `walk away`."""
_NUMBER, _CHANCE = 4, 6
"""Columns of a value or of a chance after its bar, with a blank between them."""
_PARTS = " ▏▎▍▌▋▊▉"  # parts of a cell, in eighths


@dataclass(frozen=True, eq=False, slots=True)
class ActionBars:
    """The legal actions of a role in a state, and their values or chances."""

    scenario: Scenario
    role: Role
    actions: list[int]
    row: NDArray[np.float64]  # a number for each action of the scenario
    chosen: Collection[int]
    chances: bool = False


def line_counts(scenario: Scenario, role: Role, width: int) -> list[int]:
    """Return the lines that the bars of any state fill: in one column, in two, and so on."""
    number = min(MOST_OFFERS, len(scenario.offers(role))) + 2
    return [-(-number // columns) for columns in range(1, max(1, min(4, width // _NARROW)) + 1)]


def draw_action_bars(canvas: Canvas, bars: ActionBars) -> int:
    """Draw the best actions that fit, in the order of their prices; return how many do not."""
    counts = line_counts(bars.scenario, bars.role, canvas.width)
    fitting = (n for n, lines in enumerate(counts, 1) if lines <= canvas.height)
    columns = next(fitting, len(counts))
    each, places = canvas.width // columns, max(1, columns * canvas.height)
    ends = [action for action in bars.actions if action >= bars.scenario.accept]
    offers = [action for action in bars.actions if action < bars.scenario.accept]
    offers.sort(key=lambda action: (action not in bars.chosen, -float(bars.row[action])))
    some = offers[: min(MOST_OFFERS, max(1, columns * canvas.height - len(ends)))]
    shown = [*sorted(some), *ends][:places]
    verb, accept = VERBS[bars.role].removesuffix("s"), bars.scenario.accept
    closing = {accept: "accept", accept + 1: "walk" if each < _SHORT else "walk away"}
    prices = bars.scenario.prices
    labels = [closing.get(action) or f"{verb} {prices[action]}" for action in shown]
    every = *closing.values(), *(f"offer {price}" for price in (prices[0], prices[-1]))
    longest = max(map(len, every))  # the same for both roles and in all states
    scale = 1.0 if bars.chances else most(bars.scenario)
    colours = levels(bars.row, scale)
    room = max(1, each - longest - (_CHANCE if bars.chances else _NUMBER) - 3)
    for n, (action, label) in enumerate(zip(shown, labels, strict=True)):
        y, x, value = n // columns, n % columns * each, float(bars.row[action])
        text = percent(value) if bars.chances else in_coins(bars.scenario, value)
        eighths = round(8 * room * min(1.0, max(0.0, value / scale)))
        bar = "█" * (eighths // 8) + _PARTS[eighths % 8].strip()
        chosen = action in bars.chosen
        canvas.write(y, x, "▸" * chosen, "bold")
        canvas.write(y, x + 1, f"{label:<{longest}}", "bold" if chosen else "normal")
        canvas.write(y, x + 2 + longest, bar or "▏", f"sign{colours[action]}")
        end = x + 3 + longest + len(bar or "▏")
        canvas.write(y, end, text, "bold" if chosen else "normal")
    return len(bars.actions) - len(shown)
