"""`negotiation-tui strategies`: list all strategies."""

from negotiation_tui.cli.listing import add_name, chosen
from negotiation_tui.cli.parser import Options, Parser

EXAMPLES = """\
strategies # each with its settings
strategies boulware # values allowed for its settings"""


def add_arguments(parser: Parser) -> None:
    add_name(parser, "strategy")


def run(options: Options) -> int:
    from negotiation_tui.players.resolve import installed_names
    from negotiation_tui.runtime.text import table
    from negotiation_tui.strategies.bidding import RULES, Bidding
    from negotiation_tui.strategies.registry import STRATEGIES, settings_of, settings_table

    if text := chosen(options, "strategy", STRATEGIES, settings_table):
        print(text)
        return 0
    rows = []
    for name, strategy in STRATEGIES.items():
        settings = ", ".join(f"{n}={value}" for n, value in settings_of(strategy).items())
        star = " *" if isinstance(strategy, Bidding) else ""
        rows.append((name, strategy.summary + (f" [{settings}]" if settings else "") + star))
    rows += [(name, "from another package") for name in installed_names()]
    print(*table(rows, "<"), sep="\n")
    print(
        "\nYou can also use"
        "\n  a file of saved tables (.npz) or of your own strategy (.py): --seller my.py"
        "\n  a policy trained by another program: --seller module:callable (docs/pettingzoo.md)"
        "\n  a negotiator of NegMAS: --seller negmas:BoulwareTBNegotiator"
        "\n\nSettings follow a colon: --seller boulware:beta=0.1 or --buyer tit-for-tat:delta=2"
        "\nStrategies marked * also take an acceptance rule: accept=next (the default),"
    )
    for name, rule in list(RULES.items())[1:]:
        share = f", with {rule.setting}={rule.default:g}" if rule.setting else ""
        print(f"  accept={name}{share}")
    return 0
