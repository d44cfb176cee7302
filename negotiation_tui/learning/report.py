"""Text and plain values of trainings and tests: statistics and Q-tables. Pure."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import TrainedTables
from negotiation_tui.learning.evaluation import Evaluation
from negotiation_tui.learning.q_table import Values
from negotiation_tui.learning.statistics import Totals
from negotiation_tui.runtime.text import table


def statistics_text(totals: Totals, wallets: tuple[int, int], wallets_of: str) -> str:
    """Return the original's statistics: transactions in total and by role, and the wallets."""
    deals = totals.deals, totals.agreements_seller, totals.agreements_buyer
    breakdowns = totals.breakdowns, totals.breakdowns_seller, totals.breakdowns_buyer
    lines: list[tuple[str, ...]] = [
        ("", "total", "seller", "buyer"),
        ("transactions", f"{totals.negotiations:,}", "", ""),
        ("validated", *(f"{count:,}" for count in deals)),
        ("rejected", *(f"{count:,}" for count in breakdowns)),
        (f"wallet, {wallets_of}", "", f"{wallets[0]:,}", f"{wallets[1]:,}"),
    ]
    text = table(lines, "<", ">10")
    if totals.mean_price is not None and totals.mean_rounds is not None:
        text.append(
            f"mean price {totals.mean_price:.2f}, {totals.mean_rounds:.2f} rounds to a deal"
        )
    return "\n".join(text)


def q_table_text(scenario: Scenario, q: NDArray[np.float64]) -> str:
    """Return a Q-table in aligned columns with the original's labels; blank for a value of 0."""
    rows = [["", *(scenario.action_label(action) for action in range(scenario.n_actions))]]
    for state, values in enumerate(q.tolist()):
        rows.append([scenario.state_label(state), *(f"{v:.3f}" if v else "" for v in values)])
    return "\n".join(table(rows, ">"))


def training_text(tables: TrainedTables) -> str:
    """Return a summary of a training: its settings and statistics."""
    statistics = tables.statistics
    last = statistics.left_over
    counts = statistics_text(statistics.total, (last, -last), "last cycle")
    return f"{training_line(tables)}\n\n{counts}"


def training_line(tables: TrainedTables) -> str:
    """Return the settings of a training in one line."""
    parameters = tables.parameters
    states = ", opener-aware states" if tables.scenario.opener_aware else ""
    return (
        f"scenario {tables.scenario.name}{states}, {_learners(tables)}:"
        f" {parameters.cycles:,} cycles of {parameters.episodes:,} episodes,"
        f" seed {tables.seed}"
    )


def _learners(tables: TrainedTables) -> str:
    seller, buyer = tables.strategies
    if seller and buyer:
        return f"nobody trains, seller {seller} and buyer {buyer}"
    if seller or buyer:
        learner = Role.BUYER if seller else Role.SELLER
        return f"training the {learner} against {seller or buyer}"
    if tables.train_both:
        return f"training both agents, {tables.train_agent} first"
    return f"training the {tables.train_agent} alone"


def q_tables_text(tables: TrainedTables, values: Values = Values.RAW) -> str:
    """Return the Q-tables of the learners as text."""
    kind = "" if values is Values.RAW else f", {values.words}"
    return "\n\n".join(
        f"{role}'s Q-table{kind}\n\n"
        + q_table_text(tables.scenario, values.of(tables.q_tables[role]))
        for role in Role
        if tables.strategies[role] is None
    )


def training_dict(tables: TrainedTables) -> dict[str, Any]:
    """Return the settings, statistics and Q-tables of a training as plain values."""
    scenario, statistics = tables.scenario, tables.statistics
    return {
        "scenario": scenario.to_dict(),
        "parameters": tables.parameters.to_dict(),
        "seed": tables.seed,
        "train_both": tables.train_both,
        "train_agent": str(tables.train_agent),
        "totals": statistics.total.to_dict(),
        "cycles": statistics.to_dict(),
        "nash_convs": [list(pair) for pair in tables.nash_convs],
        "states": [scenario.state_label(state) for state in range(scenario.n_states)],
        "actions": [scenario.action_label(action) for action in range(scenario.n_actions)],
        "q_tables": {str(role): tables.q_tables[role].tolist() for role in Role},
    }


def result_text(result: Evaluation) -> str:
    """Return the result of a test as text."""
    kind = "last cycle included" if result.left_over else "this test"
    wallets = (result.seller_wallet, result.buyer_wallet)
    return f"test, {result.rule}\n\n" + statistics_text(result.totals, wallets, kind)
