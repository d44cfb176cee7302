"""`negotiation-tui examine`: five marks of any player, each with its interval."""

import json
from typing import Any

from negotiation_tui.cli.options import (
    add_scenario,
    add_talk,
    at_least_two,
    fraction,
    number_from,
    positive,
    scenario_of,
    seed,
    tables_file,
)
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.examination.defaults import ASK, MINUTES, MOST_COPIES, OPPONENTS
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.output import notice

EXAMPLES = """\
examine 'cmd:./bot --fast' # your program
examine boulware --scenario hidden # exactly
examine 'cmd:./bot' --cassette A.cassette # keep it
examine A.cassette # again"""


def add_arguments(parser: Parser) -> None:
    who = "'cmd:PROGRAM ARGUMENTS', a strategy, a learner, a file of tables, or a cassette"
    parser.value("player", who, "PLAYER")
    add_scenario(parser, states=False)
    add_talk(parser, "also ask a program after words of the other side: what they change")
    parser.choice("--role", (*Role, "both"), "the role to examine (both)")
    meaning = f"opponents of the regret, with tables ({', '.join(OPPONENTS)})"
    parser.value("--against", meaning, "NAME", nargs="+")
    meaning = f"number of times that a program is asked each decision ({ASK})"
    parser.value("--ask", meaning, "N", at_least_two)
    short = "without all answers marks are unknown, without all marks bounds are wider; after ten"
    short += " answers a line says how many ask all"
    meaning = f"the most time to ask and again to judge ({MINUTES:g}): {short}"
    parser.value("--minutes", meaning, "M", number_from(0, 10**6))
    parser.value("--seed", "random seed (0)", "S", seed)
    meaning = "γ between a role's own decisions (0.99, or 1 with time costs)"
    parser.value("--discount-rate", meaning, "X", fraction)
    meaning = "keep a program's answers in this file as they come, and go on from those in it"
    parser.value("--cassette", meaning, "FILE")
    meaning = f"copies of a program that are asked beside each other, up to {MOST_COPIES} (1)"
    parser.value("--copies", meaning, "N", positive)
    meaning = "save its tables, to watch, play or train against them"
    parser.value("--save", meaning, "FILE.npz", tables_file)
    parser.flag("--json", "print the marks as JSON")


def run(options: Options) -> int:
    from negotiation_tui.examination.cassette import SUFFIX
    from negotiation_tui.examination.examine import examine, setup_of
    from negotiation_tui.runtime.files import check_writable

    for path in filter(None, (options.cassette, options.save)):
        check_writable(path)
    usual = setup_of(options.player).scenario if options.player.endswith(SUFFIX) else None
    names = "ask", "minutes", "seed", "discount_rate", "against", "cassette", "copies"
    settings = {name: getattr(options, name) for name in names}

    def show(found: Any) -> Any:
        print(json.dumps(found.to_dict()) if options.json else found)
        return found

    settings |= {"to_save": bool(options.save), "show": show}
    scenario = scenario_of(options, usual)
    examination = examine(options.player, scenario, options.role, **settings)
    if options.save:
        examination.save(options.save)
        notice(f"tables saved to {options.save}")
        for each in examination.marks:
            if each.unknown:
                notice(f"the table of the {each.role} is not known: {each.unknown}")
    return 0
