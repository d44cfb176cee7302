"""Benchmarks run only when asked for; each states a bound, and a table shows what was measured."""

from pathlib import Path

import pytest

from tests.support.timing import Check

HERE = Path(__file__).parent
ROWS = pytest.StashKey[list[tuple[str, str, str]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--benchmarks", action="store_true", help="run the benchmarks")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("benchmarks", default=False)
    skip = pytest.mark.skip(reason="run with --benchmarks")
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.timeout(900) if wanted else skip)


@pytest.fixture
def check(request: pytest.FixtureRequest) -> Check:
    """check(what, bound, measured): a bound reads "≥ 110 ×" or "≤ 33 ms"."""

    def compare(what: str, bound: str, measured: float) -> None:
        sign, number, unit = bound.split()
        shown = f"{measured:.0f}" if measured >= 100 else f"{measured:.2f}"
        row = what, bound, f"{shown} {unit}"
        request.config.stash.setdefault(ROWS, []).append(row)
        kept = measured >= float(number) if sign == "≥" else measured <= float(number)
        assert kept, " | ".join(row)

    return compare


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    rows = config.stash.get(ROWS, [])
    if rows:
        terminalreporter.section("bounds")
        for row in (("what", "bound", "measured"), ("---", "---", "---"), *rows):
            terminalreporter.write_line(f"| {' | '.join(row)} |")
