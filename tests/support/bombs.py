"""Small `.npz` files that unpack to gigabytes, made in milliseconds."""

import struct
import zipfile
import zlib
from functools import cache
from pathlib import Path

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
    """A deflate stream of a header and at least this many zeros."""
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
