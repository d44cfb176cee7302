"""`negotiation-tui reproduce`: the original's four experiments, over many seeds."""

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.options import add_workers, at_least_two, seed
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.runtime.text import table

if TYPE_CHECKING:
    from negotiation_tui.experiments.reproduction import Finding

EXAMPLES = """\
reproduce --runs 20 # a quick look
reproduce --runs 200 --out runs.csv # resumable"""


def add_arguments(parser: Parser) -> None:
    add = parser.value
    add("--runs", "seeds per experiment (%(default)s)", "N", at_least_two, 200)
    add("--seed", "first seed (%(default)s)", "S", seed, 0)
    add_workers(parser)
    add("--out", "save every run in a .csv or .jsonl file; resumed if it exists", "FILE")
    add("--plot", "write a figure of the distributions to a .png or .svg file", "FILE")
    parser.flag("--json", "print the result as JSON")


def run(options: Options) -> int:
    from negotiation_tui.experiments import reproduction

    # NashConv, most of a run's time, is only in the file and in the JSON.
    distance = options.out is not None or options.json
    sweep = reproduction.sweep(options.runs, options.seed, distance)
    file = None if options.out is None else sweep.file(Path(options.out))
    if options.plot is not None:
        from negotiation_tui.cli import plots

        plots.check_plot(options.plot)
    rows = sweep.rows(file, options.workers, options.cluster)
    findings = reproduction.findings(rows)
    verdict = reproduction.verdict(findings[0], findings[1])
    if options.plot is not None:
        plots.save_wallets(options.plot, findings, rows)
    if options.json:
        result = {"runs": options.runs, "seed": options.seed, "verdict": verdict}
        print(json.dumps({**result, "experiments": [finding.to_dict() for finding in findings]}))
    else:
        print(_text(options.runs, options.seed, findings, verdict))
    return 0


def _text(runs: int, first: int, findings: "list[Finding]", verdict: str) -> str:
    seeds = f"{runs:,} runs of each experiment, seeds {first:,} to {first + runs - 1:,}"
    titles = ("", "published", "as published", "range of runs", "below", "left over", "corrected")
    rows = [
        (
            finding.experiment.name,
            f"{finding.experiment.published:,}",
            str(finding.as_published),
            f"{finding.low:,.0f} to {finding.high:,.0f}",
            f"{100 * finding.below:.0f} %",
            str(finding.left_over),
            str(finding.corrected),
        )
        for finding in findings
    ]
    lines = [
        f"The seller's wallet after 1,000 test negotiations, in {seeds}.",
        "± is the 95 % confidence interval of a mean; the range holds 95 % of single runs.",
        "",
        *table([titles, *rows], "<", ">"),
        "",
        "below: the share of runs as published that ended below the published result",
        "",
        *textwrap.wrap(verdict, 96),
    ]
    return "\n".join(lines)
