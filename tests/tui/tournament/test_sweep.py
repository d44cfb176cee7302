"""The screen of a sweep: its picture is that of its rows, and each of its runs can be opened."""

import csv
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui import endings as endings_of
from negotiation_tui.experiments.sweep import IF_OPENS, Sweep, difference
from negotiation_tui.players.run import training_of
from negotiation_tui.sessions.commands import PlayOn
from negotiation_tui.sessions.contest_session import ContestSession, ContestSnapshot
from negotiation_tui.tui.toolkit.messages import KeyPressed
from negotiation_tui.tui.toolkit.run_screen import Opened
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import render, sentence
from negotiation_tui.tui.tournament.update import new_model, opened_pair, update
from tests.support.game import values_of

pytestmark = pytest.mark.usefixtures("without_numba")
GRID = {
    "recipe": ("corrected",),
    "states": ("opener-aware",),
    "cycles": ("20",),
    "learning_rate": ("0.1", "1"),
    "exploration_end": ("0.01", "0.5", "1"),
}
ONE = {name: GRID[name] for name in ("cycles", "learning_rate")}
AXES: dict[str, dict[str, tuple[str, ...]]] = {
    "none": {"cycles": ("20",)},
    "one": ONE,
    "two": GRID,
    "three": GRID | {"cycles": ("10", "20"), "exploration_end": ("0.01", "1")},
}


@cache
def done(axes: str = "two", game: str = "original", runs: int = 3) -> ContestSnapshot:
    sweep = Sweep.of(Scenario.of(game), AXES[axes], runs, 0)
    return ContestSnapshot(sweep, sweep.rows(), numbers=tuple(range(len(sweep.jobs))))


def screen(snapshot: ContestSnapshot, *keys: str, size: tuple[int, int] = (120, 36)) -> Model:
    model = new_model(snapshot, running=False, width=size[0], height=size[1])
    for key in keys:
        model = update(model, KeyPressed(key, 0.0))
    return model


def text(model: Model) -> str:
    return render(model).text()


def test_the_picture_equals_the_file(tmp_path: Path) -> None:
    sweep = Sweep.of(Scenario.original(), GRID, 3, 0)
    for most in (4, len(sweep.jobs)):  # left early, then resumed
        session = ContestSession(sweep, sweep.file(tmp_path / "rows.csv"), 1, None)
        session.handle(PlayOn())
        while len(session.snapshot.rows) < most:
            session.step()
        session.close()
        assert text(screen(session.snapshot))
    model = screen(session.snapshot)
    with (tmp_path / "rows.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert (tmp_path / "rows.csv").read_text() == written(tmp_path)
    for rate in GRID["learning_rate"]:
        for end in GRID["exploration_end"]:
            at = [
                r
                for r in rows
                if (r["learning_rate"], r["exploration_end"]) == (float_of(rate), float_of(end))
            ]
            assert f"{fmean(float(r['nash_conv']) for r in at):.2f}" in text(model)
    chosen = [rows[n] for n in model.numbers]
    assert model.endings
    assert model.endings.counts == endings_of({k: float(r[k]) for k in IF_OPENS} for r in chosen)


def written(folder: Path) -> str:
    """Return the file of the same sweep, run without the screen."""
    sweep = Sweep.of(Scenario.original(), GRID, 3, 0)
    sweep.rows(sweep.file(folder / "other.csv"))
    return (folder / "other.csv").read_text(encoding="utf-8")


def float_of(text: str) -> str:
    return str(float(text))


def test_seed_0_of_each_cell_is_first() -> None:
    sweep = Sweep.of(Scenario.original(), GRID, 3, 0)
    turn = sweep.in_turn(range(len(sweep.jobs)))
    assert [sweep.jobs[n].seed for n in turn] == [0] * 6 + [1] * 6 + [2] * 6


@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])
@pytest.mark.parametrize("axes", AXES)
def test_axes_are_those_that_vary(axes: str, size: tuple[int, int]) -> None:
    shown = text(screen(done(axes, runs=2), size=size))
    for name, symbol in {"learning_rate": "α", "exploration_end": "ε end"}.items():
        varies = len(AXES[axes].get(name, ())) > 1
        assert (name in shown or symbol in shown) >= varies
    assert "2 runs" in shown
    assert ("end 0.01" in shown.splitlines()[1]) == (axes == "three")


def test_a_third_setting_is_paged() -> None:
    pages = [text(screen(done("three", runs=2), *keys)) for keys in ((), ("]",), ("]", "]"))]
    assert ["exploration_end 1 ·" in page for page in pages] == [False, True, False]
    assert "there is no third setting" in screen(done(), "]").message


def test_v_shows_the_next_value() -> None:
    titles = ["NashConv", "Opener's coins", "Deals", "Rounds to a deal", "Mean price"]
    for presses, title in enumerate([*titles, "Seller's wallet"]):
        assert f"1 {title} " in text(screen(done(), *["v"] * presses))


def test_a_cell_is_compared_by_seed() -> None:
    model = screen(done(), "home", "left", "left", "up", "m", "right", "right")
    shown, cells = text(model), model.latest.cells
    assert "less ◆, by seed" in shown
    found = difference(cells[model.key], cells["0.1", "0.01"], "nash_conv")
    rows = [
        [row["nash_conv"] for row in cells[key]["runs"].values()]
        for key in (model.key, ("0.1", "0.01"))
    ]
    assert found
    assert found.mean == pytest.approx(float(np.mean(np.subtract(rows[0], rows[1]))))
    assert f"{found.mean:+.3f}".replace("-", "−") in shown
    assert screen(done(), "m", "m").message == "no cell is marked"


