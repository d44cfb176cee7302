"""One training with its tests: a run in, one row of plain values out.

Any process gives the same row, equal to the bit.
"""

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.evaluation import Evaluation, evaluate_both
from negotiation_tui.learning.headless import train_one_of
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.players.run import Run, training_of
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.matchup import tables_of

_COUNTS = ("agreements_seller", "agreements_buyer", "breakdowns_seller", "breakdowns_buyer")
_TEST_COLUMNS = (*_COUNTS, "seller_wallet", "mean_price")
_NASH_CONV_COLUMNS = ("nash_conv", "gain_seller", "gain_buyer")
_KINDS = "", "_undiscounted"
RESULTS = (
    *(f"train_{name}" for name in _COUNTS),
    "last_cycle_seller_wallet",
    *(f"corrected_{name}" for name in _TEST_COLUMNS),
    *(f"as_published_{name}" for name in _TEST_COLUMNS),
    *(f"{name}{kind}" for kind in _KINDS for name in _NASH_CONV_COLUMNS),
)
"""The columns of a row; from `as_published` on they are absent if a player has no table."""
_HIDDEN_RESULTS = ("efficiency", *(f"nash_conv{kind}_at_least" for kind in _KINDS))


def results_of(scenario: Scenario) -> tuple[str, ...]:
    """Return the columns of a row; with hidden limits three more, also absent without tables."""
    return (*RESULTS, *_HIDDEN_RESULTS) if scenario.hidden else RESULTS


def run_job(run: Run, distance: bool = True, jobs: int = 1) -> Row:
    """Train, test, and return counts, wallets and, with `distance`, NashConv.

    NashConv of 5 × 5 takes longer than the rest. The tests are by the rules and as published.
    The run is one of `jobs`: the work ahead, for which compiling may pay. Raises BadInputError if
    the scenario is too large or the file of a player has changed.
    """
    training = training_of(run)
    train_one_of(jobs, training)
    totals, left_over = training.statistics.total, training.statistics.left_over
    row: Row = {f"train_{name}": getattr(totals, name) for name in _COUNTS}
    row["last_cycle_seller_wallet"] = left_over
    seller, buyer = (training.policy(role) for role in Role)
    rng = generators(run.seed).test
    for test in evaluate_both(run.scenario, seller, buyer, rng, left_over, training.backend):
        row |= _test_columns(test)
    if distance and (tables := tables_of(run.scenario, seller, buyer)):
        for kind, rate in zip(_KINDS, (run.parameters.discount_rate, 1.0), strict=True):
            result = nash_conv(run.scenario, *tables, rate)
            row |= {f"nash_conv{kind}": result.total}
            row |= {f"gain_{role}{kind}": result.exploitability[role] for role in Role}
            if result.play:
                row[f"nash_conv{kind}_at_least"] = result.bounds[0]
                row["efficiency"] = result.play.efficiency
    return row


def _test_columns(result: Evaluation) -> Row:
    table = result.to_dict()
    rule = result.rule.replace("-", "_")
    return {f"{rule}_{name}": table[name] for name in _TEST_COLUMNS}
