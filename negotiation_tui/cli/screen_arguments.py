"""Words that every command shares which shows negotiations, and what they stand for."""

import argparse
from typing import TYPE_CHECKING

from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.negotiation.pace import NAMES
from negotiation_tui.tui.toolkit.run_screen import RenderOptions

if TYPE_CHECKING:
    from negotiation_tui.tui.negotiation.watch import Begin
from typing import TYPE_CHECKING, TypeVar

from negotiation_tui.cli.arguments import frames_a_second

if TYPE_CHECKING:
    from negotiation_tui.tui.toolkit.app import ScreenModel

    M = TypeVar("M", bound=ScreenModel)


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
    from negotiation_tui.tui.negotiation.watch import Begin

    held = read()
    pace, paused, advice = (
        held.chosen(name, getattr(options, name)) for name in ("pace", "paused", "advice")
    )
    return Begin(NAMES.index(pace), paused, advice)


def add_look(parser: argparse.ArgumentParser) -> None:
    """The words for it; what is not said is as the configuration says."""
    add = parser.add_argument
    for name in ("theme", "color"):
        entry = ENTRIES[name]
        add(f"--{name}", choices=entry.choices, help=f"{entry.meaning} ({entry.usual})")
    for name in ("animation", "ascii"):
        add(f"--{name}", action=argparse.BooleanOptionalAction, help=ENTRIES[name].meaning)
    fps = ENTRIES["fps"]
    add("--fps", type=frames_a_second, help=f"{fps.meaning} ({fps.usual:g})")


def look_of(options: argparse.Namespace) -> RenderOptions:
    """What was asked for; BadInputError for a configuration that cannot be used."""
    held = read()
    names = (name for name in RenderOptions._fields if name != "keys")
    said = {name: held.chosen(name, getattr(options, name)) for name in names}
    return RenderOptions(**said, keys=held.keys)
