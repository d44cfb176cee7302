"""Commands: the values that tell a session what to do."""

from typing import TYPE_CHECKING, dataclass_transform

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.story.fact import Fact

if TYPE_CHECKING:
    from negotiation_tui.learning.ancestry import Entry


@dataclass_transform(frozen_default=True)
class Command:
    """The base of all commands, each of which is a frozen dataclass."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


class Play(Command):
    """Play a number of negotiations, or ticks of a market, and stop."""

    negotiations: int = 1


class PlayCycle(Command):
    """Play to the end of the cycle and stop."""

    in_steps: bool = False  # True to carry out other commands meanwhile, as a run does


class PlayOn(Command):
    """Play until `Halt`."""

    per_second: float | None = None  # None for as many as possible


class Halt(Command):
    """Stop playing."""


class TakeSeats(Command):
    """Put strategies or learners in seats by their specs; None: the learner that sat there last.

    With an opener the new players play a negotiation at once.
    """

    seats: tuple[tuple[Role, str | None], ...]
    opener: Role | None = None


class SetOpener(Command):
    """Change who opens."""

    opener: Opener


class Extend(Command):
    """Let the training last some cycles more, even if it is finished."""

    cycles: int


class Set(Command):
    """Change a setting of the training, see `rewind.NewSetting`.

    With a moment of the past the run goes on from there, as if nothing had come after it.
    """

    name: str
    value: object
    moment: int | None = None


class GoTo(Command):
    """Show a moment of the training: a number of episodes, or of the games of a recording."""

    moment: int


class Explain(Command):
    """Trace an entry of a Q-table back to the negotiations that it comes from."""

    entry: "Entry"


class Test(Command):
    """Test the two players against each other, by the rules and as published.

    `then` is the snapshot of a past moment, whose players to test; None for the present ones.
    """

    __test__ = False
    then: Snapshot | None = None


class Sit(Command):
    """Let a person take a seat and begin a negotiation; None makes the person leave."""

    role: Role | None
    name: str = ""  # of the person; an empty one leaves the name as it is


class Act(Command):
    """Carry out an action of the person who plays; the opponent answers at once."""

    action: int
    said: str = ""  # words beside it


class WhatIf(Command):
    """Play a negotiation again with another action after `turns` turns; `then` is of its time."""

    then: Snapshot
    negotiation: Negotiation
    turns: int
    action: int


class Tell(Command):
    """Make a fact the caption, and play one negotiation that shows it, if it can by the plans."""

    fact: Fact


class Save(Command):
    """Write tables, the transcripts of `shown`, and texts by the endings of their files."""

    shown: tuple[Snapshot, ...] = ()
    screen: tuple[tuple[str, str], ...] = ()
    here: Snapshot | None = None  # the moment of the past on the screen; None for the present


class Follow(Command):
    """Show an agent of a market and its partner; agents are numbered from 0, sellers first."""

    agent: int


class Restart(Command):
    """Start again from the beginning, with the same seed."""
