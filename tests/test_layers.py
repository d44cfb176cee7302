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
    "subcommands",
    "screen_arguments",
    "tui.tournament.watch",
    "tui.market.watch",
    "tui.watch",
    "tui.side_by_side",
    "tui.stage",
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
    "tui.panes.statistics",
    "tui.panes.q_tables",
    "tui.panes.price_bar",
    "tui.panes.offers",
    "tui.panes.advice",
    "tui.panes.frame",
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
    "tui.layout",
    "tui.chart",
    "tui.canvas",
    "tui.theme",
    "tui.keys",
    "tui.pace",
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
    "contents",
    "seats",
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
    "negotiation",
    "scenario",
    "scenario_table",
    "roles",
    "wording",
    "errors",
]


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
    """Every statement that runs when the module is imported: all but the bodies of functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
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
    assert own <= below


def test_only_the_terminal_imports_curses() -> None:
    assert importers("curses") | importers("_curses") == {"tui.terminal"}


def test_the_inner_loop_imports_only_typing() -> None:
    assert imports_of("learning.kernel") == {"typing"}


@pytest.mark.parametrize("guest", ["numba", "matplotlib"])
def test_extras_are_imported_where_they_are_needed(guest: str) -> None:
    assert importers(guest), "the extra is used somewhere"
    for tree in TREES.values():
        top = {module.partition(".")[0] for module in imported(at_import_time(tree))}
        assert guest not in top


@pytest.mark.parametrize(
    "module", ["negotiation_tui", "negotiation_tui.learning", "negotiation_tui.cli"]
)
def test_a_fresh_interpreter_loads_no_heavy_guest(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "negotiation_tui" in loaded
    assert not loaded & {"curses", "_curses", "numba", "matplotlib"}
