"""Numbers and names as all screens write them."""

import re
from pathlib import PurePath

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.negmas_player import names_one
from negotiation_tui.tui.toolkit.keys import Keys


def signed(amount: int) -> str:
    """A sum of money with its sign."""
    return f"{amount:+,}".replace("-", "−") if amount else "0"


def count(number: int) -> str:
    """A number of things."""
    return f"{number:,}"


def rate(per_second: float) -> str:
    """Negotiations per second, in three figures."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if per_second >= size:
            return f"{per_second / size:.3g} {unit} negotiations/s"
    return f"{per_second:.0f} negotiations/s"


def game(scenario: Scenario) -> str:
    """A scenario in short: name, prices × rounds, and a word if states are seated."""
    seated = " seated" if scenario.opener_aware else ""
    return f"{scenario.name} {scenario.n_prices}×{scenario.rounds}{seated}"


def short(words: str) -> str:
    """A strategy in few letters: the stem of a file's name, the class of a NegMAS negotiator."""
    if names_one(words):
        return re.split("[:.]", words)[-1]
    file = re.fullmatch(r"(.+?)\.(?:npz|py)(::\w+)?(:.*)?", words)
    return words if file is None else f"{PurePath(file[1]).name}{file[3] or ''}"


def before_first(keys: Keys, running: bool) -> str:
    """The announcement where no negotiation was shown yet."""
    return "the first negotiation is about to begin" if running else f"press {keys['run']} to begin"
