"""Files that version 0.1.0 wrote before its words changed are still read, and gone on with."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.cli.main import main
from negotiation_tui.sessions.transcript_reader import read
from tests.support.paths import DATA
from tests.support.pinned import OPENER_AWARE

FILES = DATA / "files-0.1.0"
SWEEP = "sweep --runs 2 --seed 3 --set states=opener-aware --set cycles=3"


def test_scenario() -> None:
    scenario = nt.Scenario.of(FILES / "scenario.toml")
    assert str(scenario.states) == OPENER_AWARE
    assert scenario.n_states == 2 * 4 * 3 + 2


def test_tables() -> None:
    trained = nt.load(FILES / "tables.npz")
    assert str(trained.scenario.states) == OPENER_AWARE
    assert trained.parameters.cycles == 4
    assert trained.strategies == (None, "equilibrium")
    assert np.abs(trained.q_tables[0]).sum() > 0
    assert trained.test().totals.negotiations == 1000


def test_market_goes_on() -> None:
    market = nt.load_market(FILES / "market.npz")
    assert market.summary["negotiations"] == 300
    further = nt.load_market(FILES / "market.npz", "negotiations=400").run()
    assert further.summary["negotiations"] == 400


def test_recording() -> None:
    recording = read(FILES / "recording.jsonl")
    assert not recording.damage
    assert len(recording.entries) == 9
    assert str(recording.scenario.states) == OPENER_AWARE
    assert recording.parameters.episodes == 5


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("sweep.csv", f"{SWEEP} --set recipe=reverse-curriculum --set curriculum_shift_every=2,3"),
        ("sweep.jsonl", SWEEP),
        (
            "tournament.csv",
            "tournament boulware learned --negotiations 10 --seed 3 --states opener-aware --text",
        ),
    ],
)
def test_rows_are_whole(
    name: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command finds all of its rows in the file, so that nothing is carried out again."""
    file = tmp_path / name
    shutil.copy(FILES / name, file)
    before = file.read_text(encoding="utf-8").splitlines()
    assert main([*command.split(), "--out", str(file)]) == 0
    if name.startswith("sweep"):
        assert "0 runs done" in capsys.readouterr().out
    after = file.read_text(encoding="utf-8").splitlines()
    assert len(after) == len(before)
    assert [line.rpartition(",")[2] for line in after[1:]] == [
        line.rpartition(",")[2] for line in before[1:]
    ]
