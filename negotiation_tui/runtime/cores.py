"""The number of processors that this process may use."""

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def usable_cores(root: Path = Path("/")) -> int:
    """Return the number of processors of this process: by affinity, and its quota rounded up.

    `root` is the folder of Linux's `proc` and `sys`.
    """
    if hasattr(os, "sched_getaffinity"):  # not on macOS and Windows
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return min([cores, *(max(1, math.ceil(quota)) for quota in _quotas(root))])


def _quotas(root: Path) -> Iterator[float]:
    """Yield the quota of each control group that holds this process, of version 2 or 1."""
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, names, path = line.split(":", 2)
        files = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if names else ("cpu.max",)
        if names and "cpu" not in names.split(","):
            continue
        inner = Path(path.lstrip("/"))
        for group in (inner, *inner.parents):  # in a container its own may be the outermost
            place = root / "sys/fs/cgroup" / names / group
            match " ".join(_text(place / file) for file in files).split():
                case [most, period] if most.isdecimal():  # not "max" or "-1"
                    yield int(most) / int(period)


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text(encoding="utf-8")
    return ""
