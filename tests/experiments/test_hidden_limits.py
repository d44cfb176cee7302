"""A sweep over trainings with hidden limits: its columns are those of an exact judge."""

import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.experiments.sweep import RESULTS, Sweep, run_of, train_and_test
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.strategies.matchup import tables_of

HIDDEN = Scenario.with_hidden_limits()
ADDED = ("efficiency", "nash_conv_at_least", "nash_conv_undiscounted_at_least")


def test_a_row_has_efficiency_and_bayesian_nash_conv() -> None:
    meant = run_of(HIDDEN, {"cycles": "3", "episodes": "20"}, 4)
    row = train_and_test(meant)
    training = ConcurrentTraining(HIDDEN, meant.parameters, 4)
    training.run()
    tables = tables_of(HIDDEN, *map(training.policy, Role))
    assert tables
    assert row["efficiency"] == expected_play(HIDDEN, *tables).efficiency
    assert row["nash_conv"] == nash_conv(HIDDEN, *tables).total
    assert row["nash_conv_undiscounted"] == nash_conv(HIDDEN, *tables, 1.0).total
    assert [row["nash_conv_at_least"], row["nash_conv_undiscounted_at_least"]] == [
        row["nash_conv"],
        row["nash_conv_undiscounted"],
    ]


def test_without_hidden_limits_the_columns_are_as_ever() -> None:
    known, hidden = (Sweep.of(each, {}, 1, 0) for each in (Scenario.original(), HIDDEN))
    assert known.results == RESULTS
    assert set(hidden.results) - set(RESULTS) == set(ADDED)


def test_a_grid_that_leaves_a_limit_no_price_is_refused() -> None:
    with pytest.raises(BadInputError, match=r"^seller\.limits: expected at most 3, got 4"):
        Sweep.of(HIDDEN, {"prices": ["3"]}, 1, 0)
