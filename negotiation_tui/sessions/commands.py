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

    in_steps: bool = False  # True to carry out other commands meanwhile, as a run does


@dataclass(frozen=True, slots=True)
class Run:
    """Play until `Halt`."""

    per_second: float | None = None  # None for as many as possible


@dataclass(frozen=True, slots=True)
class Halt:
    """Stop playing."""


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Put a strategy or a learner in a seat by its spec; None: the learner that sat there last."""

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
    """Show a moment of the training, by negotiations played; or go to a line of a recording."""

    moment: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a role's Q-table, as it was after a number of negotiations in training."""

    role: Role
    state: int
    action: int
    moment: int
    limit: int = 0  # the index of the role's hidden limit, of whose table it is


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
    """Play a negotiation again with another action after `turns` turns; `then` is of its time."""

    then: Snapshot
    negotiation: Negotiation
    turns: int
    action: int


@dataclass(frozen=True, slots=True)
class Tell:
    """Make a fact the caption, and play one negotiation that shows it, if it can by the plans."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Save:
    """Write tables, the transcripts of `shown`, and texts by the endings of their files."""

    shown: tuple[Snapshot, ...] = ()
    screen: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Follow:
    """Show an agent of a market and its partner; agents are numbered from 0, sellers first."""

    agent: int


@dataclass(frozen=True, slots=True)
class Restart:
    """Start again from the beginning, with the same seed."""


Playing = Play | Run | Halt | Restart | Save
Training = PlayCycle | TakeSeat | SetOpener | Extend | GoTo | Explain | Test
Command = Playing | Training | Tell | Sit | Act | WhatIf
MarketCommand = Playing | Follow
