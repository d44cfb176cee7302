"""The script docs/first_trained.py measures single trainings as `sweep` does."""

import runpy
import sys
from typing import Any

import pytest

from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from tests.support.paths import DOCS


@pytest.mark.parametrize("first", Role)
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


def test_other_seeds_are_other_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    main = runpy.run_path(str(DOCS / "first_trained.py"))["main"]
    measured: list[range] = []

    def noted(_job: Any, seeds: range) -> None:
        measured.append(seeds)

    for name, instead in (("measure", noted), ("report", noted), ("draw", str)):
        monkeypatch.setitem(main.__globals__, name, instead)
    monkeypatch.setattr(sys, "argv", ["first_trained.py", "--pairs", "9", "--seed", "4"])
    main()
    assert measured[0] == range(4, 13)
    assert measured[1] == range(4, 7)


def test_who_is_first_is_also_last_at_odd_counts() -> None:
    pytest.importorskip("matplotlib")
    script = runpy.run_path(str(DOCS / "first_trained.py"))
    assert script["first_and_last"](98, 14) == [56, 42]
