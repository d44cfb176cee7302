"""Benchmarks run only when asked for; each states a bound, and a list shows what was measured."""

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
FIGURES = re.compile(r"(?<=\n## The figures\n\n).*?(?=\n## )", re.DOTALL)
ROWS = pytest.StashKey[list[str]]()
MACHINE = pytest.StashKey[str]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--benchmarks", action="store_true", help="run the benchmarks")
    parser.addoption("--write", action="store_true", help="write the figures to docs/benchmarks.md")


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
        row = f"- {what}: {found if kept else f'{found}, missed: {bound}'}"
        request.config.stash.setdefault(ROWS, []).append(row)
        assert kept, row

    return compare


def pytest_terminal_summary(
    terminalreporter: "pytest.TerminalReporter", config: pytest.Config
) -> None:
    rows = config.stash.get(ROWS, [])
    if rows:
        figures = "\n".join([config.stash[MACHINE], "", *rows])
        terminalreporter.section("bounds")
        terminalreporter.write_line(figures)
        if config.getoption("write"):
            page = FIGURES.sub(lambda _: f"{figures}\n", PAGE.read_text(encoding="utf-8"))
            PAGE.write_text(page, encoding="utf-8")


def machine() -> str:
    cpus = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.*)", cpus.read_text()) if cpus.exists() else None
    versions = [f"Python {platform.python_version()}"]
    for name in ("numpy", "numba"):
        with suppress(PackageNotFoundError):
            versions.append(f"{name} {version(name)}")
    processor = f"{named[1] if named else platform.processor()}, {os.cpu_count()} cores"
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"One run on {processor}, {', '.join(versions)}, load at the start {load}."
