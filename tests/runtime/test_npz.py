"""Files that unpack to far more than they can mean are refused by their headers."""

import struct
import time
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.market.checkpoint import load_simulation
from negotiation_tui.runtime.npz import open_npz
from tests.support.cli import message
from tests.support.sample_files import sample

GIB = 1 << 30
SECONDS, MOST_BYTES = 0.1, 10_000_000


def whole(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(sample(name))
    return folder / name


def refused(load: Callable[[Path], object], path: Path) -> str:
    """The message of a refusal, which takes neither time nor memory."""
    load(whole(path.parent / "whole", path.name))  # imports, and fills caches
    start = time.process_time()
    with pytest.raises(BadInputError) as error:
        load(path)
    assert time.process_time() - start < SECONDS
    tracemalloc.start()
    try:
        with pytest.raises(BadInputError):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()
    return str(error.value)


@pytest.mark.parametrize(
    ("file", "member", "kind", "shape"),
    [
        ("tables.npz", "seller_values", "<f8", (400_000_000,)),
        ("tables.npz", "about", "<U400000000", ()),
        ("market.npz", "about", "<U400000000", ()),
        ("market.npz", "names", "<U40000000", (20,)),
        ("market.npz", "clock", "<i8", (400_000_000,)),
        ("market.npz", "seller_q", "<f8", (400_000_000,)),
    ],
)
def test_gigabytes(
    tmp_path: Path, file: str, member: str, kind: str, shape: tuple[int, ...]
) -> None:
    size = int(kind[2:]) * (4 if kind[1] == "U" else 1)
    for length in shape:
        size *= length
    path = whole(tmp_path, file)
    with_member(path, member, npy(kind, shape), size)
    load = load_tables if file == "tables.npz" else load_simulation
    message = refused(load, path)
    assert any(word in message for word in (member, "agents", "names"))
    assert len(message) < 400


def test_all_arrays_of_a_file_have_one_bound(tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    np.savez(path, seller_a=np.zeros(100), seller_b=np.zeros(100), about=np.array("so"))
    with open_npz(path, most=1608) as file:
        assert [*file.numbers("seller_")] == ["a", "b"]
        assert file.text("about") == "so"
        assert "about: expected at most 0 bytes" in message(lambda: file.text("about"))
    expected = r"seller_\*: expected at most 1,599 bytes, got 1,600"
    with open_npz(path, most=1599) as file, pytest.raises(BadInputError, match=expected):
        file.numbers("seller_")


def test_a_size_that_is_a_lie(tmp_path: Path) -> None:
    path = whole(tmp_path, "tables.npz")
    shape = (26, 6)
    header = npy("<f8", shape)
    with_member(path, "seller_values", header, GIB, stated=len(header) + 8 * 26 * 6)
    assert "other or damaged data" in refused(load_tables, path)
    with_member(path, "seller_values", npy("<f8", (400_000_000,)), 1000)
    assert "other or damaged data" in refused(load_tables, path)


def packed_by(packing: int) -> Callable[[Path], None]:
    def pack(path: Path) -> None:
        with zipfile.ZipFile(path) as old:
            members = {name: old.read(name) for name in old.namelist()}
        with zipfile.ZipFile(path, "w", packing) as new:
            for name, contents in members.items():
                new.writestr(name, contents)

    return pack


def many_members(path: Path) -> None:
    with zipfile.ZipFile(path, "a") as archive:
        for n in range(5000):
            archive.writestr(f"{n}.npy", b"")


def second_directory(path: Path) -> None:
    """Add a record of zip64 before the end of the file: it names a directory of any size."""
    content = path.read_bytes()
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(content) - 22, 1)
    path.write_bytes(content[:-22] + locator + content[-22:])


def long_header(path: Path) -> None:
    with_member(path, "seller_values", b"\x93NUMPY\x02\x00" + struct.pack("<L", GIB), GIB)


@pytest.mark.parametrize(
    "change", [packed_by(zipfile.ZIP_BZIP2), many_members, second_directory, long_header]
)
def test_another_form_of_archive(tmp_path: Path, change: Callable[[Path], None]) -> None:
    path = whole(tmp_path, "tables.npz")
    change(path)
    assert "other or damaged data" in refused(load_tables, path)


BLOCK = 1 << 24


@cache
def _zeros() -> bytes:
    """A block of zeros, packed so that it can be repeated."""
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    return packer.compress(bytes(BLOCK)) + packer.flush(zlib.Z_FULL_FLUSH)


def npy(kind: str, shape: tuple[int, ...]) -> bytes:
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()


def packed(header: bytes, zeros: int) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, -15)
    first = packer.compress(header) + packer.flush(zlib.Z_FULL_FLUSH)
    return first + _zeros() * -(-zeros // BLOCK) + packer.flush()


def with_member(
    path: Path, name: str, header: bytes, zeros: int, stated: int | None = None
) -> None:
    """Replace a member of an `.npz` file by a header and zeros, of which it states the size.

    Its check sum is wrong, which shows only after the last byte is read.
    """
    with zipfile.ZipFile(path) as old:
        kept = {each: old.read(each) for each in old.namelist() if each != f"{name}.npy"}
    data = packed(header, zeros)
    info = zipfile.ZipInfo(f"{name}.npy")
    info.compress_type, info.compress_size = zipfile.ZIP_DEFLATED, len(data)
    info.CRC = 0
    info.file_size = len(header) + zeros if stated is None else stated
    with zipfile.ZipFile(path, "w") as new:
        for each, contents in kept.items():
            new.writestr(each, contents)
        assert new.fp is not None
        info.header_offset = new.fp.tell()
        new.fp.write(info.FileHeader() + data)
        new.start_dir = new.fp.tell()
        new.filelist.append(info)
        new.NameToInfo[info.filename] = info
