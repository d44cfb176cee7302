"""`negotiation-tui sweep`: train over a grid of settings and seeds, one row per run."""

import argparse
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
from negotiation_tui.runtime.output import notice
from negotiation_tui.runtime.text import either

EXAMPLES = (
    ("sweep --set learning_rate=0.05,0.1,0.2 --runs 100", ""),
    ("sweep --set discount_rate=0.9,1 --out rows.csv", "resumable"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    add_named_scenario(parser)
    add = parser.add_argument
    add(
        "--set",
        action="append",
        type=_setting,
        default=[],
        metavar="NAME=V1,V2,…",
        help=f"values to try; every combination is trained. Names: {', '.join(NAMES)}",
    )
    add("--runs", type=positive, default=1, metavar="N", help="seeds per combination (%(default)s)")
    add("--seed", type=seed, default=0, metavar="S", help="first seed (%(default)s)")
    add(
        "--out",
        default="sweep.csv",
        metavar="FILE",
        help="output file, .csv or .jsonl; resumed if it exists (%(default)s)",
    )
    add_workers(parser)


def run(options: argparse.Namespace) -> int:
    """Train the runs that the output file does not contain yet."""
    from negotiation_tui.experiments.sweep import Sweep
    from negotiation_tui.runtime.text import one_line, plural

    path = Path(options.out)
    values: dict[str, tuple[str, ...]] = {}
    for name, settings in options.set:
        if name in values:
            raise BadInputError(f"--set {name} is given twice; use one list of values")
        values[name] = settings
    sweep = Sweep.of(named_scenario_of(options), values, options.runs, options.seed)
    file, total = sweep.file(path), len(sweep.jobs)
    left = len(file.missing)
    if left < total:
        notice(f"{path} holds {total - left:,} of {total:,} runs; resuming")
    sweep.rows(file, options.workers, options.cluster)
    print(f"{plural(left, 'run')} done, {one_line(path)} holds all {total:,}")
    return 0


def _setting(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, words = text.partition("=")
    name = name.replace("-", "_")
    values = tuple(word.strip() for word in words.split(","))
    if not equals or not all(values):
        raise argparse.ArgumentTypeError(
            f"expected a name and values such as learning_rate=0.1,0.2, got {text!r}"
        )
    if name not in NAMES:
        raise argparse.ArgumentTypeError(f"expected {either(NAMES)}, got {name!r}")
    return name, values
