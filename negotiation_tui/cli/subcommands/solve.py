"""`negotiation-tui solve`: the equilibrium of a scenario, and how far saved tables are from it."""

import argparse
import json
from typing import Any, NamedTuple, Self

from negotiation_tui.cli.arguments import add_instead, add_scenario, scenario_of, share
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Transcript, Turn, negotiate
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables
from negotiation_tui.players.resolve import occupant, policies_of
from negotiation_tui.solvers.best_response import NashConv, nash_conv
from negotiation_tui.solvers.subgame_perfect import DISCOUNT, EQUAL, Equilibrium, Indifferent, solve
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.registry import words_of

LONG = 12
"""A negotiation of more turns is told by its beginning and its end."""
SUMMARY = "the exact equilibrium, and how far saved tables are from it"
EXAMPLES = (
    ("solve", "the equilibrium of the usual game"),
    ("solve --scenario legacy", "of another"),
    ("solve --policy tables.npz", "and how far from it tables are"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add_scenario(parser)
    add = parser.add_argument
    add("--policy", metavar="FILE", help="tables that train --save wrote; also names the scenario")
    add_instead(parser)
    rate = parser.add_mutually_exclusive_group()
    rate.add_argument(
        "--discount-rate",
        type=share,
        metavar="X",
        help=f"γ between a role's own decisions (default: the tables' own, else {DISCOUNT})",
    )
    rate.add_argument(
        "--undiscounted", action="store_const", const=1.0, dest="discount_rate", help="γ = 1"
    )
    add("--json", action="store_true", help="print the result as JSON")


def run(options: argparse.Namespace) -> int:
    """Solve and print."""
    if options.policy is not None and (options.scenario or options.states):
        raise BadInputError("policy: its file names the scenario, use no --scenario or --states")
    instead = occupant(options.seller), occupant(options.buyer)
    if options.policy is None and any(instead):
        raise BadInputError("seller and buyer take seats of saved tables: use them with --policy")
    tables = None if options.policy is None else load_tables(options.policy)
    scenario = scenario_of(options) if tables is None else tables.scenario
    rate = options.discount_rate
    if rate is None:
        rate = DISCOUNT if tables is None else tables.parameters.discount_rate
    solutions = [
        solve(scenario, opener, rate, indifferent) for opener in Role for indifferent in Indifferent
    ]
    judged = None if tables is None else _Judged.of(tables, rate, instead)
    if options.json:
        print(json.dumps(_as_dict(scenario, rate, solutions, judged)))
    else:
        print(_as_text(scenario, rate, solutions, judged))
    return 0


class _Judged(NamedTuple):
    """How far saved tables are from equilibrium, and what one could do against them."""

    nash_conv: NashConv
    seats: tuple[str, str]
    """Who plays: the words for each seat."""
    instances: tuple[tuple[Transcript, ...], ...]
    """For each role and opener, one negotiation of its best response with the other's table."""

    @classmethod
    def of(
        cls, tables: TrainedTables, rate: float, instead: tuple[Strategy | None, Strategy | None]
    ) -> Self:
        scenario = tables.scenario
        seller, buyer = policies_of(tables, *instead)
        found = nash_conv(scenario, seller, buyer, rate)
        of_seller, of_buyer = found.responses
        instances = (
            tuple(negotiate(scenario, of_seller, buyer, opener) for opener in Role),
            tuple(negotiate(scenario, seller, of_buyer, opener) for opener in Role),
        )
        one, other = (_seat(tables, role, instead[role]) for role in Role)
        return cls(found, (one, other), instances)


def _seat(tables: TrainedTables, role: Role, instead: Strategy | None) -> str:
    words = tables.strategies[role] if instead is None else words_of(instead)
    if words is not None:
        return f"{words}, a static strategy"
    if not tables.q_tables[role].any():
        return "a table that was never trained, so at random"
    return "its table"


def _as_text(
    scenario: Scenario, rate: float, solutions: list[Equilibrium], judged: _Judged | None
) -> str:
    size = f"{scenario.n_prices:,} prices × {scenario.rounds:,} rounds"
    lines = [f"scenario {scenario.name}, {size}, {_discount(rate)}", "", "Equilibrium"]
    for solution in solutions:
        seller, buyer = solution.values
        rule = f"who gains nothing by refusing {solution.indifferent}s"
        worth = f"worth {seller:.4f} to the seller and {buyer:.4f} to the buyer"
        lines += ["", f"  the {solution.opener} opens; {rule}", f"    {moves(solution.path)}"]
        lines.append(f"    {worth}, {_winner(seller, buyer)}")
    if judged is None:
        return "\n".join(lines)
    found = judged.nash_conv
    alternate = scenario.opener is Opener.ALTERNATE
    openers = tuple(Role) if alternate else (scenario.opener.role(),)
    who = "both openers alike" if alternate else f"the {scenario.opener} opens"
    lines += ["", f"NashConv of the tables {found.total:.4f} ({who})"]
    for role in Role:
        gain = f"by its best response to the other {found.gains[role]:.4f} more"
        lines += ["", f"  the {role} plays {judged.seats[role]}"]
        lines.append(f"    it gets {found.values[role]:.4f}, {gain}")
        for opener in openers:
            best = found.responses[role].values[opener]
            lines.append(
                f"    best response when the {opener} opens, worth {best:.4f}, for instance:"
            )
            lines.append(f"      {moves(judged.instances[role][opener])}")
    return "\n".join(lines)


def _discount(rate: float) -> str:
    if rate == 1:
        return "undiscounted"
    return f"γ = {rate:g} between a role's own decisions"


def _winner(seller: float, buyer: float) -> str:
    if abs(seller - buyer) < EQUAL:
        return "neither gains more"
    return f"the {Role.SELLER if seller > buyer else Role.BUYER} gains more"


def moves(transcript: Transcript) -> str:
    """A negotiation in words: who offers what in which round, and how it ends."""
    words, last = [], 0
    turns = transcript.turns
    for n, turn in enumerate(turns):
        if LONG // 2 <= n < len(turns) - 4 and len(turns) > LONG:
            if n == LONG // 2:
                words.append("…")
            continue
        if turn.round + 1 != last:
            last = turn.round + 1
            words.append(f"round {last}:")
        words.append(f"{turn.role} {_action(transcript.scenario, turn)},")
    return " ".join(words).rstrip(",")


def _action(scenario: Scenario, turn: Turn) -> str:
    if turn.action == scenario.accept:
        return f"accepts {turn.price}"
    if turn.action == scenario.reject:
        return "quits"
    return f"{'asks' if turn.role is Role.SELLER else 'offers'} {turn.price}"


def _as_dict(
    scenario: Scenario, rate: float, solutions: list[Equilibrium], judged: _Judged | None
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "scenario": scenario.to_dict(),
        "discount_rate": rate,
        "equilibria": [
            {
                "opener": str(solution.opener),
                "indifferent": solution.indifferent.value,
                "seller": solution.values[Role.SELLER],
                "buyer": solution.values[Role.BUYER],
                "price": solution.path.outcome.price,
                "turns": _turns(solution.path),
            }
            for solution in solutions
        ],
    }
    if judged is not None:
        found = judged.nash_conv
        result["nash_conv"] = found.total
        result["roles"] = {
            str(role): {
                "value": found.values[role],
                "gain": found.gains[role],
                "best_response": {
                    f"{opener}_opens": {
                        "value": judged.nash_conv.responses[role].values[opener],
                        "turns": _turns(judged.instances[role][opener]),
                    }
                    for opener in Role
                },
            }
            for role in Role
        }
    return result


def _turns(transcript: Transcript) -> list[dict[str, Any]]:
    label = transcript.scenario.action_label
    return [
        {"role": str(turn.role), "round": turn.round + 1, "action": label(turn.action)}
        for turn in transcript.turns
    ]
