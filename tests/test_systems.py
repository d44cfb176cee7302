"""Windows, as far as it can be tested elsewhere, and facts for an installer."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packaging.requirements import Requirement

from negotiation_tui import Scenario, __version__
from negotiation_tui.market.roster import read_roster as roster_from_file
from negotiation_tui.tui.toolkit.theme import styles_of
from tests.support.cli import python
from tests.support.paths import ROOT

FEW = ("--cycles", "2", "--episodes", "10", "--seed", "1")
NO_CURSES = "this Python has no curses: the screen needs "


HERE: dict[str, Any] = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"}


def on_bare_system(*words: str) -> subprocess.CompletedProcess[str]:
    """The program where Unix's modules, signals and system calls are missing."""
    return python("-m", "tests.support.bare_system", *words, **HERE)


def test_all_but_the_terminal_is_imported_without_unix() -> None:
    ended = on_bare_system()
    assert (ended.returncode, ended.stderr) == (0, "")
    said = dict(line.split(" BadInputError: ") for line in ended.stdout.splitlines())
    assert set(said) == {"negotiation_tui.tui.toolkit.terminal"}
    assert all(reason.startswith(NO_CURSES) for reason in said.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (("train", *FEW, "--save", "tables.npz"), "saved to tables.npz"),
        (("solve",), "Equilibrium"),
        (("market", "--sellers", "2", "--buyers", "2", "--limit", "steps=5"), "in 5 ticks"),
        (("--once", *FEW), "1 Price"),
        (("tournament", "midpoint", "random", "--negotiations", "2", "--workers", "1"), "2 entr"),
        (("sweep", "--set", "cycles=2", "--runs", "2", "--out", "rows.csv"), "holds all 2"),
    ],
    ids=lambda words: words[0],
)
def test_the_program_runs_without_unix(words: tuple[str, ...], printed: str) -> None:
    ended = on_bare_system(*words)
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert printed in ended.stdout + ended.stderr


def test_without_curses_one_line_says_what_the_screen_needs() -> None:
    ended = on_bare_system("--no-curses", "--seed", "7")
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"negotiation-tui: {NO_CURSES}")
    assert ended.stderr.count("\n") == 1


def test_the_screen_by_windows_curses() -> None:
    resized, enter, minus, plus = "521", "459", "464", "465"
    keys = f"n,gets ,{resized},{plus},{plus},{plus},{minus},{enter},q"
    ended = on_bare_system("--pdcurses", keys, "--seed", "7", "--paused")
    assert ended.returncode == 0, ended.stderr
    waits, _, title, price, *_ = ended.stderr.splitlines()
    assert waits == "asked curses to wait 0 ms at most"
    assert "paused (8 offers/s)" in title, "the number pad's + and − are keys as well"
    assert "1 Price" in price
    assert "nothing was learned here" in ended.stderr


@pytest.mark.parametrize(("option", "colours"), [("--pdcurses", 256), ("--pdcurses16", 16)])
def test_windows_curses_shows_the_colours_of_the_palette(option: str, colours: int) -> None:
    """It numbers 16 colours in its own order, and has no bold that leaves a colour as it is."""
    first = on_bare_system(option, "q", "--seed", "7", "--paused")
    lines = first.stderr.splitlines()[2:]
    y, x = next((y, line.index("─ 3 ")) for y, line in enumerate(lines) if "─ 3 " in line)
    keys = f"n,{x}:{y}:2,n,q"
    ended = on_bare_system(option, keys, "--seed", "7", "--paused")
    assert "━ 3 " in ended.stderr, "chosen by a click"
    painted = set(ast.literal_eval(ended.stderr.splitlines()[1]))
    palette = {name: style[colours][:2] for name, style in styles_of("dark").items()}
    assert {palette["buyer"], palette["seller"]} <= painted
    assert painted - {(7, 0), (15, 0)} <= {*palette.values()}


def test_windows_curses_drags_along_the_time_line() -> None:
    """PDCurses reports a move while a button is down without any bit, and no other move."""
    keys = "c,c,c,c,c,c,cycle 6 of,9:34:2,8:34:0,3 of 120,q"
    ended = on_bare_system("--pdcurses", keys, "--seed", "7", "--paused", "--mouse")
    assert ended.returncode == 0, ended.stderr
    assert "past: cycle 3" in ended.stderr


NOISY = """
import os, sys
def policy(scenario, role):
    def act(seen):
        print("written", file=sys.stderr)
        os.write(2, b"straight\\n")
        return int(seen["action_mask"].argmax())
    return act
"""


def test_a_policy_may_write_to_a_console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "noisy.py").write_text(NOISY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    words = ("--seed", "7", "--paused", "--buyer", "noisy:policy")
    ended = on_bare_system("--pdcurses", "n,q", *words)
    assert ended.returncode == 0, ended.stderr
    told = ended.stderr.partition(" while the screen was shown:\n")[2].split()
    assert {"written", "straight"} <= set(told)


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    scenario, roster = tmp_path / "scenario.toml", tmp_path / "market.toml"
    scenario.write_text("prices = 4\nrounds = 3\n", encoding="utf-8-sig")
    roster.write_text('[[seller]]\nname = "north"\n[[buyer]]\n', encoding="utf-8-sig")
    assert Scenario.of(scenario).rounds == 3
    agents = roster_from_file(roster, Scenario.original(), np.random.default_rng(0))
    assert [agent.name for agent in agents] == ["north", "buyer"]


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
    ended = python("-c", WITHOUT, *words, **HERE)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    version = ".".join(map(str, sys.version_info[:2]))
    needs = f"the screen needs windows-curses; if pip finds none for Python {version} on "
    assert needs in ended.stderr
    assert "without a screen, such as train, market --text or --once" in ended.stderr


def test_the_version_stands_in_three_more_places() -> None:
    citation = (ROOT / ".github" / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in citation
    first = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert f"{{Version {__version__}}}\n" in first
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = next(line for line in changes.splitlines() if line.startswith("## "))
    assert re.fullmatch(rf"## {__version__}, (not yet released|\d{{4}}-\d\d-\d\d)", newest)


def test_every_version_of_python_in_the_classifiers_has_a_lane() -> None:
    lanes = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    for line in PROJECT["classifiers"]:
        version = line.rpartition(" :: ")[2]
        if version.startswith("3."):
            assert f'"{version}"' in lanes, version
