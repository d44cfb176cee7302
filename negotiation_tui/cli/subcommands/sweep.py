"""`negotiation-tui sweep`: train over a grid of settings and seeds, one row per run."""

from argparse import ArgumentTypeError
from pathlib import Path

from negotiation_tui.cli.options import add_scenario, positive, scenario_of, seed
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.cli.screen_options import add_output, shown
from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.settings import SETTING_NAMES
from negotiation_tui.runtime.output import notice
from negotiation_tui.runtime.validate import unknown_name

EXAMPLES = """\
sweep --set learning_rate=0.05,0.1,0.2 --runs 100
sweep --set discount_rate=0.9,1 --out rows.csv # resumable"""


def add_arguments(parser: Parser) -> None:
    add_scenario(parser, states=False)
    add = parser.value
    names = ", ".join(SETTING_NAMES)
    meaning = f"values to try; every combination is trained. Names: {names}"
    add("--set", meaning, "NAME=V1,V2,…", _setting, [], action="append")
    add("--runs", "seeds per combination (%(default)s)", "N", positive, 1)
    add("--seed", "first seed (%(default)s)", "S", seed, 0)
    add_output(parser, "run")


def run(options: Options) -> int:
    from negotiation_tui.experiments.sweep import Sweep
    from negotiation_tui.runtime.text import one_line, plural

    values: dict[str, tuple[str, ...]] = {}
    for name, settings in options.set:
        if name in values:
            raise BadInputError(f"--set {name} is given twice; use one list of values")
        values[name] = settings
    sweep = Sweep.of(scenario_of(options), values, options.runs, options.seed)
    if shown(options, sweep):
        return 0
    path = Path(options.out or "sweep.csv")
    file, total = sweep.file(path), len(sweep.jobs)
    left = len(file.missing)
    if left < total:
        notice(f"{path} holds {total - left:,} of {total:,} runs; resuming")
    rows = sweep.rows(file, options.workers, options.cluster)
    if options.json:
        import json

        print(json.dumps(rows))
        return 0
    print(f"{plural(left, 'run')} done, {one_line(path)} holds all {total:,}\n")
    print(sweep.means(rows))
    return 0


def _setting(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, words = text.partition("=")
    name = name.replace("-", "_")
    values = tuple(word.strip() for word in words.split(","))
    if not equals or not all(values):
        expected = "a name and values such as learning_rate=0.1,0.2"
        raise ArgumentTypeError(f"expected {expected}, got {text!r}")
    if name not in SETTING_NAMES:
        raise ArgumentTypeError(str(unknown_name("", name, SETTING_NAMES)))
    return name, values
