"""The house: a room never imports one above it, and the heavy guests stay in theirs."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import negotiation_tui

PACKAGE = Path(negotiation_tui.__file__).parent

# From the roof down; a package goes by its name for what its `__init__` imports, and
# "" is `negotiation_tui` itself.
HOUSE = [
    "__main__",
    "cli",
    "subcommands.completion",
    "subcommands.watch",
    "subcommands.play",
    "subcommands.replay",
    "subcommands.train",
    "subcommands.test",
    "subcommands.solve",
    "subcommands.reproduce",
    "subcommands.sweep",
    "subcommands.tournament",
    "subcommands.market",
    "subcommands.strategies",
    "subcommands.check_strategy",
    "subcommands.config",
    "subcommands",
    "pettingzoo_env",
    "api",
    "figures",
    "negmas_negotiator",
    "two_agents",
    "many_agents",
    "trained",
    "market.outcome",
    "tournament_result",
    "screen_arguments",
    "tui.tournament.watch",
    "tui.market.watch",
    "tui.watch",
    "tui.side_by_side",
    "tui.stage",
    "configuration",
    "arguments",
    "tui.app",
    "tui.terminal",
    "tui.tournament.update",
    "tui.tournament.render",
    "tui.tournament.pairing",
    "tui.tournament.heat_map",
    "tui.tournament.leaderboard",
    "tui.tournament.help",
    "tui.tournament.model",
    "tui.tournament.layout",
    "tui.tournament.keys",
    "tui.tournament",
    "tui.market.render",
    "tui.market.update",
    "tui.market.room",
    "tui.market.leaderboard",
    "tui.market.prices",
    "tui.market.wallets",
    "tui.market.pair",
    "tui.market.help",
    "tui.market.stage",
    "tui.market.model",
    "tui.market.layout",
    "tui.market.keys",
    "tui.market.pace",
    "tui.market",
    "tui.update",
    "tui.actions",
    "tui.seating",
    "tui.render",
    "tui.still",
    "tui.panes.statistics",
    "tui.panes.q_tables",
    "tui.panes.price_bar",
    "tui.panes.offers",
    "tui.panes.advice",
    "tui.panes.frame",
    "tui.panes.axis",
    "tui.panes.heading",
    "tui.panes",
    "tui.at_table",
    "tui.transport",
    "tui.travel",
    "tui.overlays",
    "tui.score",
    "tui.menus",
    "tui.words",
    "tui.model",
    "tui.history",
    "tui.messages",
    "tui.playback",
    "tui.table_view",
    "tui.choosing",
    "tui.scrolling",
    "tui.layout",
    "tui.chart",
    "tui.canvas",
    "tui.theme",
    "tui.palettes",
    "tui.keys",
    "tui.pace",
    "tui.surroundings",
    "tui.aside",
    "tui",
    "recorder",
    "pair",
    "background",
    "referee",
    "market.runner",
    "trainer",
    "replay",
    "pacer",
    "keeping",
    "recorded",
    "recording",
    "what_if",
    "commands",
    "snapshot",
    "judge",
    "human_seat",
    "market.ranking",
    "market.snapshot",
    "market.progress",
    "market.summary",
    "market.saving",
    "market.room",
    "market.meetings",
    "market.opening",
    "market.roster",
    "market.tables",
    "market.agents",
    "market.economics",
    "market.engine",
    "market.floor",
    "market.matching",
    "market.accounts",
    "market.books",
    "market.limit",
    "market",
    "tournament_report",
    "report",
    "plots",
    "conformance",
    "asking",
    "experiments",
    "standings",
    "tournament",
    "self_play",
    "sweep",
    "filling",
    "progress",
    "settings",
    "runs",
    "results",
    "workers",
    "signals",
    "contents",
    "seats",
    "outside",
    "negmas_seat",
    "negmas_protocol",
    "global_random",
    "own",
    "saved",
    "storage",
    "evaluation",
    "learning",
    "learning.recipes",
    "learning.concurrent",
    "learning.statistics",
    "learning.turn_by_turn",
    "learning.compiling",
    "learning.backend",
    "learning.response",
    "learning.kernel",
    "learning.kept",
    "learning.fetching",
    "learning.q_table",
    "learning.schedule",
    "learning.seeds",
    "pairing",
    "",
    "strategies",
    "strategies.best_responder",
    "strategies.perfect",
    "strategies.time_dependent",
    "strategies.tit_for_tat",
    "strategies.micro",
    "strategies.zeuthen",
    "strategies.chance",
    "strategies.fixed_fraction",
    "strategies.given",
    "strategies.bidding",
    "strategies.acceptance",
    "strategies.base",
    "best_response",
    "equilibrium",
    "policy",
    "observation",
    "negotiation",
    "scenario",
    "scenario_table",
    "roles",
    "wording",
    "errors",
]

FRONT_DOOR = {"negotiation_tui.api", "negotiation_tui.figures"}
"""The one exception: `import negotiation_tui as nt` stands near the ground and offers what is at
the roof. It names that to type checkers, and imports it when it is first asked for."""


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {
    name: ast.parse(path.read_text(encoding="utf-8"), str(path)) for name, path in MODULES.items()
}


def imported(nodes: Iterator[ast.AST]) -> Iterator[str]:
    """The full names of the modules that these statements import."""
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


def at_import_time(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement that runs when the module is imported.

    All but the bodies of functions, and what only type checkers read.
    """
    for child in ast.iter_child_nodes(node):
        checked = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not checked and not isinstance(
            child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
        ):
            yield child
            yield from at_import_time(child)


