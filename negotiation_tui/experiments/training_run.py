"""One training from beginning to end as a job: plain values in, one row of plain values out.

A job is all that a run depends on, so that it can be sent to any process or machine, and gives
the same row there to the last bit.
"""

from dataclasses import dataclass

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.evaluation import Evaluation, evaluate_both
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.players.file_digest import FileDigests, check_digest
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.strategies.matchup import tables_of

_COUNTS = ("agreements_seller", "agreements_buyer", "breakdowns_seller", "breakdowns_buyer")
_TESTED = (*_COUNTS, "seller_wallet", "mean_price")
_JUDGED = ("nash_conv", "gain_seller", "gain_buyer")
RESULTS = (
    *(f"train_{name}" for name in _COUNTS),
    "last_cycle_seller_wallet",
    *(f"corrected_{name}" for name in _TESTED),
    *(f"as_published_{name}" for name in _TESTED),
    *(f"{name}{kind}" for kind in ("", "_undiscounted") for name in _JUDGED),
)
"""The columns of a row; those from `as_published` on are missing where policies are too large."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a run depends on."""

    scenario: Scenario
    parameters: Parameters
    seed: int
    train_both: bool = True
    train_agent: Role = Role.SELLER
    strategies: tuple[str | None, str | None] = (None, None)
    """The static strategy of each seat, None for a learner; seller first."""
    recipe: str = "published"
    """What its parameters began as, to tell its row by."""
    file_digests: FileDigests = (None, None)
    """What the files in the seats held as it was made."""


def run_job(job: Job) -> Row:
    """Train, test both ways, and judge: counts, wallets and NashConv.

    Raises BadInputError where the scenario is too large, and where a seat's file has changed.
    """
    backend = fastest_backend()
    seller, buyer = (strategy_from_spec(name or LEARNED) for name in job.strategies)
    for name, contents in zip(job.strategies, job.file_digests, strict=True):
        check_digest(name, contents)
    training = ConcurrentTraining(
        job.scenario,
        job.parameters,
        job.seed,
        job.train_both,
        job.train_agent,
        seller,
        buyer,
        backend,
    )
    training.run()
    totals, left_over = training.statistics.total, training.statistics.left_over
    row: Row = {f"train_{name}": getattr(totals, name) for name in _COUNTS}
    row["last_cycle_seller_wallet"] = left_over
    one, other = (training.policy(role) for role in Role)
    rng = generators(job.seed).test
    for result in evaluate_both(job.scenario, one, other, rng, left_over, backend):
        row |= _tested(result)
    if tables := tables_of(job.scenario, one, other):
        for name, rate in (("", job.parameters.discount_rate), ("_undiscounted", 1.0)):
            found = nash_conv(job.scenario, *tables, rate)
            row |= {f"nash_conv{name}": found.total}
            row |= {f"gain_{role}{name}": found.exploitability[role] for role in Role}
    return row


def _tested(result: Evaluation) -> Row:
    table = result.to_dict()
    rule = result.rule.replace("-", "_")
    return {f"{rule}_{name}": table[name] for name in _TESTED}
