"""Arguments of a contest, and its run: on the screen, or printed."""

import argparse
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.arguments import add_workers
from negotiation_tui.cli.screen_arguments import add_appearance, appearance_of
from negotiation_tui.errors import BrokenOffError
from negotiation_tui.runtime.output import notice
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.toolkit.run_screen import on_terminal

if TYPE_CHECKING:
    from negotiation_tui.contest.contest import Contest

_PLAIN = str.maketrans("–×…±", "-x.~")


def add_output(parser: argparse.ArgumentParser, job: str) -> None:
    """Add the options for results, workers and screen."""
    add = parser.add_argument
    add(
        "--out",
        metavar="FILE",
        help=f"output file, a row per {job}, .csv or .jsonl; resumed if it exists",
    )
    add("--text", action="store_true", help="print the results, without the screen")
    add("--json", action="store_true", help="print the results as JSON, without the screen")
    add_workers(parser)
    add(
        "--paused",
        action=argparse.BooleanOptionalAction,
        help=f"wait for a key before the first {job} ({str(ENTRIES['paused'].default).lower()})",
    )
    add_appearance(parser)


def run(options: argparse.Namespace, contest: "Contest") -> int:
    """Carry out a contest on the screen, or without it and print the results."""
    appearance = appearance_of(options)
    file = None if options.out is None else contest.file(Path(options.out))
    if on_terminal() and not options.text and not options.json:
        from negotiation_tui.tui.tournament.watch import watch

        paused = bool(read().chosen("paused", options.paused))
        try:
            watch(contest, file, options.workers, options.cluster, appearance, paused)
        except BrokenOffError:  # its line says how to go on
            file = None
            raise
        finally:
            if file is not None and file.missing:
                notice(file.how_to_go_on)
        return 0
    from negotiation_tui.contest.report import ASCII_SHADES, SHADES

    rows = contest.rows(file, options.workers, options.cluster)
    if options.json:
        print(json.dumps(contest.to_dict(rows)))
        return 0
    width, _ = shutil.get_terminal_size((80, 24))
    plain = appearance.ascii or not sys.stdout.encoding.lower().startswith("utf")
    text = contest.text(rows, width, ASCII_SHADES if plain else SHADES)
    print(text.translate(_PLAIN) if plain else text)
    return 0
