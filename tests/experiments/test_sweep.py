"""`sweep`: the grid, its values, its file, and resuming after an interruption."""

import csv
import io
import json
import os
import re
import signal
import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, PriceRange, Role, Scenario, States
from negotiation_tui.experiments.settings import SETTING_NAMES
from negotiation_tui.experiments.sweep import Sweep, run_with, train_and_test
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.players.run import Run, training_of
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.text import quoted
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.strategies.matchup import tables_of
from tests.support.cli import has_lines, running
from tests.support.paths import DOCS
from tests.support.processes import HAS_PROC, alive, members, workers
from tests.support.sweeps import LONG, runs_done, swept, whole

SHORT = ("--set", "cycles=2", "--set", "episodes=5", "--set", "learning_rate=0.1,0.3")
"""Two settings of runs that are quick."""


def grid(scenario: Scenario, values: dict[str, tuple[str, ...]], runs: int, seed: int) -> list[Run]:
    return list(Sweep.of(scenario, values, runs, seed).jobs)


def key(run: Run) -> ResultRow:
    return Sweep((run,)).key(run)


def refused(file: Path | str, *words: str) -> str:
    status, out, err = swept(file, *words)
    assert (status, out, err.count("\n")) == (2, "", 1), err
    return err


BASE = Run(Scenario.original(), Parameters(), digests=(None, None))
SEVEN = replace(
    BASE.scenario,
    prices=tuple(range(1, 8)),
    seller=PriceRange(1, 7),
    buyer=PriceRange(1, 7),
    reservation=(0, 7),
)
RESULTS = Sweep((BASE,)).results
CORRECTED = RECIPES["corrected"](BASE.scenario)


def of_scenario(**changes: Any) -> Run:
    return replace(BASE, scenario=replace(BASE.scenario, **changes))


VALUES: dict[str, tuple[str, Run]] = {
    "prices": ("7", replace(BASE, scenario=SEVEN)),
    "rounds": ("3", of_scenario(rounds=3)),
    "states": ("opener-aware", of_scenario(states=States.OPENER_AWARE)),
    "recipe": ("corrected", replace(BASE, parameters=CORRECTED, recipe="corrected")),
    "seller": ("midpoint", replace(BASE, players=("midpoint", "learned"))),
    "buyer": ("midpoint", replace(BASE, players=("learned", "midpoint"))),
    "learner": ("sarsa", replace(BASE, players=("learned:sarsa", "learned:sarsa"))),
    "opener": ("buyer", of_scenario(opener=Opener.BUYER)),
    "delta": (
        "0.9+0.8",
        replace(
            of_scenario(delta=(0.9, 0.8)), parameters=replace(BASE.parameters, discount_rate=1.0)
        ),
    ),
    "train_both": ("False", replace(BASE, train_both=False)),
    "train_agent": ("Buyer", replace(BASE, train_agent=Role.BUYER)),
}
for name, default in Parameters().to_dict().items():
    other: Any = 0.25 + default / 2 if isinstance(default, float) else default + 1
    if isinstance(default, bool):
        other = not default
    VALUES[name] = str(other), replace(BASE, parameters=replace(BASE.parameters, **{name: other}))


def test_the_grid_turns_the_last_setting_fastest_and_the_seeds_within() -> None:
    jobs = grid(BASE.scenario, {"cycles": ("2", "1"), "rounds": ("5", "3")}, 2, 7)
    turned = [(job.parameters.cycles, job.scenario.rounds, job.seed) for job in jobs]
    settings_in_order = [(2, 5), (2, 3), (1, 5), (1, 3)]
    assert turned == [(*each, seed) for each in settings_in_order for seed in (7, 8)]
    assert grid(BASE.scenario, {}, 1, 0) == [BASE]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(each, marks=[pytest.mark.slow] * (each not in {"prices", "cycles"}))
        for each in SETTING_NAMES
    ],
)
def test_every_name_reaches_the_job_and_its_row(name: str) -> None:
    written, meant = VALUES[name]
    assert grid(BASE.scenario, {name: (written,)}, 1, 0) == [meant]
    assert meant != BASE
    assert key(meant) != key(BASE), "its row says so"
    dashed = name.replace("_", "-")
    runs_done("one.jsonl", "--set", f"{dashed}={written}")
    row = json.loads(Path("one.jsonl").read_text(encoding="utf-8"))
    assert row == {**dict.fromkeys(RESULTS), **key(meant), **train_and_test(meant)}


