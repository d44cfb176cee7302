"""How numbers and names are written, the same everywhere."""

import re
from pathlib import PurePath

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.negmas_player import names_one
from negotiation_tui.sessions.snapshot import Snapshot


def signed(amount: int) -> str:
    """A sum of money with its sign."""
    return f"{amount:+,}".replace("-", "−") if amount else "0"


def count(number: int) -> str:
    """A number of things."""
    return f"{number:,}"


def rate(per_second: float) -> str:
    """Negotiations a second in three figures."""
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if per_second >= size:
            return f"{per_second / size:.3g} {unit} negotiations/s"
    return f"{per_second:.0f} negotiations/s"


def game(scenario: Scenario) -> str:
    """Which negotiations, in short: name, prices × rounds, and whether states are seated."""
    seated = " seated" if scenario.seated else ""
    return f"{scenario.name} {scenario.n_prices}×{scenario.rounds}{seated}"


def player(snapshot: Snapshot, role: Role) -> str:
    """Who sits in a seat, in capitals as on the title line."""
    if snapshot.score is not None and snapshot.score.role is role:
        return "YOU"
    words = snapshot.strategies[role]
    return (short(words) if words else "learned").upper()


def short(words: str) -> str:
    """The words of a strategy where there is little room: of a file its stem, of NegMAS a class."""
    if names_one(words):
        return re.split("[:.]", words)[-1]
    file = re.fullmatch(r"(.+?)\.(?:npz|py)(::\w+)?(:.*)?", words)
    return words if file is None else f"{PurePath(file[1]).name}{file[3] or ''}"


def action_words(position: Position, action: int) -> str:
    """An action in a position, as one would say it: ask 4, offer 2, accept 3, quit."""
    scenario = position.scenario
    if action == scenario.reject:
        return "quit"
    if action == scenario.accept:
        return f"accept {position.on_table}"
    return f"{'ask' if position.role is Role.SELLER else 'offer'} {scenario.prices[action]}"


def p_does(role: Role) -> str:
    """What the key of `sit` does next for a person who is this party."""
    return "takes the seller's seat" if role is Role.BUYER else "leaves"
