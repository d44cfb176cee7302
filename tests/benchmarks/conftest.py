"""Benchmarks run only when asked for; each states a bound, and a table shows what was measured."""

import os
import platform
import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from tests.support.paths import DOCS
from tests.support.timing import Check, short

HERE, PAGE = Path(__file__).parent, DOCS / "benchmarks.md"
TABLE = re.compile(r"(?<=\n## The table\n\n).*?(?=\n## )", re.DOTALL)
ROWS = pytest.StashKey[list[tuple[str, str, str]]]()
MACHINE = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--benchmarks", action="store_true", help="run the benchmarks")
    parser.addoption("--write", action="store_true", help="write their table to docs/benchmarks.md")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("benchmarks", default=False)
    config.stash[MACHINE] = machine()
    skip = pytest.mark.skip(reason="run with --benchmarks")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(900) if wanted else skip)


@pytest.fixture
def check(request: pytest.FixtureRequest) -> Check:
    """check(what, bound, measured): a bound reads "≥ 110 ×" or "≤ 33 ms"."""

    def compare(what: str, bound: str, measured: float, note: str = "") -> None:
        sign, number, unit = bound.split()
        kept = measured >= float(number) if sign == "≥" else measured <= float(number)
        found = f"{short(measured)} {unit} {note}".strip()
        row = what, bound, found if kept else f"{found}: missed"
        request.config.stash.setdefault(ROWS, []).append(row)
        assert kept, " | ".join(row)

    return compare


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    rows = config.stash.get(ROWS, [])
    if rows:
        lines = [("what", "bound", "measured"), ("---", "---", "---"), *rows]
        table = "\n".join([config.stash[MACHINE], "", *(f"| {' | '.join(row)} |" for row in lines)])
        terminalreporter.section("bounds")
        terminalreporter.write_line(table)
        if config.getoption("write"):
            page = TABLE.sub(lambda _: f"{table}\n", PAGE.read_text(encoding="utf-8"))
            PAGE.write_text(page, encoding="utf-8")


def machine() -> str:
    """Return one line about what the benchmarks run on."""
    cpus = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.*)", cpus.read_text()) if cpus.exists() else None
    versions = [f"Python {platform.python_version()}"]
    for name in ("numpy", "numba"):
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    processor = f"{named[1] if named else platform.processor()}, {os.cpu_count()} cores"
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"One run on {processor}, {', '.join(versions)}, load at the start {load}."
