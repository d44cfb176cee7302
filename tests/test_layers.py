"""Packages import only from the layers below them, and heavy libraries stay in their one place."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

import negotiation_tui
from tests.support.modules import loaded_by

PACKAGE = Path(negotiation_tui.__file__).parent

LAYERS = [
    "__main__",
    "cli | integrations",
    "api",
    "tui",
    "sessions",
    "market | experiments",
    "contest | examination",
    "players",
    "learning",
    "strategies",
    "solvers",
    "game",
    "runtime",
    "errors | _version",
]
"""Packages from the top floor down: each imports only from floors below its own."""

TUI = [
    "configuration",
    "tour",
    "market | results | tournament",
    "negotiation",
    "widgets",
    "toolkit",
]
"""The floors inside `tui`."""

FRONT_DOOR = {"negotiation_tui.api.negotiations", "negotiation_tui.api.figures"}
"""The one exception: `import negotiation_tui as nt` stands near the ground and offers what is at
the roof. It names that to type checkers, and imports it when it is first asked for."""


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def tree_of(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"), str(MODULES[name]))


def imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = node.module or ""
            for alias in node.names:
                whole = f"{module}.{alias.name}"
                is_module = whole.removeprefix("negotiation_tui.") in MODULES
                yield whole if is_module else module


def statements(body: list[Any], first: bool) -> Iterator[ast.stmt]:
    """Every statement; with `first` those alone that run when the module is imported."""
    for node in body:
        checked = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if not (first and (checked or isinstance(node, ast.FunctionDef))):
            yield node
            for part in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from statements(getattr(node, part, []), first)


@cache
def imports_of(name: str, first: bool = False) -> frozenset[str]:
    return frozenset(imported(statements(tree_of(name).body, first)))


def imports_at_first(name: str) -> frozenset[str]:
    return imports_of(name, first=True)


def importers(guest: str) -> set[str]:
    return {
        name
        for name in MODULES
        if any(module.partition(".")[0] == guest for module in imports_of(name))
    }


def check_floors(inside: str, layers: list[str]) -> None:
    start = f"{inside}." if inside else ""
    floor = {each: n for n, names in enumerate(reversed(layers)) for each in names.split(" | ")}
    for name in MODULES:
        own = name.removeprefix(start).partition(".")[0]
        if not name.startswith(start) or not own or own not in floor:
            continue
        for module in imports_of(name):
            target = module.removeprefix("negotiation_tui.").removeprefix(start)
            other = target.partition(".")[0]
            if module.startswith(f"negotiation_tui.{start}") and other in floor and other != own:
                assert floor[other] < floor[own], f"{name} imports {module}"


def test_packages_import_only_from_the_layers_below() -> None:
    check_floors("", LAYERS)


def test_screens_import_only_from_the_layers_below() -> None:
    check_floors("tui", TUI)


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {
        name: {module.removeprefix("negotiation_tui.") for module in imports_of(name)}
        & set(MODULES)
        for name in MODULES
        if name
    }
    list(TopologicalSorter(graph).static_order())  # raises CycleError


def test_the_front_door_leads_up_only_when_asked() -> None:
    assert not FRONT_DOOR & imports_at_first("")
    assert not FRONT_DOOR & loaded_by("import negotiation_tui")
    assert loaded_by("import negotiation_tui as nt; nt.train, nt.figures") >= FRONT_DOOR


def test_no_name_on_offer_is_also_that_of_a_module() -> None:
    assert not set(negotiation_tui.__all__) & set(MODULES)


@pytest.mark.parametrize(
    ("guest", "host"),
    [
        *(("curses", "tui.toolkit.terminal"), ("scipy", "solvers.payoffs")),
        *((guest, "integrations.pettingzoo") for guest in ("pettingzoo", "gymnasium")),
    ],
)
def test_a_large_library_is_imported_in_one_place(guest: str, host: str) -> None:
    assert importers(guest) | importers(f"_{guest}") == {host}


@pytest.mark.parametrize("guest", ["pettingzoo", "gymnasium"])
def test_without_it_the_environment_says_what_to_install(guest: str) -> None:
    code = (
        f"import sys; sys.modules[{guest!r}] = None; import negotiation_tui.integrations.pettingzoo"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert last.startswith(
        "ImportError: negotiation_tui.integrations.pettingzoo needs PettingZoo ("
    )
    assert last.endswith('pip install ".[pettingzoo]" in the source folder')


def test_negmas_is_imported_by_its_adapter_that_nobody_imports_at_first() -> None:
    assert importers("negmas") == {"players.negmas_mechanism"}
    for name in MODULES:
        assert "negotiation_tui.players.negmas_mechanism" not in imports_at_first(name)


def test_the_inner_loop_imports_only_its_parts() -> None:
    parts = {"game.draws", "game.memory", "learning.algorithms.rows"}
    whole = {f"negotiation_tui.{part}" for part in parts}
    assert imports_of("learning.loop") == {"typing", *whole}
    assert imports_of("learning.algorithms.rows") == {
        "math",
        "typing",
        "negotiation_tui.game.draws",
    }


@pytest.mark.parametrize("guest", ["numba", "matplotlib", "scipy"])
def test_extras_are_imported_where_they_are_needed(guest: str) -> None:
    assert importers(guest), "the extra is used somewhere"
    for name in MODULES:
        top = {module.partition(".")[0] for module in imports_at_first(name)}
        assert guest not in top


@pytest.mark.parametrize("module", ["", ".learning", ".cli.main", ".api"])
def test_a_fresh_interpreter_loads_no_heavy_guest(module: str) -> None:
    modules = loaded_by(f"import negotiation_tui{module}")
    loaded = {name.partition(".")[0] for name in modules}
    assert "negotiation_tui" in loaded
    assert not loaded & {"curses", "_curses", "numba", "matplotlib", "negmas", "scipy"}
    assert not loaded & {"pettingzoo", "gymnasium"}
    assert module in {".learning", ".api"} or not modules & {
        "multiprocessing",
        "concurrent.futures",
    }