@pytest.mark.usefixtures("without_numba")  # a busy machine would compile
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_delta_is_a_column_where_time_costs_in_any_run(suffix: str) -> None:
    deltas = "--set", "delta=1,0.9,0.9+0.5", "--set", "cycles=4", "--set", "episodes=20"
    text, file = whole(suffix, *deltas), Path(f"rows{suffix}")
    file.write_bytes(b"".join(text.splitlines(keepends=True)[: -1 - (suffix == ".csv")]))
    runs_done(file, *deltas)
    assert file.read_bytes() == text
    jobs = grid(
        BASE.scenario,
        {"delta": ("1", "0.9", "0.9+0.5"), "cycles": ("4",), "episodes": ("20",)},
        1,
        0,
    )
    rows = Sweep(tuple(jobs)).file(file).rows()
    assert [row["delta"] for row in rows] == [1.0, 0.9, "0.9+0.5"]
    assert [row["discount_rate"] for row in rows] == [0.99, 1.0, 1.0]
    for row, job in zip(rows, jobs, strict=True):
        training = training_of(job)
        training.run()
        tables = tables_of(job.scenario, *map(training.policy, Role))
        assert tables
        assert row["nash_conv"] == nash_conv(job.scenario, *tables, row["discount_rate"]).total
    assert "delta" not in Sweep((BASE,)).described[0]


def test_a_recipe_is_of_the_changed_scenario_and_what_is_set_comes_on_top() -> None:
    values = {
        "recipe": "reverse-curriculum",
        "cycles": "3",
        "prices": "7",
        "states": "opener-aware",
    }
    (job,) = grid(BASE.scenario, {name: (value,) for name, value in values.items()}, 1, 0)
    assert job.scenario == replace(SEVEN, states=States.OPENER_AWARE)
    assert job.parameters == replace(RECIPES["reverse-curriculum"](job.scenario), cycles=3)


def test_a_learner_sits_where_nobody_else_does_and_its_settings_may_be_joined_by_plus() -> None:
    wolf = "wolf-phc:delta_win=0.02+delta_lose=0.08"
    values = {"learner": ("q-learning", wolf), "seller": ("learned", "learned:sarsa", "midpoint")}
    sat = [job.players for job in grid(BASE.scenario, values, 1, 0)]
    spec = "learned:wolf-phc:delta_win=0.02,delta_lose=0.08"
    assert sat == [
        *((each, "learned") for each in ("learned", "learned:sarsa", "midpoint")),
        *((spec, spec), ("learned:sarsa", spec), ("midpoint", spec)),
    ]
    keys = [key(job) for job in grid(BASE.scenario, values, 1, 0)]
    assert (keys[0]["seller"], keys[0]["buyer"]) == ("learned", "learned")
    assert (keys[4]["seller"], keys[4]["buyer"]) == ("learned:sarsa", spec)


