"""Files of trained tables: their content, and how they are written."""

import os
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.files import atomic_write


def trained(cycles: int = 3) -> TrainedTables:
    training = ConcurrentTraining(
        Scenario.original(), Parameters(cycles=cycles, learning_rate=0.2), 7, True, Role.BUYER
    )
    training.run()
    return TrainedTables.of(training)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tables.npz"
    save_tables(path, trained())
    return path


def test_everything_comes_back(file: Path) -> None:
    saved, loaded = trained(), load_tables(file)
    assert loaded.scenario == saved.scenario
    assert loaded.parameters == saved.parameters
    assert (loaded.seed, loaded.train_both, loaded.train_agent) == (7, True, Role.BUYER)
    assert np.array_equal(loaded.q_tables, saved.q_tables)
    assert np.array_equal(loaded.statistics.counts, saved.statistics.counts)
    wallets = saved.statistics.wallets
    assert loaded.statistics.left_over == wallets[-1, Role.SELLER]


def test_a_training_not_begun_comes_back(tmp_path: Path) -> None:
    fresh = TrainedTables.of(ConcurrentTraining(Scenario.fine(), seed=0))
    save_tables(tmp_path / "fresh", fresh)
    loaded = load_tables(tmp_path / "fresh")
    assert loaded.statistics.left_over == 0
    assert not loaded.q_tables.any()


def test_the_file_has_exactly_the_name_asked_for(tmp_path: Path) -> None:
    save_tables(tmp_path / "no suffix", trained())
    assert [path.name for path in tmp_path.iterdir()] == ["no suffix"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_bytes(b"precious")

    def break_off() -> None:
        with atomic_write(path) as beside:
            beside.write(b"half")
            assert path.read_bytes() == b"precious"
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError, match="halfway"):
        break_off()
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="No space left"), atomic_write(tmp_path / "f"):
        raise OSError(28, "No space left on device")
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="links of Unix")
def test_a_link_stays_one_and_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    file, link = tmp_path / "there" / "file", tmp_path / "link"
    file.parent.mkdir()
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    with atomic_write(link) as beside:
        beside.write(b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.name == "nt", reason="devices of Unix")
def test_a_device_stays_one() -> None:
    before = Path("/dev/null").stat()
    save_tables("/dev/null", trained())
    assert Path("/dev/null").stat().st_rdev == before.st_rdev
    with pytest.raises(BadInputError, match="'/dev/full' cannot be written: No space left"):
        save_tables("/dev/full", trained())
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(os.name == "nt", reason="pipes of Unix")
def test_a_pipe_gets_the_whole_file() -> None:
    reading, writing = os.pipe()
    with atomic_write(f"/dev/fd/{writing}") as beside:
        beside.write(b"whole")
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"whole"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_changed_is_not(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(BadInputError, match="it is write-protected"):
        save_tables(file, trained())
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize("place", [".", "missing/file"])
def test_a_place_that_cannot_be_written_is_bad_input(tmp_path: Path, place: str) -> None:
    with pytest.raises(BadInputError, match="cannot be written"):
        save_tables(tmp_path / place, trained())
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_mode_of_a_file_respects_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        save_tables(tmp_path / "file", trained())
    finally:
        assert os.umask(before) == mask
    assert (tmp_path / "file").stat().st_mode & 0o777 == mode