def imports_of(name: str) -> set[str]:
    return set(imported(ast.walk(TREES[name])))


def importers(guest: str) -> set[str]:
    return {
        name
        for name in MODULES
        if any(module.partition(".")[0] == guest for module in imports_of(name))
    }


def test_every_module_has_its_place() -> None:
    assert len(set(HOUSE)) == len(HOUSE)
    assert set(HOUSE) == set(MODULES)


@pytest.mark.parametrize("name", HOUSE)
def test_imports_run_downwards(name: str) -> None:
    below = {f"negotiation_tui.{other}".rstrip(".") for other in HOUSE[HOUSE.index(name) + 1 :]}
    own = {module for module in imports_of(name) if module.partition(".")[0] == "negotiation_tui"}
    assert own <= (below | FRONT_DOOR if not name else below)


def test_the_front_door_leads_up_only_when_asked() -> None:
    assert not FRONT_DOOR & set(imported(at_import_time(TREES[""])))
    assert not FRONT_DOOR & loaded_by("import negotiation_tui")
    assert loaded_by("import negotiation_tui as nt; nt.train, nt.figures") >= FRONT_DOOR


def test_no_name_on_offer_is_also_that_of_a_module() -> None:
    assert set(negotiation_tui.__all__) & set(MODULES) == {"figures"}


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after this."""
    code += "; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_only_the_terminal_imports_curses() -> None:
    assert importers("curses") | importers("_curses") == {"tui.terminal"}


@pytest.mark.parametrize("guest", ["pettingzoo", "gymnasium"])
def test_only_the_environment_imports_pettingzoo(guest: str) -> None:
    assert importers(guest) == {"pettingzoo_env"}


@pytest.mark.parametrize("guest", ["pettingzoo", "gymnasium"])
def test_without_it_the_environment_says_what_to_install(guest: str) -> None:
    code = f"import sys; sys.modules[{guest!r}] = None; import negotiation_tui.pettingzoo_env"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *_, last = done.stderr.splitlines()
    assert last.startswith("ImportError: negotiation_tui.pettingzoo_env needs PettingZoo (")
    assert last.endswith("pip install 'negotiation-tui[pettingzoo]'")


def test_negmas_is_imported_by_one_module_that_nobody_imports_at_first() -> None:
    assert importers("negmas") == {"negmas_protocol"}
    guest = "negotiation_tui.negmas_protocol"
    assert not any(guest in imported(at_import_time(tree)) for tree in TREES.values())


def test_the_inner_loop_imports_only_typing() -> None:
    assert imports_of("learning.kernel") == {"typing"}


@pytest.mark.parametrize("guest", ["numba", "matplotlib"])
def test_extras_are_imported_where_they_are_needed(guest: str) -> None:
    assert importers(guest), "the extra is used somewhere"
    for tree in TREES.values():
        top = {module.partition(".")[0] for module in imported(at_import_time(tree))}
        assert guest not in top


@pytest.mark.parametrize(
    "module",
    ["negotiation_tui", "negotiation_tui.learning", "negotiation_tui.cli", "negotiation_tui.api"],
)
def test_a_fresh_interpreter_loads_no_heavy_guest(module: str) -> None:
    loaded = {name.partition(".")[0] for name in loaded_by(f"import {module}")}
    assert "negotiation_tui" in loaded
    assert not loaded & {"curses", "_curses", "numba", "matplotlib", "negmas"}
    assert not loaded & {"pettingzoo", "gymnasium"}


@pytest.mark.parametrize("module", ["negotiation_tui", "negotiation_tui.cli"])
def test_a_fresh_interpreter_begins_no_processes(module: str) -> None:
    assert not {"multiprocessing", "concurrent.futures"} & loaded_by(f"import {module}")
