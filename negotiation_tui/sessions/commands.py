"""Commands: the values that tell a session what to do."""

from dataclasses import dataclass

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot


@dataclass(frozen=True, slots=True)
class Play:
    """Play so many negotiations, or ticks of a market, and stop."""

    negotiations: int = 1


@dataclass(frozen=True, slots=True)
class PlayCycle:
    """Play to the end of the cycle and stop."""


@dataclass(frozen=True, slots=True)
class Run:
    """Play on until `Halt`: so many negotiations, or ticks, a second, or flat out."""

    per_second: float | None = None


@dataclass(frozen=True, slots=True)
class Halt:
    """Stop playing on."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Put the strategy that these words describe in a seat, or its learner (None)."""

    role: Role
    strategy: str | None


@dataclass(frozen=True, slots=True)
class SetOpener:
    """Change who opens."""

    opener: Opener


@dataclass(frozen=True, slots=True)
class Test:
    """Test the seats against each other, by the rules and as published."""

    __test__ = False


@dataclass(frozen=True, slots=True)
class Sit:
    """Have a person take a seat and begin a negotiation; None: the person leaves."""

    role: Role | None


@dataclass(frozen=True, slots=True)
class Act:
    """What the person at the table does; the answer comes at once."""

    action: int


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Play on from a moment of the past, but with another action."""

    then: Snapshot
    """What the seats knew at that moment."""
    negotiation: Negotiation
    turns: int
    """How many of its turns are kept."""
    action: int


@dataclass(frozen=True, slots=True)
class Save:
    """Write the tables and these transcripts to new files in the working directory."""

    shown: tuple[Snapshot, ...] = ()


@dataclass(frozen=True, slots=True)
class Follow:
    """Show an agent of a market and whoever it talks to, by its number, sellers first."""

    agent: int


@dataclass(frozen=True, slots=True)
class Restart:
    """Begin the same training anew, from the same seed."""


Playing = Play | Run | Halt | Restart
Command = Playing | PlayCycle | TakeSeat | SetOpener | Test | Sit | Act | WhatIf | Save
MarketCommand = Playing | Follow | Save
