"""`negotiation-tui tournament`: every strategy against every other, learned tables included."""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.arguments import add_scenario, add_workers, positive, scenario_of, seed
from negotiation_tui.cli.screen_arguments import add_appearance, appearance_of
from negotiation_tui.errors import BrokenOffError
from negotiation_tui.game.roles import Opener
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.runtime.output import notice
from negotiation_tui.tournament.defaults import NEGOTIATIONS, RECIPE
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.toolkit.run_screen import on_terminal

if TYPE_CHECKING:
    from negotiation_tui.runtime.result_file import ResultFile
    from negotiation_tui.tournament.pairings import Pairing

EXAMPLES = (
    ("tournament", "every strategy"),
    ("tournament boulware conceder tit-for-tat", "only these"),
    ("tournament --text --out games.csv", "resumable"),
)


_PLAIN = str.maketrans("–×…", "-x.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    add = parser.add_argument
    add(
        "entrants",
        nargs="*",
        metavar="ENTRANT",
        help="participants: learned, strategies (with settings), files of saved tables (.npz) or of"
        " your own strategy (.py), module:callable (default: learned and every strategy)",
    )
    add_scenario(parser)
    add("--opener", choices=tuple(map(str, Opener)), help="who opens (default: the scenario's)")
    add(
        "--negotiations",
        type=positive,
        default=NEGOTIATIONS,
        metavar="N",
        help="negotiations per pairing (%(default)s)",
    )
    add("--seed", type=seed, default=0, metavar="S", help="random seed (%(default)s)")
    add(
        "--recipe",
        choices=tuple(RECIPES),
        default=RECIPE,
        help="recipe that learned is trained with, once, in self-play (%(default)s)",
    )
    add(
        "--out",
        metavar="FILE",
        help="output file, a row per pairing, .csv or .jsonl; resumed if it exists",
    )
    add("--text", action="store_true", help="print the results, without the screen")
    add("--json", action="store_true", help="print the results as JSON, without the screen")
    add_workers(parser)
    add(
        "--paused",
        action=argparse.BooleanOptionalAction,
        help=f"wait for a key before the first pairing ({str(ENTRIES['paused'].default).lower()})",
    )
    add_appearance(parser)


def run(options: argparse.Namespace) -> int:
    """Play the tournament on the screen, or without it and print the results."""
    from negotiation_tui.tournament.pairings import entrants_of, pairing_file, pairings

    appearance = appearance_of(options)
    scenario = scenario_of(options)
    if options.opener is not None:
        scenario = replace(scenario, opener=Opener(options.opener))
    entrants = entrants_of(options.entrants)
    jobs = pairings(scenario, entrants, options.recipe, options.negotiations, options.seed)
    file = None if options.out is None else pairing_file(Path(options.out), jobs)
    if on_terminal() and not options.text and not options.json:
        from negotiation_tui.tui.tournament.watch import watch

        paused = bool(read().chosen("paused", options.paused))
        try:
            watch(entrants, jobs, file, options.workers, options.cluster, appearance, paused)
        except BrokenOffError:  # its line says how to go on
            file = None
            raise
        finally:
            if file is not None and file.missing:
                notice(file.how_to_go_on)
        return 0
    return _print(options, entrants, jobs, file, appearance.ascii)


def _print(
    options: argparse.Namespace,
    entrants: Sequence[str],
    jobs: "Sequence[Pairing]",
    file: "ResultFile | None",
    ascii_only: bool,
) -> int:
    """Play all pairings and print the results."""
    from negotiation_tui.api.tournaments import play
    from negotiation_tui.tournament.report import ASCII_SHADES, SHADES, tournament_text

    result = play(entrants, jobs, file, options.workers, options.cluster)
    if options.json:
        print(json.dumps(result.to_dict()))
    else:
        width, _ = shutil.get_terminal_size((80, 24))
        plain = ascii_only or not sys.stdout.encoding.lower().startswith("utf")
        shades = ASCII_SHADES if plain else SHADES
        text = tournament_text(entrants, jobs, result.rows, width, shades)
        print(text.translate(_PLAIN) if plain else text)
    return 0