def as_csv(value: Any) -> str:
    """Lower case for true and false, as on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_one_row_a_run_with_all_it_depends_on(suffix: str) -> None:
    values = {"cycles": ("2",), "episodes": ("5",), "learning_rate": ("0.1", "0.3")}
    jobs = grid(BASE.scenario, values, 2, 0)
    rows = [{**dict.fromkeys(RESULTS), **key(job), **train_and_test(job)} for job in jobs]
    columns = [*key(BASE), *RESULTS]
    text = whole(suffix, *SHORT, "--runs", "2").decode()
    if suffix == ".jsonl":
        assert [list(json.loads(line).items()) for line in text.splitlines()] == [
            [(name, row[name]) for name in columns] for row in rows
        ]
    else:
        assert list(csv.reader(io.StringIO(text))) == [
            columns,
            *([as_csv(row[name]) for name in columns] for row in rows),
        ]


@pytest.mark.slow
@settings(max_examples=20)
@given(st.sampled_from([".csv", ".jsonl"]), st.data())
def test_cut_off_anywhere_it_goes_on_with_what_is_missing(suffix: str, data: st.DataObject) -> None:
    finished = whole(suffix, *SHORT, "--runs", "2")
    kept = finished[: data.draw(st.integers(0, len(finished)))]
    rows = max(0, kept.count(b"\n") - (suffix == ".csv"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"cut{suffix}"
        file.write_bytes(kept)
        assert runs_done(file, *SHORT, "--runs", "2") == 4 - rows
        assert file.read_bytes() == finished


@pytest.mark.slow
def test_more_runs_and_more_values_extend_a_file() -> None:
    file = Path("grown.jsonl")
    assert runs_done(file, "--set", "cycles=2", "--set", "episodes=5", "--runs", "2") == 2
    assert runs_done(file, *SHORT, "--runs", "2") == 2
    assert runs_done(file, *SHORT, "--runs", "3", workers=2) == 2
    assert runs_done(file, *SHORT, "--runs", "3") == 0
    assert file.read_bytes() == whole(".jsonl", *SHORT, "--runs", "3")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_a_file_that_an_editor_on_windows_saved_goes_on(suffix: str, bom: bytes) -> None:
    file, finished = Path(f"edited{suffix}"), whole(suffix, *SHORT)
    edited = bom + finished.replace(b"\n", b"\r\n")
    for kept, missing in ((edited, 0), (edited[: edited.rindex(b"\n", 0, -1) + 1], 1)):
        file.write_bytes(kept)
        assert runs_done(file, *SHORT) == missing
        assert file.read_bytes() == finished


OTHER = ("--set", "cycles=2", "--set", "episodes=6")
HEADER, ROW = whole(".csv", *OTHER).splitlines(keepends=True)


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".csv", b"\x80\x00\xff"),
        (".csv", b"precious\n"),
        (".csv", b"precious"),
        (".csv", HEADER[1:] + ROW),
        (".csv", HEADER + ROW),
        (".csv", HEADER + ROW[: len(ROW) // 2] + b"\n"),
        (".csv", HEADER + b"x" * 200_000 + b"\n"),
        (".jsonl", b"\x80\x00\xff"),
        (".jsonl", b"null\n[]\n{}\n"),
        (".jsonl", b'{"precious": 1}'),
        (".jsonl", b"[" * 100_000 + b"\n"),
        (".jsonl", whole(".jsonl", *OTHER)),
    ],
)
def test_a_file_of_anything_else_is_left_alone(suffix: str, content: bytes) -> None:
    file = Path(f"theirs{suffix}")
    file.write_bytes(content)
    assert quoted(file) in refused(file, *SHORT)
    assert file.read_bytes() == content


def test_scenarios_that_differ_do_not_share_a_file() -> None:

    game_file = Path("mine.toml")
    game_file.write_text("prices = 5\nrounds = 5\n", encoding="utf-8")
    runs_done("rows.csv", "--scenario", "mine.toml", *SHORT)
    game_file.write_text("prices = 5\nrounds = 5\nseller = { min = 3 }\n", encoding="utf-8")
    message = refused("rows.csv", "--scenario", "mine.toml", *SHORT)
    assert "row 1 was played with other rules; " in message


@pytest.mark.parametrize("name", ["für alle", '\\"a\\", b', "two\\nlines", "a\\u2028b"])
def test_a_scenario_may_have_any_name_that_is_not_refused(name: str) -> None:
    text = f'name = "{name}"\nprices = 5\nrounds = 5\n'
    Path("any.toml").write_text(text, encoding="utf-8")
    words = ("--scenario", "any.toml", *SHORT)
    file, (status, _, err) = Path("rows.csv"), swept("rows.csv", *words)
    if status:
        assert (status, err.count("\n")) == (2, 1)
        return
    finished = file.read_bytes()
    last = finished.rindex(b"\n", 0, -1)
    for end in (0, 5, 10, 11):  # in the last row's name, within a letter of two bytes too
        file.write_bytes(finished[: last + 1 + end])
        assert runs_done(file, *words) == 1
        assert file.read_bytes() == finished
    assert runs_done(file, *words) == 0


def test_other_contents_of_a_seats_file_are_another_run(tmp_path: Path) -> None:
    strategy = tmp_path / "mine.py"
    strategy.write_text((DOCS / "my_strategy.py").read_text())
    out, words = tmp_path / "rows.csv", ("--set", f"seller={strategy}", *SHORT)
    assert runs_done(out, *words) == 2
    assert runs_done(out, *words) == 0
    with strategy.open("a") as file:
        file.write("# something else\n")
    message = refused(out, *words)
    assert f"row 1 was played with other contents of {strategy}" in message


HIDDEN = Scenario.of("hidden")


def test_a_row_has_efficiency_and_bayesian_nash_conv() -> None:
    meant = run_with(HIDDEN, {"cycles": "3", "episodes": "20"}, 4)
    row = train_and_test(meant)
    added = {"efficiency", "nash_conv_at_least", "nash_conv_undiscounted_at_least"}
    assert set(Sweep.of(HIDDEN, {}, 1, 0).results) - set(RESULTS) == added
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


def test_a_grid_that_leaves_a_limit_no_price_is_refused() -> None:
    with pytest.raises(BadInputError, match=r"^seller\.limits: expected at most 3, got 4"):
        Sweep.of(HIDDEN, {"prices": ["3"]}, 1, 0)


def test_it_ends_with_the_mean_and_interval_of_each_combination() -> None:
    words = (*SHORT, "--set", "buyer=learned,linear", "--runs", "6")
    status, out, _ = swept("rows.jsonl", *words)
    _, _, head, titles, *lines = out.splitlines()
    assert (status, head) == (0, "means over 6 runs with 95% intervals; tests by the rules")
    assert titles.split()[:4] == ["cycles", "episodes", "learning_rate", "buyer"]
    rows = [json.loads(line) for line in Path("rows.jsonl").read_text("utf-8").splitlines()]
    for n, (rate, buyer) in enumerate(product(("0.1", "0.3"), ("learned", "linear"))):
        own = [row["nash_conv"] for row in rows[6 * n : 6 * n + 6]]
        error = 2.570582 * stdev(own) / 6**0.5  # Student's quantile with 5 degrees of freedom
        assert lines[n].split()[:4] == ["2", "5", rate, buyer]
        mean_error = [float(word) for word in lines[n].split()[-3::2]]
        assert mean_error == pytest.approx([mean(own), error], abs=2e-3)
    assert len(lines) == 4


@pytest.mark.usefixtures("without_numba")  # a busy machine would compile
def test_a_single_run_has_no_interval_and_nobody_s_nash_conv_no_column() -> None:
    one = swept("one.csv", "--set", "seller=random", "--set", "buyer=tit-for-tat", *OTHER)[1]
    assert "±" not in one
    assert "NashConv" not in one


needs_proc = pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")


def sweep(file: Path, workers: int) -> tuple[str, ...]:
    return ("sweep", "--out", str(file), "--workers", str(workers), *LONG)


def goes_on(file: Path) -> None:
    rows = file.read_bytes().count(b"\n") - 1
    assert runs_done(file, *LONG) == 30 - rows
    assert file.read_bytes() == whole(".csv", *LONG)


@needs_proc
@pytest.mark.slow
def test_lost_workers_are_told_in_one_line() -> None:
    file = Path("lost.csv")
    with running(*sweep(file, 2), until=has_lines(file, 4)) as process:
        for worker in workers(process.pid):  # one alone may have no job at this moment
            os.kill(worker, signal.SIGKILL)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 2
        assert not alive(process.pid)
    rows = file.read_bytes().count(b"\n") - 1
    assert err.startswith("negotiation-tui: a worker process ended before its job was done")
    assert err.endswith(f"; {file} holds {rows} of 30 runs; resume with the same command\n")
    assert err.count("\n") == 1
    goes_on(file)


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 4])
def test_ctrl_c_while_the_workers_begin_is_as_quiet(processes: int) -> None:
    """There are the program, the tracker of what it shares, and two workers."""
    file = Path("begun.csv")
    with running(
        *sweep(file, 2), until=lambda process: len(members(process)) >= processes
    ) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        said = rf"{file} holds \d+ of 30 runs; resume with the same command\n"
        assert re.fullmatch(said, err), err
        assert not alive(process.pid)
