"""Players and actions as the screen of two agents writes them."""

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.widgets.words import short


def player(snapshot: Snapshot, role: Role) -> str:
    """Who sits in a seat, in capitals as on the title line."""
    if snapshot.score is not None and snapshot.score.role is role:
        return "YOU"
    words = snapshot.strategies[role]
    return (short(words) if words else "learned").upper()


def action_words(position: Position, action: int) -> str:
    """An action in a position, as one would say it: ask 4, offer 2, accept 3, quit."""
    scenario = position.scenario
    if action == scenario.walk_away:
        return "quit"
    if action == scenario.accept:
        return f"accept {position.standing_offer}"
    return f"{'ask' if position.role is Role.SELLER else 'offer'} {scenario.prices[action]}"


def p_does(role: Role) -> str:
    """What the key of `sit` does next for a person who is this party."""
    return "takes the seller's seat" if role is Role.BUYER else "leaves"
