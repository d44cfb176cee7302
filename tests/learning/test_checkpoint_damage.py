"""Damaged files of tables: each is refused with one line and nothing else."""

import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import TrainedTables, load_tables, save_tables
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters

LIMITLESS = settings(
    deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
NUMBERS = st.integers() | st.sampled_from([10**400, -(10**400)])
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    training = ConcurrentTraining(Scenario.original(), Parameters(cycles=3), 7)
    training.run()
    path = tmp_path / "tables.npz"
    save_tables(path, TrainedTables.of(training))
    return path


def members(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path) as file:
        return {name: file[name] for name in file}


def about(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(str(members(path)["about"]))
    return loaded


def rewrite(path: Path, **changed: NDArray[Any]) -> None:
    np.savez_compressed(path, **{**members(path), **changed})  # type: ignore[arg-type]


def rewrite_about(path: Path, table: object) -> None:
    rewrite(path, about=np.array(json.dumps(table)))


def rewrite_member(path: Path, name: str, content: bytes) -> None:
    """Another member in a sound zip file, checksum and all."""
    with zipfile.ZipFile(path) as old:
        parts = {item: old.read(item) for item in old.namelist()}
    with zipfile.ZipFile(path, "w") as new:
        for item, data in {**parts, name: content}.items():
            new.writestr(item, data)


def npy(header: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header.encode() + b"\n"


def refuse(path: Path) -> str:
    with pytest.raises(BadInputError) as caught:
        load_tables(path)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert path.name in message
    return message


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    assert "No such file" in refuse(tmp_path / "missing.npz")
    refuse(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\n", b"PK\x03\x04", b"\x93NUMPY", b"\x80\x04K\x01."])
def test_other_bytes_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    refuse(path)


def test_a_file_cut_short_anywhere_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for length in {*range(0, len(whole), 29), *range(len(whole) - 60, len(whole))}:
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


@pytest.mark.parametrize("missing", ["about", "q_tables", "statistics"])
def test_a_file_without_a_member_is_refused(file: Path, missing: str) -> None:
    kept = {name: array for name, array in members(file).items() if name != missing}
    np.savez(file, **kept)  # type: ignore[arg-type]
    refuse(file)


@pytest.mark.parametrize(
    ("name", "array", "named"),
    [
        ("q_tables", np.zeros((2, 27, 6)), "(2, 27, 7)"),
        ("q_tables", np.zeros((27, 7)), "(27, 7)"),
        ("q_tables", np.zeros((2, 27, 7), np.float32), "float32"),
        ("q_tables", np.full((2, 27, 7), np.nan), "finite"),
        ("q_tables", np.full((2, 27, 7), -np.inf), "finite"),
        ("statistics", np.zeros((3, 5), np.int64), "(3, 5)"),
        ("statistics", np.zeros(6, np.int64), "(6,)"),
        ("statistics", np.zeros((3, 6)), "float64"),
    ],
)
def test_arrays_that_do_not_fit_are_named(
    file: Path, name: str, array: NDArray[Any], named: str
) -> None:
    rewrite(file, **{name: array})
    assert named in refuse(file)


def test_another_version_of_the_format_is_named(file: Path) -> None:
    rewrite_about(file, {**about(file), "format": "negotiation-tui tables 99"})
    assert "negotiation-tui tables 99" in refuse(file)


SHAPES = ["(10**30,)", f"({10**11},)", f"({10**30},)", f"({2**62}, 4)", "(-1,)", "(2.5,)", "5"]
HEADERS = [f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}" for shape in SHAPES]


@pytest.mark.parametrize("header", [*HEADERS, "(", "3", "{'descr': [], 'shape': (2,", "'" * 3])
def test_a_header_that_cannot_be_true_is_refused(file: Path, header: str) -> None:
    rewrite_member(file, "q_tables.npy", npy(header))
    refuse(file)


def test_an_encrypted_file_is_refused(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[content.find(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(content)
    refuse(file)


@pytest.mark.parametrize("text", ["", "no", "[]", "3", '"x"', "[" * 100_000, '{"format": NaN}'])
def test_about_that_is_no_table_is_refused(file: Path, text: str) -> None:
    rewrite(file, about=np.array(text))
    refuse(file)


KEYS = ["format", "scenario", "parameters", "seed", "train_both", "train_agent"]


@pytest.mark.parametrize("key", KEYS)
def test_about_without_a_key_is_refused(file: Path, key: str) -> None:
    rewrite_about(file, {name: value for name, value in about(file).items() if name != key})
    refuse(file)


@LIMITLESS
@given(key=st.sampled_from(KEYS), inner=st.none() | st.integers(0, 20), value=JSON)
@example("parameters", 4, 10**400)
@example("scenario", 2, 10**400)
@example("seed", None, True)
def test_about_with_any_value_loads_or_is_refused(
    file: Path, key: str, inner: int | None, value: object
) -> None:
    table = json.loads(json.dumps(about(file)))
    if inner is None or not isinstance(table[key], dict):
        table[key] = value
    else:
        names = list(table[key])
        table[key][names[inner % len(names)]] = value
    other = file.with_name("other.npz")
    other.write_bytes(file.read_bytes())
    rewrite_about(other, table)
    loads_or_is_refused(other)


@LIMITLESS
@given(data=st.data())
def test_any_damage_to_a_file_loads_or_is_refused(file: Path, data: st.DataObject) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    other = file.with_name("other.npz")
    other.write_bytes(content)
    loads_or_is_refused(other)


def loads_or_is_refused(path: Path) -> None:
    try:
        loaded = load_tables(path)
    except BadInputError:
        return
    assert loaded.q_tables.shape == (2, loaded.scenario.n_states, loaded.scenario.n_actions)
    save_tables(path.with_name("again"), loaded)
