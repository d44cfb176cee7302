"""Files of tables: how they are written; damaged ones are refused with one line."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.files import atomic_write


@cache
def trained() -> TrainedTables:
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=3), 7)
    training.run()
    return TrainedTables.of(training)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tables.npz"
    save_tables(path, trained())
    return path


def rewrite(path: Path, **changed: NDArray[Any] | None) -> None:
    """Change members of a file; None leaves one out."""
    with np.load(path) as file:
        whole = {name: file[name] for name in file} | changed
    np.savez(path, **{name: each for name, each in whole.items() if each is not None})


def about(path: Path) -> dict[str, Any]:
    with np.load(path) as file:
        loaded: dict[str, Any] = json.loads(str(file["about"]))
    return loaded


def rewrite_about(path: Path, table: object) -> None:
    rewrite(path, about=np.array(json.dumps(table)))


def refuse(path: Path) -> str:
    with pytest.raises(BadInputError) as caught:
        load_tables(path)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert path.name in message
    return message


def test_what_is_no_file_of_tables_is_refused(tmp_path: Path) -> None:
    assert "No such file" in refuse(tmp_path / "missing.npz")
    refuse(tmp_path)
    for content in (b"", b"\n", b"PK\x03\x04", b"\x93NUMPY", b"\x80\x04K\x01."):
        path = tmp_path / "file"
        path.write_bytes(content)
        refuse(path)


def test_a_file_cut_short_anywhere_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for length in {*range(0, len(whole), 59), *range(len(whole) - 40, len(whole))}:
        file.write_bytes(whole[:length])
        refuse(file)


class Trap:
    """Unpickling it leaves a mark."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self._mark,)


@pytest.mark.parametrize("name", ["about", "q_tables", "statistics"])
def test_nothing_is_unpickled(file: Path, name: str) -> None:
    mark = file.with_name("mark")
    trap = np.empty(1, object)
    trap[0] = Trap(mark)
    rewrite(file, **{name: trap})
    refuse(file)
    np.save(file.with_name("trap.npy"), trap, allow_pickle=True)
    refuse(file.with_name("trap.npy"))
    assert not mark.exists()


@pytest.mark.parametrize(
    ("name", "array", "named"),
    [
        ("about", None, "damaged"),
        ("q_tables", None, "damaged"),
        ("statistics", None, "damaged"),
        ("q_tables", np.zeros((2, 27, 6)), "(2, 27, 7)"),
        ("q_tables", np.zeros((27, 7)), "(27, 7)"),
        ("q_tables", np.zeros((2, 27, 7), np.float32), "float32"),
        ("q_tables", np.full((2, 27, 7), np.nan), "finite"),
        ("q_tables", np.full((2, 27, 7), -np.inf), "finite"),
        ("statistics", np.zeros((3, 5), np.int64), "(3, 5)"),
        ("statistics", np.zeros(6, np.int64), "(6,)"),
        ("statistics", np.zeros((3, 6)), "float64"),
        *(("about", np.array(text), "") for text in ("", "no", "[]", "3", '"x"', "[" * 100_000)),
    ],
)
def test_unfit_members_are_named(
    file: Path, name: str, array: NDArray[Any] | None, named: str
) -> None:
    rewrite(file, **{name: array})
    assert named in refuse(file)


KEYS = ["format", "scenario", "parameters", "seed", "train_both", "train_agent"]


def test_about_lacks_a_key_or_is_of_another_format(file: Path) -> None:
    whole = about(file)
    for key in KEYS:
        rewrite_about(file, {name: value for name, value in whole.items() if name != key})
        refuse(file)
    rewrite_about(file, {**whole, "format": "negotiation-tui tables 99"})
    assert "negotiation-tui tables 99" in refuse(file)


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


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_may_not_be_changed_is_not(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(BadInputError, match="it is write-protected"):
        save_tables(file, trained())
    assert file.read_bytes() == b"old"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_mode_of_a_file_respects_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        save_tables(tmp_path / "file", trained())
    finally:
        assert os.umask(before) == mask
    assert (tmp_path / "file").stat().st_mode & 0o777 == mode
