"""Read `.npz` files of strangers: an array is judged by its header before its data are read."""

import os
import struct
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import open_file
from negotiation_tui.runtime.text import either

_MOST_BYTES = 1 << 30  # the greatest size of all arrays that are read of one file
_MOST_MEMBERS = 64
_END = struct.Struct("<4s4H2LH")  # the end of a zip file without a comment, as numpy writes it


class Npz:
    """The arrays of an open `.npz` file. Objects in it are never unpickled."""

    def __init__(self, archive: zipfile.ZipFile, most: int) -> None:
        self._archive, self._left = archive, most

    def holds(self, name: str) -> bool:
        return f"{name}.npy" in self._archive.namelist()

    def length(self, name: str) -> int:
        """Return the number of rows that a header states; 0 for a single value."""
        return (*self._header(name)[0], 0)[0]

    def array(
        self, name: str, shape: tuple[int, ...], *kinds: type[np.generic], item: int = 8
    ) -> NDArray[Any]:
        """Return an array of this shape and one of these kinds; an item has at most `item` bytes.

        Raises BadInputError, and reads no data, if its header states anything else.
        """
        stated, dtype = self._header(name)
        if dtype.type not in kinds or not dtype.isnative or stated != shape:
            expected = either(["text" if kind is np.str_ else kind.__name__ for kind in kinds])
            got = f"{dtype} of shape {stated}"
            raise BadInputError(f"{name}: expected {expected} of shape {shape}, got {got}")
        each, size = dtype.itemsize, prod(shape) * dtype.itemsize
        if each > item or size > self._left:
            expected = f"at most {self._left:,} bytes, {item:,} each"
            raise BadInputError(f"{name}: expected {expected}, got {size:,}, {each:,} each")
        self._left -= size
        with self._archive.open(f"{name}.npy") as file:
            array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
        return array

    def numbers(self, prefix: str) -> dict[str, NDArray[Any]]:
        """Return the arrays of numbers of a prefix, by the rest of the name."""
        names = (member.removesuffix(".npy") for member in self._archive.namelist())
        headers = {name: self._header(name) for name in names if name.startswith(prefix)}
        size = sum(prod(shape) * dtype.itemsize for shape, dtype in headers.values())
        if size > self._left:
            raise BadInputError(f"{prefix}*: expected at most {self._left:,} bytes, got {size:,}")
        found = {}
        for name, (shape, dtype) in headers.items():
            kind = dtype.type if dtype.kind in "biuf" else np.float64
            found[name.removeprefix(prefix)] = self.array(name, shape, kind, item=16)
        return found

    def text(self, name: str, most: int = 1_000_000) -> str:
        return str(self.array(name, (), np.str_, item=4 * most))

    def _header(self, name: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
        member = self._archive.getinfo(f"{name}.npy")
        if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise zipfile.BadZipFile  # others unpack without a bound
        with self._archive.open(member) as file:
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError
            shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            if file.tell() + prod(shape) * dtype.itemsize != member.file_size:
                raise ValueError
        return shape, dtype


@contextmanager
def open_npz(path: str | os.PathLike[str], most: int = _MOST_BYTES) -> Iterator[Npz]:
    """Open an `.npz` file to read at most `most` bytes of arrays; use it within `files.reading`."""
    with open_file(path) as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _END.size))
        mark, _, _, _, members, directory, _, _ = _END.unpack(file.read(_END.size))
        if mark != b"PK\5\6" or members > _MOST_MEMBERS or directory > _MOST_MEMBERS * 1024:
            raise zipfile.BadZipFile
        file.seek(max(0, size - _END.size - 20))
        if file.read(4) == b"PK\6\7":  # it could name another directory, of any size
            raise zipfile.BadZipFile
        with zipfile.ZipFile(file) as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a header is a literal of Python, perhaps an odd one
            yield Npz(archive, most)
