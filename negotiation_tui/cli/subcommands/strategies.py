"""`negotiation-tui strategies`: what can sit in a seat."""

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from negotiation_tui.strategies.base import Strategy

EXAMPLES = (("strategies", "each with its settings"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No words."""


def run(_options: argparse.Namespace) -> int:
    """A line each, then what else can be said."""
    from negotiation_tui.players.resolve import installed_names
    from negotiation_tui.runtime.text import table
    from negotiation_tui.strategies.acceptance import RULES
    from negotiation_tui.strategies.registry import STRATEGIES

    rows = [(name, each.summary + _settings(each)) for name, each in STRATEGIES.items()]
    rows += [(name, "of another package") for name in installed_names()]
    print(*table(rows, "<"), sep="\n")
    print(
        "\nA file of tables (.npz) or of your own strategy (.py) takes a seat too: --seller my.py"
        "\nSo does a policy trained outside: --seller module:callable (docs/pettingzoo.md)"
        "\nSo does a negotiator of NegMAS: --seller negmas:BoulwareTBNegotiator"
        "\n\nWith settings: --seller boulware:beta=0.1 or --buyer tit-for-tat:delta=2"
        "\nWhat bids, marked *, takes a rule of acceptance too: accept=next (the usual one),"
    )
    for name, rule in list(RULES.items())[1:]:
        own = ", ".join(f"{f.name}={f.default:g}" for f in fields(rule))
        print(f"  accept={name}" + (f", with {own}" if own else ""))
    return 0


def _settings(strategy: "Strategy") -> str:
    from negotiation_tui.strategies.bidding import Bidding
    from negotiation_tui.strategies.registry import settings_of

    settings = ", ".join(f"{name}={value}" for name, value in settings_of(strategy).items())
    return (f" [{settings}]" if settings else "") + (" *" if isinstance(strategy, Bidding) else "")