def told(seed: int, runs: int, missing: int | None = None, **game: Any) -> ContestSnapshot:
    """Return two cells in whose runs the seller gets all with an odd seed and nothing with another.

    A seed can be missing in the second cell.
    """
    sweep = Sweep.of(Scenario.of(game), {"cycles": ("1", "2")}, runs, seed)
    rows = {
        n: done("none").rows[0]
        | {"seed": job.seed, IF_OPENS[0]: job.seed % 2 * job.scenario.width}
        | {IF_OPENS[1]: None if game.get("opener") else 0}
        for n, job in enumerate(sweep.jobs)
        if n < runs or job.seed != missing
    }
    return ContestSnapshot(sweep, tuple(rows.values()), numbers=tuple(rows))


def test_a_column_of_a_cell_is_a_seed() -> None:
    shown = told(5, 40, missing=8, prices=5, rounds=5)
    columns = "".join(" " if seed == 8 else "▓█"[seed % 2] for seed in range(5, 40))
    drawn = text(screen(shown, "right", size=(80, 24)))
    assert f"0 {columns} " in drawn
    assert "seed 5   14        24           39" in drawn
    assert "of 40 runs, below the seeds 5 to 39" in drawn
    assert "the seeds" not in text(screen(shown, size=(120, 36)))
    low = text(screen(shown, size=(80, 13)))
    assert "seller opens, gets 4" in low
    assert "last" not in low
    alone = told(0, 2, opener="seller", prices=5, rounds=5)
    assert "never" in text(screen(alone))


def test_endings_are_paged_as_cells_are() -> None:
    shown = told(0, 2, prices=50, rounds=3)
    assert "seller ↓ buyer →" in text(screen(shown, "2", size=(80, 24)))
    assert "42–48  49–55" in text(screen(shown, "2", *["right"] * 8, size=(80, 24)))
    assert "0–6   7–13" in text(screen(shown, "2", size=(80, 24)))


@pytest.mark.parametrize("game", ["hidden", "seller-opens"])
def test_endings_of_other_games(game: str) -> None:
    scenario = Scenario.of("hidden")
    if game != "hidden":
        scenario = Scenario.of({"prices": 5, "rounds": 5, "opener": "seller"})
    sweep = Sweep.of(scenario, {"cycles": ("4",)}, 2, 0)
    rows = sweep.rows()
    model = screen(ContestSnapshot(sweep, rows, numbers=(0, 1)), "2", "z")
    if game == "hidden":
        assert "coins are means over limits" in " ".join(text(model).split())
        assert not endings_of(rows)
    else:
        assert "coins of the seller if the seller opens" in text(model)
        assert sum(endings_of(rows).values()) == 2
        assert all(row.get(IF_OPENS[Role.BUYER]) is None for row in rows)


def opened(model: Model) -> Any:
    model, on_top = opened_pair(model)
    assert isinstance(on_top, Opened)
    session = on_top.session
    for command in on_top.model.commands:
        session.handle(command)
    while session.running:
        session.step()
    return session.snapshot


@pytest.mark.parametrize("n", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_a_run_opens_at_its_very_end(n: int) -> None:
    model = screen(done())
    for key in random.Random(n).choices([*model.latest.cells], k=n):
        place = tuple(names.index(each) for names, each in zip(model.grid.axes, key, strict=True))
        model = screen(done(), "home", *["down"] * place[0], *["right"] * place[1], "enter", "down")
        chosen = model.numbers[1]
        training = training_of(model.grid.jobs[chosen])
        training.run_episodes(training.parameters.total)
        snapshot = opened(update(model, KeyPressed("enter", 0.0)))
        assert snapshot.seed == training.seed == 1
        for role in Role:
            values = values_of(snapshot.agents[role])[:]
            assert np.array_equal(values, values_of(training.learned(role))[:])


def test_an_interval_carries_the_words() -> None:
    shown = done()
    rows = [
        row | {"nash_conv": 0.1 * row["learning_rate"] + 0.01 * row["seed"]} for row in shown.rows
    ]
    assert "learning_rate 0.1 → 1: farther from equilibrium, NashConv .02 → .11" in sentence(
        screen(replace(shown, rows=tuple(rows)))
    )
    rows = [row | {"nash_conv": 0.1 * (row["seed"] == 1)} for row in shown.rows]
    assert "equilibrium" not in sentence(screen(replace(shown, rows=tuple(rows))))


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_an_older_file_stays_as_it_is(suffix: str, tmp_path: Path) -> None:
    sweep = Sweep.of(Scenario.original(), {"cycles": ("2",)}, 2, 0)
    older = type("Older", (Sweep,), {"added": ()})(sweep.jobs, settings=sweep.settings)
    path = tmp_path / f"rows{suffix}"
    file = older.file(path)
    for number, row in enumerate(sweep.rows()):
        file.add(number, {name: row.get(name) for name in older.results})
    file.put_in_order()
    before = path.read_bytes()
    rows = sweep.rows(sweep.file(path))
    assert path.read_bytes() == before
    assert all(row["opener_coins"] is None for row in rows)
    assert "no run has tables" in text(screen(ContestSnapshot(sweep, rows, numbers=(0, 1))))
    lines = before.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(BadInputError, match="of an older version, without seller_coins_if_seller"):
        sweep.file(path)
    assert path.read_bytes() == b"".join(lines[:-1])
