"""`negotiation-tui sweep`: a grid of settings times seeds, one row a run."""

import argparse
import sys
from pathlib import Path

from negotiation_tui.cli.arguments import (
    add_named_scenario,
    add_workers,
    named_scenario_of,
    positive,
    seed,
)
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.settings import NAMES

EXAMPLES = (
    ("sweep --set learning_rate=0.05,0.1,0.2 --runs 100", ""),
    ("sweep --set discount_rate=0.9,1 --out rows.csv", "resumable"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add_named_scenario(parser)
    add = parser.add_argument
    add(
        "--set",
        action="append",
        type=_setting,
        default=[],
        metavar="NAME=V1,V2,…",
        help=f"values to try; every combination is run. Names: {', '.join(NAMES)}",
    )
    add("--runs", type=positive, default=1, metavar="N", help="seeds of each (%(default)s)")
    add("--seed", type=seed, default=0, metavar="S", help="the first of them (%(default)s)")
    add("--out", default="sweep.csv", metavar="FILE", help=".csv or .jsonl; goes on if it exists")
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Do what the file does not hold yet."""
    from negotiation_tui.experiments.sweep import grid, result_file, sweep
    from negotiation_tui.runtime.progress_bar import with_progress
    from negotiation_tui.runtime.text import plural

    path = Path(options.out)
    values: dict[str, tuple[str, ...]] = {}
    for name, given in options.set:
        if name in values:
            raise BadInputError(f"set: {name} is given twice, use one list of values")
        values[name] = given
    jobs = grid(named_scenario_of(options), values, options.runs, options.seed)
    file = result_file(path, jobs)
    held = len(jobs) - len(file.missing)
    if held:
        print(f"{path} holds {held:,} of {len(jobs):,} runs, going on", file=sys.stderr)
    try:
        done = sweep(jobs, file, options.workers, options.cluster)
        ran = sum(1 for _ in with_progress(done, len(jobs) - held, "runs"))
    except KeyboardInterrupt:
        print(file.how_to_go_on, file=sys.stderr)
        raise
    print(f"{plural(ran, 'run')} done, {path} holds all {len(jobs):,}")
    return 0


def _setting(word: str) -> tuple[str, tuple[str, ...]]:
    name, equals, values = word.partition("=")
    name = name.replace("-", "_")
    given = tuple(value.strip() for value in values.split(","))
    if not equals or not all(given):
        raise argparse.ArgumentTypeError(
            f"{word!r} is no setting, use a name and values such as learning_rate=0.1,0.2"
        )
    if name not in NAMES:
        raise argparse.ArgumentTypeError(f"{name!r} cannot be set, use {', '.join(NAMES)}")
    return name, given
