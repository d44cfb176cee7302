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
    allowed = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    cores = len(allowed(0)) if allowed else os.cpu_count() or 1
    return min([cores, *(max(1, math.ceil(quota)) for quota in _quotas(root))])


def _quotas(root: Path) -> Iterator[float]:
    """Yield the quota of each control group that holds this process, of version 2 or 1."""
    with suppress(OSError):  # not on Linux
        for line in (root / "proc/self/cgroup").read_text("utf-8").splitlines():
            _, names, path = line.split(":", 2)
            files = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if names else ("cpu.max",)
            group = root / "sys/fs/cgroup" / names / path.lstrip("/")
            for place in (group, *group.parents[: path.count("/")]):  # a container's may be outside
                with suppress(OSError):
                    match " ".join((place / file).read_text("utf-8") for file in files).split():
                        case [most, period] if most.isdecimal():  # not "max" or "-1"
                            yield int(most) / int(period)
