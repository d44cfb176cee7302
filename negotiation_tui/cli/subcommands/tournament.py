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
from negotiation_tui.cli.screen_arguments import add_look, look_of
from negotiation_tui.game.roles import Opener
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.tournament.defaults import NEGOTIATIONS, RECIPE
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.toolkit.run_screen import RenderOptions, on_terminal

if TYPE_CHECKING:
    from negotiation_tui.runtime.result_file import ResultFile
    from negotiation_tui.tournament.pairings import Pairing

EXAMPLES = (
    ("tournament", "all against all"),
    ("tournament boulware conceder tit-for-tat", "these alone"),
    ("tournament --text --out games.csv", "resumable"),
)


_PLAIN = str.maketrans("–×…", "-x.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add = parser.add_argument
    add(
        "entrants",
        nargs="*",
        metavar="ENTRANT",
        help="who takes part: learned, strategies with settings if you like, files of tables (.npz)"
        " or of your own strategy (.py), module:callable (default: all but these)",
    )
    add_scenario(parser)
    add("--opener", choices=tuple(map(str, Opener)), help="who opens (default: as it says)")
    add(
        "--negotiations",
        type=positive,
        default=NEGOTIATIONS,
        metavar="N",
        help="how many each pairing plays (%(default)s)",
    )
    add("--seed", type=seed, default=0, metavar="S", help="of everything random (%(default)s)")
    add(
        "--recipe",
        choices=tuple(RECIPES),
        default=RECIPE,
        help="how learned is trained, once, in self-play (%(default)s)",
    )
    add("--out", metavar="FILE", help="a row a pairing, .csv or .jsonl; goes on if it exists")
    add("--text", action="store_true", help="print the results, without the screen")
    add("--json", action="store_true", help="print the results as JSON, without the screen")
    add_workers(parser)
    usual = ENTRIES["paused"].usual
    add(
        "--paused",
        action=argparse.BooleanOptionalAction,
        help=f"wait for a key before the first pairing ({str(usual).lower()})",
    )
    add_look(parser)


def run(options: argparse.Namespace) -> int:
    """Show it being played, or play it and print."""
    from negotiation_tui.tournament.pairings import entrants_of, pairing_file, pairings

    look = look_of(options)
    scenario = scenario_of(options)
    if options.opener is not None:
        scenario = replace(scenario, opener=Opener(options.opener))
    entrants = entrants_of(options.entrants)
    jobs = pairings(scenario, entrants, options.recipe, options.negotiations, options.seed)
    file = None if options.out is None else pairing_file(Path(options.out), jobs)
    if on_terminal() and not options.text and not options.json:
        paused = bool(read().chosen("paused", options.paused))
        return _show(options, entrants, jobs, file, look, paused)
    return _print(options, entrants, jobs, file, look.ascii)


def _show(
    options: argparse.Namespace,
    entrants: Sequence[str],
    jobs: "Sequence[Pairing]",
    file: "ResultFile | None",
    look: RenderOptions,
    paused: bool,
) -> int:
    """The screen, until it is left."""
    from negotiation_tui.tui.tournament.watch import watch

    try:
        watch(entrants, jobs, file, options.workers, options.cluster, look, paused)
    finally:
        if file is not None and file.missing:
            print(file.how_to_go_on, file=sys.stderr)
    return 0


def _print(
    options: argparse.Namespace,
    entrants: Sequence[str],
    jobs: "Sequence[Pairing]",
    file: "ResultFile | None",
    ascii_only: bool,
) -> int:
    """The results of all pairings, in ASCII if asked for."""
    from negotiation_tui.api.tournaments import play
    from negotiation_tui.tournament.report import ASCII_SHADES, SHADES, tournament_text

    result = play(entrants, jobs, file, options.workers, options.cluster)
    if options.json:
        print(json.dumps(result.to_dict()))
    else:
        width, _ = shutil.get_terminal_size((80, 24))
        utf8 = sys.stdout.encoding.lower().startswith("utf")
        plain = ascii_only or not utf8
        text = tournament_text(
            entrants, jobs, result.rows, width, ASCII_SHADES if plain else SHADES
        )
        print(text.translate(_PLAIN) if plain else text)
    return 0
