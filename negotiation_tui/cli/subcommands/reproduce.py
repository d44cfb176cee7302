"""`negotiation-tui reproduce`: the original's four experiments, over many seeds."""

import argparse
import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.arguments import add_workers, at_least_two, seed
from negotiation_tui.runtime.text import table

if TYPE_CHECKING:
    from negotiation_tui.experiments.reproduction import Finding

EXAMPLES = (
    ("reproduce --runs 20", "a quick look"),
    ("reproduce --runs 200 --out runs.csv", "resumable"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add = parser.add_argument
    add("--runs", type=at_least_two, default=200, metavar="N", help="seeds of each (%(default)s)")
    add("--seed", type=seed, default=0, metavar="S", help="the first of them (%(default)s)")
    add_workers(parser)
    add("--out", metavar="FILE", help=".csv or .jsonl to keep every run in; goes on if it exists")
    add("--plot", metavar="FILE", help="draw the distributions to a .png or .svg file")
    add("--json", action="store_true", help="print the result as JSON")


def run(options: argparse.Namespace) -> int:
    """Train and test every run, print the comparison."""
    from negotiation_tui.api import figures
    from negotiation_tui.experiments import reproduction
    from negotiation_tui.experiments.sweep import result_file
    from negotiation_tui.experiments.training_run import run_job
    from negotiation_tui.runtime.files import check_writable
    from negotiation_tui.runtime.result_file import rows_of

    if options.plot is not None:
        figures.check_plot(options.plot)
        check_writable(options.plot)
    jobs = reproduction.jobs(options.runs, options.seed)
    file = None if options.out is None else result_file(Path(options.out), jobs)
    rows = rows_of(run_job, jobs, file, options.workers, options.cluster, "runs")
    found = reproduction.findings(rows)
    words = reproduction.verdict(found[0], found[1])
    if options.plot is not None:
        figures.save_wallets(options.plot, found, rows)
    if options.json:
        result = {"runs": options.runs, "seed": options.seed, "verdict": words}
        print(json.dumps({**result, "experiments": [finding.to_dict() for finding in found]}))
    else:
        print(_text(options.runs, options.seed, found, words))
    return 0


def _text(runs: int, first: int, found: "list[Finding]", words: str) -> str:
    seeds = f"{runs:,} runs of each experiment, seeds {first:,} to {first + runs - 1:,}"
    lines = [
        f"The seller's wallet after 1,000 test negotiations, in {seeds}.",
        "± is the 95 % confidence interval of a mean; 95 % of single runs lie in the range.",
        "",
    ]
    titles = ("", "published", "as published", "range of runs", "below", "left over", "corrected")
    lines += table([titles, *(_row(finding) for finding in found)], "<", ">")
    lines += ["", "below: the share of runs as published that ended below the published one", ""]
    return "\n".join([*lines, *textwrap.wrap(words, 96)])


def _row(finding: "Finding") -> tuple[str, ...]:
    return (
        finding.experiment.name,
        f"{finding.experiment.published:,}",
        str(finding.as_published),
        f"{finding.low:,.0f} to {finding.high:,.0f}",
        f"{100 * finding.below:.0f} %",
        str(finding.left_over),
        str(finding.corrected),
    )
