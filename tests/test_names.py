"""Each public class, function, alias and constant of the product has a name of its own."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch

from tests.support.paths import ROOT

FAMILIES = [
    ("add_arguments run EXAMPLES", "cli.subcommands.* cli.main", "the parts of a subcommand"),
    ("run", "__main__ runtime.interrupts", "a program, to its exit status"),
    ("CLAIM settle", "experiments.claims.*", "the parts of a claim"),
    ("how learn policy", "learning.algorithms.* learning.loop", "the parts of a learner"),
    (
        "Model VIEW draw_leaderboard render sentence start update watch",
        "tui.market.* tui.negotiation.* tui.results.* tui.tour.* tui.tournament.*",
        "the parts of a screen",
    ),
    ("ABOUT KEYS NAMES PACES", "tui.*.keys tui.*.pace", "the tables of a screen"),
    ("LESSON", "tui.tour.lessons.*", "the parts of a file of lessons"),
    (
        "GAMES LEADERBOARD LEARNING OFFERS PRICES WALLETS",
        "tui.*.keys tui.*.model contest.defaults learning.loop market.agents",
        "a pane is named after what it shows",
    ),
    ("COLUMNS", "contest.tournament sessions.results_session", "of a leaderboard"),
    ("NEGOTIATIONS", "contest.defaults market.tick_loop", "a setting, and what it counts"),
    ("TYPE_CHECKING", "__init__ __main__ runtime.interrupts", "typing loads slowly"),
    ("change_pace travel", "tui.negotiation.* tui.toolkit.*", "one screen adds to the usual"),
    ("as_dict as_text", "cli.solve_report examination.results", "the forms of a report"),
    (
        "read",
        "game.scenario_file sessions.transcripts tui.configuration sessions.tour_progress",
        "files",
    ),
    ("from_spec", "players.*", "the player of a kind of spec"),
    ("learner", "learning.learner_registry sessions.story.facts", "a fact is named in its files"),
    ("ceiling first_best solve", "api.negotiations solvers.*", "api forwards"),
    ("nash_conv", "api.negotiations solvers.best_response api.figures", "forwards, and draws"),
    ("negotiate train", "api.negotiations game.negotiation learning.headless", "api forwards"),
    ("mechanism utility", "integrations.negmas players.negmas_mechanism", "forwards"),
    ("wallets", "api.figures market.summary", "a figure is named after its numbers"),
]
"""Names that several modules define, the modules, and the reason."""


def defined(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.If):
            yield from defined(node.body)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Assign) and "TypeVar(" not in ast.unparse(node.value):
            names = (each for target in node.targets for each in ast.walk(target))
            yield from (
                each.id
                for each in names
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            )


def test_names_mean_one_thing() -> None:
    places = defaultdict(list)
    package = ROOT / "negotiation_tui"
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(package).with_suffix("").parts)
        for name in set(defined(ast.parse(path.read_text(encoding="utf-8")).body)):
            if re.match("[A-Za-z]", name):
                places[name].append(module)
    clashes = []
    for name, modules in places.items():
        family = " ".join(where for names, where, _ in FAMILIES if name in names.split()).split()
        alone = [at for at in modules if not any(fnmatch(at, each) for each in family)]
        if alone and len(modules) > 1:
            clashes.append(f"{name} is defined in {', '.join(modules)}: rename, or add a family")
    assert not clashes
