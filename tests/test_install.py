"""Facts for an installer: packages by system, lanes of the workflow, one version everywhere."""

import os
import re
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement

from negotiation_tui._version import __version__
from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize(
    ("system", "machine", "python", "expected"),
    [
        *(("win32", "AMD64", f"3.{n}", {"numpy", "windows-curses"}) for n in (11, 12, 13, 14)),
        ("win32", "x86", "3.13", {"numpy", "windows-curses"}),
        ("win32", "AMD64", "3.15", {"numpy"}),
        ("win32", "ARM64", "3.14", {"numpy"}),
        ("linux", "aarch64", "3.15", {"numpy"}),
        ("darwin", "arm64", "3.13", {"numpy"}),
    ],
)
def test_packages_asked_for(system: str, machine: str, python: str, expected: set[str]) -> None:
    there = {"sys_platform": system, "platform_machine": machine, "python_version": python}
    needed = [Requirement(line) for line in PROJECT["dependencies"]]
    assert {
        each.name for each in needed if each.marker is None or each.marker.evaluate(there)
    } == expected


WITHOUT = (
    "import sys; from tests.support import bare_system; bare_system.block();"
    " sys.platform = 'win32'; sys.exit(bare_system.main(['--no-curses', *sys.argv[1:]]))"
)


@pytest.mark.parametrize("words", [("--seed", "7"), ("tournament",)], ids=lambda words: words[0])
def test_on_windows_without_curses_a_screen_says_how_to_go_on(words: tuple[str, ...]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"},
        timeout=60,
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    python = ".".join(map(str, sys.version_info[:2]))
    needs = f"the screen needs windows-curses; if pip finds none for Python {python} on "
    assert needs in ended.stderr
    assert "without a screen, such as train, market --text or --once" in ended.stderr


def test_the_version_stands_in_two_more_places() -> None:
    citation = (ROOT / ".github" / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in citation
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = next(line for line in changes.splitlines() if line.startswith("## "))
    assert re.fullmatch(rf"## {__version__}, (not yet released|\d{{4}}-\d\d-\d\d)", newest)


def test_every_version_of_python_in_the_classifiers_has_a_lane() -> None:
    lanes = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    for line in PROJECT["classifiers"]:
        version = line.rpartition(" :: ")[2]
        if version.startswith("3."):
            assert f'"{version}"' in lanes, version
