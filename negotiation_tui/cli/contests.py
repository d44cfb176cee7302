"""Arguments of a contest, and its run: on the screen, or printed."""

import json
import shutil
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.options import add_workers
from negotiation_tui.cli.parser import Parser
from negotiation_tui.cli.screen_options import add_appearance, appearance_of
from negotiation_tui.errors import BrokenOffError
from negotiation_tui.runtime.output import notice
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.toolkit.run_screen import on_terminal

if TYPE_CHECKING:
    from negotiation_tui.contest.contest import Contest

_PLAIN = str.maketrans("–×…±", "-x.~")


def add_output(parser: Parser, job: str) -> None:
    """Add the options for results, workers and screen."""
    meaning = f"output file, a row per {job}, .csv or .jsonl; resumed if it exists"
    parser.value("--out", meaning, "FILE")
    parser.flag("--text", "print the results, without the screen")
    parser.flag("--json", "print the results as JSON, without the screen")
    add_workers(parser)
    default = str(ENTRIES["paused"].default).lower()
    parser.switch("--paused", f"wait for a key before the first {job} ({default})")
    add_appearance(parser)


def run(options: Namespace, contest: "Contest") -> int:
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
    from negotiation_tui.contest.standings import ASCII_SHADES, SHADES

    rows = contest.rows(file, options.workers, options.cluster)
    if options.json:
        print(json.dumps(contest.to_dict(rows)))
        return 0
    width, _ = shutil.get_terminal_size((80, 24))
    plain = appearance.ascii or not sys.stdout.encoding.lower().startswith("utf")
    text = contest.text(rows, width, ASCII_SHADES if plain else SHADES)
    print(text.translate(_PLAIN) if plain else text)
    return 0
