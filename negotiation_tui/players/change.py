"""A change on the way of a run as text, such as `learning_rate=0.5`, and the moments of a run."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.resolve import player_from_spec, resolve_trusted, spec_of_player
from negotiation_tui.runtime.settings_text import text_of, values_of
from negotiation_tui.runtime.validate import parse_like, refusal

if TYPE_CHECKING:
    from negotiation_tui.learning.rewind import Change

TimedChange = tuple[int, "Change"]
"""A change on the way, after a number of episodes."""


def text_of_change(change: "Change") -> str:
    """Return the text from which `change_of` makes an equal change."""
    from negotiation_tui.learning.rewind import NewOpener, SeatChange

    match change:
        case SeatChange(role, occupant):
            return f"{role}={spec_of_player(occupant)}"
        case NewOpener(opener):
            return f"opener={opener}"
    return f"{change.name}={text_of(change.value)}"


def change_of(text: str, player: Callable[[str], Occupant] = player_from_spec) -> "Change":
    """Return the change of a text; `player` makes a player of its spec. Raises BadInputError."""
    from negotiation_tui.learning.rewind import NewOpener, NewSetting, SeatChange

    name, _, value = text.partition("=")
    if not (name and value):
        raise refusal("change", text, "such as learning_rate=0.5")
    for role in Role:
        if name == str(role):
            return SeatChange(role, player(value))
    if name == "opener":
        return NewOpener(Opener.of(value))
    return NewSetting(name, parse_like(name, value, values_of(Parameters()).get(name, 0.0)))


def trusted_player(spec: str) -> Occupant:
    """Return a player of this program. Raises BadInputError for one whose code is not of it."""
    resolve_trusted(spec)
    return player_from_spec(spec)


def moment_text(episode: int, per: int) -> str:
    """Return a moment as options name it: the cycle, and the game of the next one."""
    cycle, game = divmod(episode, per)
    return f"{cycle}:{game}" if game else f"{cycle}"
