"""`negotiation-tui learners`: list all ways of learning."""

from negotiation_tui.cli.listing import add_name, chosen
from negotiation_tui.cli.parser import Options, Parser

EXAMPLES = """\
learners # each with its source
learners wolf-phc # its settings"""


def add_arguments(parser: Parser) -> None:
    add_name(parser, "learner")


def run(options: Options) -> int:
    from negotiation_tui.learning.algorithms.base import SCHEDULE
    from negotiation_tui.learning.learner_registry import LEARNERS
    from negotiation_tui.runtime.settings_text import table_of
    from negotiation_tui.runtime.text import table

    if text := chosen(options, "learner", LEARNERS, table_of):
        print(text)
        return 0
    rows = []
    for name, each in LEARNERS.items():
        rows += [(name, each.summary), ("", f"{each.schedule}; {each.source}")]
    alternate, together = SCHEDULE.split("; ")
    print(*table(rows, "<"), sep="\n")
    print(
        f"\n{alternate}\n{together}"
        "\n\nUse one for both roles: --learner sarsa, or for one of them: --seller learned:sarsa"
        "\nSettings follow a colon: --learner wolf-phc:delta_win=0.02"
        "\nThe settings of a learner: negotiation-tui learners NAME"
    )
    return 0
