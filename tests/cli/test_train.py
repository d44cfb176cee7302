"""`train` and `test`: what they print, what they write, what they say meanwhile."""

import json
import os
import re
import xml.etree.ElementTree as ET
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.cli import plots
from negotiation_tui.experiments.reproduction import EXPERIMENTS, Finding
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning import evaluation
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.random_streams import generators
from negotiation_tui.runtime.result_file import ResultRow
from tests.support.cli import Captured, printed

TRAIN = ("train", "--seed", "3", "--cycles", "4")
LABELS = ["1", "2", "3", "4", "5", "0", "-1"]
SVG = "{http://www.w3.org/2000/svg}"


def trained(**changes: Any) -> ConcurrentTraining:
    parameters = Parameters(**{"cycles": 4, **changes})
    training = ConcurrentTraining(Scenario.original(), parameters, 3)
    training.run()
    return training


def tables_in(text: str) -> list[list[str]]:
    blocks = [list(lines) for full, lines in groupby(text.splitlines(), bool) if full]
    return [block for block in blocks if block[0].split() == LABELS]


def cells(table: list[str]) -> dict[str, list[str]]:
    """The cells of an aligned table by the label of their row, each column where its label ends."""
    ends = [table[0].rindex(f" {label}") + 1 + len(label) for label in LABELS]
    starts = [3, *ends[:-1]]
    return {
        line[:3].strip(): [line[a:b].strip() for a, b in zip(starts, ends, strict=True)]
        for line in table[1:]
    }


def expected(q: np.ndarray[Any, Any]) -> list[list[str]]:
    return [[f"{value:.3f}" if value else "" for value in row] for row in q.tolist()]


def test_the_statistics_are_those_of_the_training(capsys: Captured) -> None:
    training = trained()
    total, wallet = training.statistics.total, training.statistics.wallets[-1]
    lines = printed(capsys, *TRAIN).splitlines()
    assert re.match("scenario original, .* both agents, seller first: 4 .* seed 3$", lines[0])
    header, negotiations, agreed, broken, wallets, means = lines[2:8]
    assert header.split() == ["total", "seller", "buyer"]
    assert negotiations.split() == ["negotiations", "400"]
    deals = (total.deals, total.agreements_seller, total.agreements_buyer)
    breakdowns = (total.breakdowns, total.breakdowns_seller, total.breakdowns_buyer)
    assert agreed.split() == ["deals", *map(str, deals)]
    assert broken.split() == ["breakdowns", *map(str, breakdowns)]
    assert wallets.split()[-2:] == [str(wallet[0]), str(wallet[1])]
    assert means == f"mean price {total.mean_price:.2f}, {total.mean_rounds:.2f} rounds to a deal"
    for line in (agreed, broken, wallets):
        assert len(line) == len(header), "the last column ends where its heading does"


def test_the_tables_are_aligned_and_blank_where_untrained(capsys: Captured) -> None:
    scenario, training = Scenario.original(), trained()
    tables = tables_in(printed(capsys, *TRAIN))
    assert len(tables) == 2
    for role, table in zip(Role, tables, strict=True):
        shown = cells(table)
        assert list(shown) == [scenario.state_label(state) for state in range(scenario.n_states)]
        assert list(shown.values()) == expected(training.q_table(role))
        assert shown["d"] == [""] * 7
        assert all(line == line.rstrip() for line in table)


def test_not_verbose_is_silent_but_for_what_was_asked(capsys: Captured, tmp_path: Path) -> None:
    assert printed(capsys, *TRAIN, "--no-verbose") == ""
    assert len(tables_in(printed(capsys, *TRAIN, "--no-verbose", "--display-normalized"))) == 2
    file = str(tmp_path / "t")
    for words, tables in (((), 0), (("--verbose",), 2)):
        shown = printed(capsys, *TRAIN, *words, "--save", file)
        assert (len(tables_in(shown)), " episodes, seed 3" in shown) == (tables, True)
    saved = f"tables saved to {file}.npz\n"
    assert printed(capsys, *TRAIN, "--no-verbose", "--save", file) == saved


