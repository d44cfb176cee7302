"""The colours and the numbers of values, from 0 to the most that a role can earn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.theme import LEVELS


def most(scenario: Scenario) -> float:
    """Return the value of the longest bar and of the brightest colour, the same for both roles.

    It is the largest reward of a deal, with hidden limits at any of them; 1 without a deal.
    """
    game = scenario.origin
    rewards = (game.reward(role, price) for role in Role for price in game.zopa or ())
    largest = max(rewards, default=0.0)
    return largest if largest > 0 else 1.0


def levels(values: NDArray[np.float64], brightest: Any) -> NDArray[np.int64]:
    """Return the colour of each value, from 0 to LEVELS − 1."""
    shares = np.nan_to_num(np.asarray(values) / brightest)  # a quotient may be −∞
    return np.asarray(np.clip(shares * LEVELS, 0, LEVELS - 1).astype(np.int64))


def number(value: float, room: int = 4) -> str:
    """Write a value such as .61 or −.20, with fewer digits if there is little room."""
    for form in ("z.2f", "z.1f", "z.0f"):
        text = f"{value:{form}}".replace("-", "−")
        text = text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text
        if len(text) <= room:
            return text
    return "…"


def draw_scale(canvas: Canvas, y: int, x: int, largest: float | None) -> int:
    """Draw all colours from 0 to `largest`, None for the best of a row; return the next column."""
    text = "best"
    if largest is not None:
        text = next(text for form in (".2g", ".0e") if len(text := f"{largest:{form}}") < LEVELS)
    for level, character in enumerate(f"0{text:>{LEVELS - 1}}"):
        canvas.write(y, x + level, character, f"heat{level}")
    return x + LEVELS
