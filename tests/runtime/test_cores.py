"""The processors that a process may use: by affinity, and by the quotas of its control groups."""

import os
from pathlib import Path

import pytest

from negotiation_tui.runtime.cores import usable_cores
from tests.support.cli import python

V2, V1 = {"proc/self/cgroup": "0::/a/b\n"}, {"proc/self/cgroup": "4:memory:/\n3:cpu,cpuacct:/a\n"}
OUTER, INNER = "sys/fs/cgroup/cpu.max", "sys/fs/cgroup/a/b/cpu.max"
QUOTA, PERIOD = (f"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_{name}_us" for name in ("quota", "period"))
ALL = usable_cores(Path("no such folder"))


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, ALL),
        (V2, ALL),
        ({**V2, OUTER: "max 100000\n", INNER: "max 100000\n"}, ALL),
        ({**V2, OUTER: "max 100000\n", INNER: "10000 100000\n"}, 1),
        ({**V2, OUTER: "100000 100000\n", INNER: "300000 100000\n"}, 1),
        ({**V2, OUTER: "150000 100000\n"}, min(2, ALL)),
        ({**V2, OUTER: "99900000 100000\n"}, ALL),
        ({**V1, QUOTA: "-1\n", PERIOD: "100000\n"}, ALL),
        ({**V1, QUOTA: "50000\n", PERIOD: "100000\n"}, 1),
        ({**V1, QUOTA: "110000\n", PERIOD: "100000\n"}, min(2, ALL)),
    ],
)
def test_a_quota_is_rounded_up(tmp_path: Path, files: dict[str, str], cores: int) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert usable_cores(tmp_path) == cores


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs affinity, as on Linux")
def test_one_allowed_core_is_one_worker() -> None:
    code = """
import os
os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
from negotiation_tui.runtime.cores import usable_cores
print(usable_cores())
"""
    assert python("-c", code).stdout == "1\n"