def test_json_holds_the_training_of_the_same_seed(capsys: Captured) -> None:
    training = trained()
    about = json.loads(printed(capsys, *TRAIN, "--json"))
    assert about["totals"] == training.statistics.total.to_dict()
    assert about["parameters"] == training.parameters.to_dict()
    assert Scenario.from_dict(about["scenario"]) == training.scenario
    assert (about["seed"], about["train_both"], about["train_agent"]) == (3, True, "seller")
    statistics = training.statistics
    for role in Role:
        assert np.array_equal(about["q_tables"][str(role)], training.q_table(role))
        for name, counts in {
            f"agreements_{role}": statistics.agreements,
            f"breakdowns_{role}": statistics.breakdowns,
            f"{role}_wallet": statistics.wallets,
        }.items():
            assert about["cycles"][name] == counts[:, role].tolist()
    assert (len(about["states"]), about["actions"]) == (27, LABELS)


def test_every_parameter_reaches_the_training(capsys: Captured) -> None:
    changes = {"learning_rate": 0.5, "discount_rate": 0.9, "exploration_start": 0.8}
    changes |= {"exploration_end": 0.2, "exploration_decay": 0.01, "episodes": 30}
    words = [f"--{name.replace('_', '-')}={value}" for name, value in changes.items()]
    about = json.loads(printed(capsys, *TRAIN, "--json", "--no-exploration-restarts", *words))
    training = trained(exploration_restarts=False, **changes)
    assert about["parameters"] == training.parameters.to_dict()
    assert np.array_equal(about["q_tables"]["buyer"], training.q_table(Role.BUYER))


@pytest.mark.parametrize("published", [False, True])
def test_saved_tables_are_tested_as_in_process(
    capsys: Captured, tmp_path: Path, published: bool
) -> None:
    file = str(tmp_path / "tables.npz")
    assert f"tables saved to {file}" in printed(capsys, *TRAIN, "--save", file)
    tables, training = load_tables(file), trained()
    assert np.array_equal(tables.q_tables, training.q_tables)
    seller, buyer = (greedy(tables.scenario, role, training.q_table(role)) for role in Role)
    rng = generators(5).test
    left_over = int(training.statistics.wallets[-1, Role.SELLER])
    if published:
        result = evaluation.evaluate_as_published(
            tables.scenario, seller, buyer, rng, 301, left_over
        )
    else:
        result = evaluation.evaluate(tables.scenario, seller, buyer, rng, 301)
    words = ["test", file, "--negotiations", "301", "--seed", "5"]
    words += ["--as-published"] * published
    assert json.loads(printed(capsys, *words, "--json")) == result.to_dict()
    text = printed(capsys, *words)
    assert text.startswith(f"test, {'as-published' if published else 'corrected'}\n")
    wallet = next(line for line in text.splitlines() if line.startswith("wallet"))
    assert wallet.split()[-2:] == [f"{result.seller_wallet:,}", f"{result.buyer_wallet:,}"]


def test_a_plot_as_svg_holds_three_plots(capsys: Captured, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "plot.svg"
    assert f"plots saved to {file}" in printed(capsys, *TRAIN, "--display-plot", str(file))
    groups = [group.get("id", "") for group in ET.parse(file).getroot().iter(f"{SVG}g")]
    assert [name for name in groups if name.startswith("axes_")] == ["axes_1", "axes_2", "axes_3"]


def test_every_run_is_in_a_histogram(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    figures: list[Any] = []
    monkeypatch.setattr(plots, "_save", lambda _, figure: figures.append(figure))
    columns = [f"{name}_seller_wallet" for name in ("as_published", "last_cycle", "corrected")]
    rows: list[ResultRow] = [dict.fromkeys(columns, float(n)) for n in range(8)]
    both = [rows[2 * n : 2 * n + 2] for n in range(4)]
    found = [Finding.of(each, part) for each, part in zip(EXPERIMENTS, both, strict=True)]
    plots.save_wallets("x.svg", found, rows)
    for axes in figures[0].axes:
        assert sum(bar.get_height() for bar in axes.patches) == 2 * 2


@pytest.mark.terminal
@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    "words",
    [
        "train --cycles 1000000 --save tables.npz",
        pytest.param("market --limit steps=10000000 --json", marks=pytest.mark.slow),
        pytest.param(
            "sweep --text --set cycles=200 --runs 1000 --workers 2 --out rows.csv",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_ctrl_c_leaves_no_bar_and_no_bar_needs_escape_sequences(words: str) -> None:
    pytest.importorskip("pyte")
    from tests.support.pty_session import PROGRAM, Session

    with Session([*PROGRAM, *words.split()], 100) as session:
        session.wait_for(" s left")
        session.send("\x03")
        assert session.status() == 130
        assert "[" not in session.text
        assert b"\x1b" not in session.output
