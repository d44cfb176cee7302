"""Names of players and actions on the two-agent screen."""

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.widgets.words import short


def player(snapshot: Snapshot, role: Role) -> str:
    """Return the name of the player in a seat, in capitals as in the title line."""
    if snapshot.score is not None and snapshot.score.role is role:
        return "YOU"
    spec = snapshot.strategies[role]
    return (short(spec) if spec else "learned").upper()


def action_words(position: Position, action: int) -> str:
    """Describe an action in a position: ask 4, offer 2, accept 3, quit."""
    scenario = position.scenario
    if action == scenario.walk_away:
        return "quit"
    if action == scenario.accept:
        return f"accept {position.standing_offer}"
    return f"{'ask' if position.role is Role.SELLER else 'offer'} {scenario.prices[action]}"


def moves(position: Position, actions: list[int], most: int) -> str:
    """Describe actions of equal value, at most `most` of them: accept 3 or ask 4/5, ask 4 to 9."""
    scenario = position.scenario
    closing = {
        scenario.accept: f"accept {position.standing_offer}",
        scenario.walk_away: "walk away",
    }
    words = [closing[action] for action in closing if action in actions]
    offers = sorted({action for action in actions if action not in closing})
    prices, room = [scenario.prices[offer] for offer in offers], most - len(words)
    more = "/…" if len(prices) > max(0, room) or len(words) > most else ""
    if prices and room > 0:
        named = "/".join(map(str, prices[:room]))
        if more and offers[-1] - offers[0] == len(offers) - 1:
            named, more = f"{prices[0]} to {prices[-1]}", ""
        words.append(f"{'ask' if position.role is Role.SELLER else 'offer'} {named}")
    return " or ".join(words[:most]) + more


def sit_does(role: Role) -> str:
    """Return what the key of `sit` does next while a person plays this role."""
    return "takes the seller's seat" if role is Role.BUYER else "leaves"
