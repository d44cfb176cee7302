"""Options of the subcommands with a screen; the configuration file gives their defaults."""

import argparse
from typing import TYPE_CHECKING, Any

from negotiation_tui.cli.arguments import frames_per_second
from negotiation_tui.errors import BadInputError
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.negotiation.pace import NAMES
from negotiation_tui.tui.toolkit.run_screen import RenderOptions

if TYPE_CHECKING:
    from negotiation_tui.tui.negotiation.watch import Begin, Once
    from negotiation_tui.tui.toolkit.app import Opened


def add_screen(parser: argparse.ArgumentParser) -> None:
    """Add the options of a screen of two agents: how it starts, and its appearance."""
    add, pace = parser.add_argument, ENTRIES["pace"]
    meaning = f"{pace.meaning}: {', '.join(NAMES)} ({pace.default})"
    add("--pace", choices=NAMES, metavar="PACE", help=meaning)
    add_appearance(parser)
    for name in ("paused", "advice"):
        add(f"--{name}", action=argparse.BooleanOptionalAction, help=ENTRIES[name].meaning)


def begin_of(options: argparse.Namespace, pace: str | None = None) -> "Begin":
    """Return how a screen of two agents starts: at `pace`, unless the user chose another.

    Raises BadInputError if the configuration file has an error.
    """
    from negotiation_tui.tui.negotiation.watch import Begin

    configuration = read()
    paused, advice = (
        configuration.chosen(name, getattr(options, name)) for name in ("paused", "advice")
    )
    chosen = options.pace or configuration.entries.get("pace") or pace
    return Begin(NAMES.index(configuration.chosen("pace", chosen)), paused, advice)


def open_tour(appearance: RenderOptions) -> "Opened[Any]":
    """Open the tour on top of a screen; only then import its lessons."""
    from negotiation_tui.tui.tour.watch import opened

    return opened(appearance)


def add_once(parser: argparse.ArgumentParser) -> None:
    """Add the options for one frame in place of the screen."""
    add = parser.add_argument
    add("--once", action="store_true", help="print one frame as text after a cycle, then exit")
    add("--svg", metavar="FILE", help="with --once: write the frame to FILE, as a picture (SVG)")
    add("--json", action="store_true", help="with --once: print the facts of the frame as JSON")


def once_of(options: argparse.Namespace) -> "Once | None":
    """Return the options for one frame, None for the screen.

    Raises BadInputError if they are given without `--once`.
    """
    from negotiation_tui.tui.negotiation.watch import Once

    if options.once:
        return Once(options.svg, options.json)
    if options.svg is not None or options.json:
        raise BadInputError(f"{'--json' if options.json else '--svg'}: add --once")
    return None


def add_appearance(parser: argparse.ArgumentParser) -> None:
    """Add the options for the appearance of every screen."""
    add = parser.add_argument
    for name in ("theme", "color"):
        entry = ENTRIES[name]
        add(f"--{name}", choices=entry.choices, help=f"{entry.meaning} ({entry.default})")
    for name in ("animation", "ascii"):
        add(f"--{name}", action=argparse.BooleanOptionalAction, help=ENTRIES[name].meaning)
    fps = ENTRIES["fps"]
    add("--fps", type=frames_per_second, help=f"{fps.meaning} ({fps.default:g})")


def appearance_of(options: argparse.Namespace) -> RenderOptions:
    """Return the chosen appearance and keys.

    Raises BadInputError if the configuration file has an error.
    """
    configuration = read()
    names = (name for name in RenderOptions._fields if name != "keys")
    values = {name: configuration.chosen(name, getattr(options, name)) for name in names}
    return RenderOptions(**values, keys=configuration.keys)
