"""The script docs/first_trained.py measures single trainings as `sweep` does."""

import runpy

import pytest

from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from tests.support.paths import DOCS


@pytest.mark.parametrize("first", [Role.BUYER])
def test_one_training_gives_the_wallets_of_a_run_of_each_length(first: Role) -> None:
    pytest.importorskip("matplotlib")
    script = runpy.run_path(str(DOCS / "first_trained.py"))
    counts, seed = (2, 3), 5
    rows = [
        train_and_test(Run(Scenario.original(), Parameters(cycles=n), seed, train_agent=first))
        for n in counts
    ]
    assert script["wallets"](script["Job"](range(1), counts), seed, first) == [
        (
            row["corrected_seller_wallet"],
            row["as_published_seller_wallet"] - row["last_cycle_seller_wallet"],
            row["last_cycle_seller_wallet"],
        )
        for row in rows
    ]
