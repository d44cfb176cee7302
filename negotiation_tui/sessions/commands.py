"""Commands: the values that tell a session what to do."""

from dataclasses import dataclass

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.story.fact import Fact


@dataclass(frozen=True, slots=True)
class Play:
    """Play a number of negotiations, or ticks of a market, and stop."""

    negotiations: int = 1


@dataclass(frozen=True, slots=True)
class PlayCycle:
    """Play to the end of the cycle and stop."""


@dataclass(frozen=True, slots=True)
class Run:
    """Play until `Halt`."""

    per_second: float | None = None
    """Negotiations, or ticks, per second; None for as many as possible."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Stop playing."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Put a strategy or a learner, given by its spec, in a seat.

    None puts the learner there that sat there last.
    """

    role: Role
    strategy: str | None


@dataclass(frozen=True, slots=True)
class SetOpener:
    """Change who opens."""

    opener: Opener


@dataclass(frozen=True, slots=True)
class Extend:
    """Let the training last some cycles more, even if it is finished."""

    cycles: int


@dataclass(frozen=True, slots=True)
class GoTo:
    """Show an earlier moment of the training, which stays as far as it is; or go in a recording."""

    moment: int
    """Number of negotiations played by then; in a recording, number of lines."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a role's Q-table, as it was after a number of negotiations in training."""

    role: Role
    state: int
    action: int
    moment: int
    limit: int = 0
    """The index of the role's hidden limit, of whose table it is."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Trace an entry of a Q-table back to the negotiations that it comes from."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Test:
    """Test the two players against each other, by the rules and as published."""

    __test__ = False


@dataclass(frozen=True, slots=True)
class Sit:
    """Let a person take a seat and begin a negotiation; None makes the person leave."""

    role: Role | None


@dataclass(frozen=True, slots=True)
class Act:
    """Carry out an action of the person who plays; the opponent answers at once."""

    action: int


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Play an earlier negotiation again from one of its turns, with another action."""

    then: Snapshot
    """The snapshot of that time, with the players and their Q-tables."""
    negotiation: Negotiation
    turns: int
    """Number of turns before the other action."""
    action: int


@dataclass(frozen=True, slots=True)
class Tell:
    """Make a fact the caption, and play one negotiation that shows it.

    Both play by their present plans, without learning, unless the fact is about the training.
    """

    fact: Fact


@dataclass(frozen=True, slots=True)
class Save:
    """Write tables and the transcripts of `shown` to new files in the working directory.

    `screen` is written beside them: pairs of the ending of a file and its text.
    """

    shown: tuple[Snapshot, ...] = ()
    screen: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Follow:
    """Show an agent of a market and its partner; agents are numbered from 0, sellers first."""

    agent: int


@dataclass(frozen=True, slots=True)
class Restart:
    """Start again from the beginning, with the same seed."""


Playing = Play | Run | Halt | Restart
Training = PlayCycle | TakeSeat | SetOpener | Extend | GoTo | Explain | Test
Command = Playing | Training | Tell | Sit | Act | WhatIf | Save
MarketCommand = Playing | Follow | Save
