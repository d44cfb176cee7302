"""`negotiation-tui reproduce`: the original's four experiments, and claims of the literature."""

import json
import textwrap
from typing import TYPE_CHECKING

from negotiation_tui.cli.options import add_workers, at_least_two, refuse, seed
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.settings import EVERY, USUAL_RUNS
from negotiation_tui.runtime.text import table

if TYPE_CHECKING:
    from negotiation_tui.experiments.reproduction import Finding

EXAMPLES = """\
reproduce --runs 20 # a quick look
reproduce --runs 200 --out runs.csv # resumable
reproduce --list # published claims
reproduce all # settle them
reproduce buyers-role --player cmd:./bot"""
_OF_RUNS = "seed", "workers", "cluster", "out", "plot"
"""The options of the original's experiments."""


def add_arguments(parser: Parser) -> None:
    add = parser.value
    meaning = f"the claim to settle, or {EVERY} (default: the original's four experiments)"
    add("claim", meaning, "CLAIM", nargs="?")
    parser.flag("--list", "list the claims with their sources")
    meaning = "the player of a claim about players, for example 'cmd:PROGRAM ARGUMENTS'"
    add("--player", meaning, "PLAYER")
    meaning = f"seeds per experiment ({USUAL_RUNS}), or per training of a claim (20 or 60)"
    add("--runs", meaning, "N", at_least_two)
    add("--seed", "first seed (0)", "S", seed)
    add_workers(parser)
    add("--out", "save every run in a .csv or .jsonl file; resumed if it exists", "FILE")
    add("--plot", "write a figure of the distributions to a .png or .svg file", "FILE")
    parser.flag("--json", "print the result as JSON")


def run(options: Options) -> int:
    if options.list or options.claim is not None:
        return _claims(options)
    if options.player is not None:
        raise BadInputError("--player: expected a claim beside it, got none; see --list")
    from negotiation_tui.experiments import reproduction

    # NashConv, most of a run's time, is only in the file and in the JSON.
    distance = options.out is not None or options.json
    runs, first = options.runs or USUAL_RUNS, options.seed or 0
    sweep = reproduction.sweep(runs, first, distance)
    file = sweep.file(options.out)
    if options.plot is not None:
        from negotiation_tui.cli import plots

        plots.check_plot(options.plot)
    rows = sweep.rows(file, options.workers, options.cluster)
    findings = reproduction.findings(rows)
    verdict = reproduction.verdict(findings[0], findings[1])
    if options.json:
        result = {"runs": runs, "seed": first, "verdict": verdict}
        print(json.dumps({**result, "experiments": [finding.to_dict() for finding in findings]}))
    else:
        print(_text(runs, first, findings, verdict))
    if options.plot is not None:
        plots.save_wallets(options.plot, findings, rows)
    return 0


def _claims(options: Options) -> int:
    from negotiation_tui.experiments.claims import settle_claims

    refuse(options, "expected neither a claim nor --list beside it", *_OF_RUNS)
    if options.list:
        refuse(options, "--list settles no claim", "player", "runs")
    settled = settle_claims(options.claim or EVERY, options.player, options.runs, not options.list)
    if options.json:
        print(json.dumps({"claims": settled}))
        return 0
    if len(settled) > 1 and not options.list:
        titles = "name", "source", "verdict"
        print(*table([titles, *([each[key] for key in titles] for each in settled)], "<"), sep="\n")
        print()
    print("\n\n".join(map(_paragraphs, settled)))
    if options.list:
        print("\nWithout a claim: the original's four experiments.")
    return 0


def _paragraphs(verdict: "dict[str, str]") -> str:
    lines = [f"{verdict['name']}: {verdict['source']}"]
    for key in filter(verdict.__contains__, ("published", "ours", "verdict", "reason")):
        start, indent = f"  {key:11}", " " * 13
        lines += textwrap.wrap(
            verdict[key], 96, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False
        )
    return "\n".join(lines)


def _text(runs: int, first: int, findings: "list[Finding]", verdict: str) -> str:
    seeds = f"{runs:,} runs of each experiment, seeds {first:,} to {first + runs - 1:,}"
    titles = ("", "published", "as published", "range of runs", "below", "left over", "corrected")
    rows = [
        (
            finding.experiment.name,
            f"{finding.experiment.published:,}",
            str(finding.as_published),
            f"{finding.low:,.0f} to {finding.high:,.0f}",
            f"{100 * finding.below:.0f}%",
            str(finding.left_over),
            str(finding.corrected),
        )
        for finding in findings
    ]
    lines = [
        f"The seller's wallet after 1,000 test negotiations, in {seeds}.",
        "± is the 95% confidence interval of a mean; the range holds 95% of single runs.",
        "",
        *table([titles, *rows], "<", ">"),
        "",
        "below: the share of runs as published that ended below the published result",
        "",
        *textwrap.wrap(verdict, 96),
    ]
    return "\n".join(lines)
