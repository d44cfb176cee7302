"""Words that every command shares which shows negotiations, and what they stand for."""

import argparse
from typing import TYPE_CHECKING

from negotiation_tui.configuration import ENTRIES, read
from negotiation_tui.tui.pace import NAMES
from negotiation_tui.tui.stage import add_look

if TYPE_CHECKING:
    from negotiation_tui.tui.watch import Begin


def add_screen(parser: argparse.ArgumentParser) -> None:
    """How the screen looks, and how it begins; what is not said is as the configuration says."""
    add, pace = parser.add_argument, ENTRIES["pace"]
    meaning = f"{pace.meaning}: {', '.join(NAMES)} ({pace.usual})"
    add("--pace", choices=NAMES, metavar="PACE", help=meaning)
    add_look(parser)
    for name in ("paused", "advice"):
        add(f"--{name}", action=argparse.BooleanOptionalAction, help=ENTRIES[name].meaning)


def begin_of(options: argparse.Namespace) -> "Begin":
    """How it begins; BadInputError for a configuration that cannot be used."""
    from negotiation_tui.tui.watch import Begin

    held = read()
    pace, paused, advice = (
        held.chosen(name, getattr(options, name)) for name in ("pace", "paused", "advice")
    )
    return Begin(NAMES.index(pace), paused, advice)
