"""Text and plain values of trainings and tests: statistics and Q-tables. Pure."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.learned import WithBoth, WithPolicy
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TOGETHER
from negotiation_tui.learning.checkpoint import TrainedTables
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.learning.learner_registry import LEARNERS, learner, name_of
from negotiation_tui.learning.q_table import Values, by_limit, limit_words
from negotiation_tui.learning.spec import LEARNED, PREFIX
from negotiation_tui.learning.statistics import Totals
from negotiation_tui.runtime.text import plural, table
from negotiation_tui.solvers.payoffs import first_best


def statistics_text(
    scenario: Scenario, totals: Totals, wallets: tuple[int, int], wallets_of: str
) -> str:
    """Return the original's statistics: deals and breakdowns, by who ended it, and the wallets."""
    deals = totals.deals, totals.agreements_seller, totals.agreements_buyer
    breakdowns = totals.breakdowns, totals.breakdowns_seller, totals.breakdowns_buyer
    lines: list[tuple[str, ...]] = [
        ("", "total", "seller", "buyer"),
        ("negotiations", f"{totals.negotiations:,}", "", ""),
        ("deals", *(f"{count:,}" for count in deals)),
        ("breakdowns", *(f"{count:,}" for count in breakdowns)),
        (f"wallet, {wallets_of}", "", f"{wallets[0]:,}", f"{wallets[1]:,}"),
    ]
    text = table(lines, "<", ">10")
    price, rounds = totals.mean_price, totals.mean_rounds
    if price is not None and rounds is not None:
        text.append(f"mean price {price:.2f}, {rounds:.2f} rounds to a deal")
    says_shares = scenario.hidden or scenario.time_costs  # without both the prices say it
    best = first_best(scenario) if says_shares else 0.0
    if best > 0 and totals.negotiations:
        seller, buyer = totals.mean_rewards(scenario)
        gained = f"{seller:.3f} to the seller, {buyer:.3f} to the buyer"
        text.append(f"mean reward {gained}, {seller + buyer:.3f} of {best:.3f} possible on average")
    return "\n".join(text)


def q_table_text(scenario: Scenario, q: NDArray[np.float64]) -> str:
    """Return a Q-table in aligned columns with the original's labels; blank for a value of 0."""
    rows = [["", *(scenario.action_label(action) for action in range(scenario.n_actions))]]
    rows += (
        [scenario.state_label(state), *(f"{v:.3f}" if v else "" for v in values)]
        for state, values in enumerate(q.tolist())
    )
    return "\n".join(table(rows, ">"))


def training_text(tables: TrainedTables) -> str:
    statistics = tables.statistics
    last = statistics.left_over
    counts = statistics_text(tables.scenario, statistics.total, (last, -last), "last cycle")
    return f"{training_line(tables)}\n\n{counts}"


def training_line(tables: TrainedTables) -> str:
    parameters = tables.parameters
    states = ", opener-aware states" if tables.scenario.opener_aware else ""
    return (
        f"scenario {tables.scenario.name}{states}{tables.scenario.delta_text}, {_learners(tables)}:"
        f" {plural(parameters.cycles, 'cycle')} of {plural(parameters.episodes, 'episode')},"
        f" seed {tables.seed}"
    )


def _learners(tables: TrainedTables) -> str:
    seller, buyer = tables.strategies
    if seller and buyer:
        return f"nobody trains, seller {seller} and buyer {buyer}"
    if seller or buyer:
        role = Role.BUYER if seller else Role.SELLER
        return f"training the {role}{_way(tables, role)} against {seller or buyer}"
    if not tables.train_both:
        return f"training the {tables.train_agent} alone{_way(tables, tables.train_agent)}"
    ways = [_way(tables, role) for role in Role]
    agents = f"both agents{ways[0]}"
    if ways[0] != ways[1]:
        agents = " and ".join(f"the {role}{_way(tables, role, named=True)}" for role in Role)
    built_in = [each for each in tables.learners if each and name_of(each) in LEARNERS]
    together = any(learner(each).schedule == TOGETHER for each in built_in)
    order = "together" if together else f"{tables.train_agent} first"
    return f"training {agents}, {order}"


def _way(tables: TrainedTables, role: Role, named: bool = False) -> str:
    spec = tables.learners[role] or LEARNED
    if spec == LEARNED:
        return f" by {name_of(spec)}" if named else ""
    return f" by {spec.removeprefix(PREFIX)}"


def q_tables_text(tables: TrainedTables, values: Values = Values.RAW) -> str:
    """Return the Q-tables of the learners as text, and policies that play with probabilities."""
    kind = "" if values is Values.RAW else f", {values.words}"
    scenario, parts = tables.scenario, []
    for role in Role:
        agent = tables.agents[role]
        chances = isinstance(agent, WithPolicy) and not isinstance(agent, WithBoth)
        if tables.strategies[role] is None and not chances:
            parts.append((role, f"{role}'s Q-table{{}}{kind}", values.of(tables.rows(role))))
        if isinstance(agent, WithPolicy) and (chances or agent.policy.weights is not None):
            title = f"{role}'s probabilities of actions{{}}"
            parts.append((role, title, agent.policy.probabilities))
    return "\n\n".join(
        f"{title.format(limit)}\n\n{q_table_text(scenario, table)}"
        for role, title, rows in parts
        for limit, table in zip(
            limit_words(scenario, role), by_limit(scenario, role, rows), strict=True
        )
    )


def training_dict(tables: TrainedTables) -> dict[str, Any]:
    """Return a training as plain values; tables are lists of rows, one per hidden limit."""
    scenario, statistics = tables.scenario, tables.statistics
    return {
        **tables.settings,
        "players": {str(role): tables.specs[role] for role in Role},
        "totals": statistics.total.to_dict(),
        "cycles": statistics.to_dict(scenario),
        "nash_convs": [list(pair) for pair in tables.nash_convs],
        **({"reached": [each._asdict() for each in tables.reached]} if scenario.hidden else {}),
        "states": [scenario.state_label(state) for state in range(scenario.n_states)],
        "actions": [scenario.action_label(action) for action in range(scenario.n_actions)],
        "q_tables": {str(role): _lists(scenario, role, tables.rows(role)) for role in Role},
        "probabilities": {
            str(role): _lists(scenario, role, agent.policy.probabilities)
            if isinstance(agent, WithPolicy)
            else None
            for role, agent in zip(Role, tables.agents, strict=True)
        },
    }


def _lists(scenario: Scenario, role: Role, rows: NDArray[np.float64]) -> list[Any]:
    lists: list[Any] = by_limit(scenario, role, rows).tolist()
    return lists if scenario.limits[role] else lists[0]


def result_text(result: Evaluation) -> str:
    kind = "last cycle included" if result.left_over else "this test"
    wallets = (result.seller_wallet, result.buyer_wallet)
    scenario = result.last_negotiation.scenario.origin
    return f"test, {result.rule}\n\n" + statistics_text(scenario, result.totals, wallets, kind)
