"""Run every command in README.md and docs/.

Each runs in a folder with the files that it reads. `SMALLER` and `MORE` shorten long commands
after the real line has been parsed. Screens draw one frame, or open in a
pseudo-terminal and are left by `q`. A command of another program needs an entry in `WAYS`.
"""

import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.cli.main import RESTRICTED, SUBCOMMANDS, main, parser
from tests.support.cli import python
from tests.support.documented import Command, commands
from tests.support.paths import ROOT

SMALLER = (
    (r"^--cluster \S+$", ""),  # test_cluster.py has a real one
    (r"^--scenario fine$", "--scenario original"),
    (r"^all$", "delay"),  # of the claims, all of which test_claims.py settles
    (r"^--runs \d+$", "--runs 2"),
    (r"^--seconds \d+$", "--seconds 1"),
    (r"^--negotiations \d+$", "--negotiations 2"),
    (r"^--set cycles=[\d,]+$", "--set cycles=2,3"),
    (r"^--set (prices|rounds)=100$", r"--set \1=4"),
    (r"^--games \S+$", "--games 3x2"),
    (r"^--set (\w+=[\w.-]+,[\w.-]+),\S+$", r"--set \1"),
)
"""Patterns of an option with its value, and the replacement."""
MORE = {
    "train": ("--cycles 2", "--episodes 10"),
    "sweep": ("--set cycles=2", "--set episodes=5", "--workers 1"),
    "tournament": ("--recipe published", "--negotiations 2", "--workers 1"),
    "league": ("--learners sarsa", "--games 3x2", "--seeds 2", "--episodes 200", "--workers 1"),
    "market": ("--limit negotiations=200",),
    "check": ("--scenario 3x2",),
}
"""Options added to a subcommand unless the command sets them."""
SCREENS = {"watch", "play", "replay", "tour"}
WRITES = ("--save", "--record", "--out", "--plot")
NEEDS = {
    "negmas:": "negmas",
    "docs/negmas_draws": "negmas",
    "docs/mirror_descent": "scipy",
    "--plot": "matplotlib",
    "completion": "shtab",
    "-n": "xdist",
}
"""The module needed by a word with this beginning."""
TRAINED = (
    "import numpy as np\n\n\ndef table(scenario, role):\n    return np.load('q.npz')[str(role)]\n"
)
"""`trained.py` of docs/pettingzoo.md."""
SHORT = (
    (r"\b(\d+)_000\b", r"\1"),
    (r"^SEEDS, EVALUATIONS, EPISODES = .*", "SEEDS, EVALUATIONS, EPISODES = 1, 2, 20"),
    (r"^(SEEDS|REST|SHORTER) = .*", r"\1 = 2"),
    (r"^(TURNS|RUNS|PAIRS|MORE) = \d.*", r"\1 = 1"),
    (r"^CYCLES = .*", "CYCLES = (1,)"),
    (r"^COUNTS = .*", "COUNTS = PUBLISHED, _ = 9, 10"),
    (r"^PUBLISHED = \d+", ""),
    (r"^NEIGHBOURS = .*", "NEIGHBOURS = (COUNTS,)"),
    (r"^SCIPY = .*", "SCIPY = ()"),
    (r"^AGENTS, NEGOTIATIONS = .*", "AGENTS, NEGOTIATIONS = (2,), ()"),
    (r"^LEARNERS, SCENARIOS, .*", 'LEARNERS, SCENARIOS, RUNS, EPISODES = ["cfr"], ["3x2"], 2, 99'),
    (r"^USUAL = .*", "USUAL = 4, 9"),
    (r"^NAMES = .*", 'NAMES = ["sarsa"]'),
    (r"^SMALL = .*", "SMALL = (([1, 2], [1, 2]),)"),
    (r"^SCENARIOS = .*", "SCENARIOS = (Scenario.original(),)"),
    (r"^OPPONENTS = .*", 'OPPONENTS = ("micro",)'),
    (r"^GAMES = 20", "GAMES = 1"),
    (r"RECIPES\[\"on-policy\"\]\(game\).total", "50"),
)
"""Constants of a script, and smaller ones for the test."""


def spec_of(command: Command) -> list[str]:
    """Return the words after the program's name, the subcommand first."""
    words = [*command.words]
    if RESTRICTED in words:  # it cannot be undone; test_restricted.py has it
        words = words[2:]
    return words if words and words[0] in SUBCOMMANDS else ["watch", *words]


def is_screen(words: Sequence[str]) -> bool:
    return words[0] in SCREENS and not {"--list", "--once", "--film"} & set(words)


def made_small(words: Sequence[str]) -> list[str]:
    groups: list[str] = []
    for word in words:
        if groups and groups[-1].startswith("--") and " " not in groups[-1] and word[0] != "-":
            groups[-1] += f" {shlex.quote(word)}"
        else:
            groups.append(shlex.quote(word))
    for long, short in SMALLER:
        groups = [re.sub(long, short, group) for group in groups]
    if words[0] == "tournament" and not any(word[0] != "-" for word in groups[1:]):
        groups += ["micro", "learned", "equilibrium"]  # everyone takes long
    groups += ["--workers 1"] * (words[0] == "reproduce" and "--runs 2" in groups)
    said = set(map(set_by, groups))
    groups += [more for more in MORE.get(words[0], ()) if set_by(more) not in said]
    return [word for group in groups for word in shlex.split(group)]


def set_by(group: str) -> str:
    """Return an option without its value: `--runs 5` gives `--runs`."""
    return group.partition("=" if group.startswith("--set") else " ")[0]


def provide(words: Sequence[str]) -> None:
    shutil.copytree(ROOT / "docs", "docs", ignore=shutil.ignore_patterns("*.md"))
    if "results" in words[:1]:
        Path("files").mkdir()
    at = words.index("--scenario") if "--scenario" in words else len(words)
    game = words[at : at + 2]
    for before, word in zip(["", *words], words, strict=False):
        if before in WRITES:
            continue
        if "bandit.py" in word:
            page = (ROOT / "docs/your_learner.md").read_text(encoding="utf-8")
            code = page.partition("```python\n")[2].partition("```")[0]
            Path("bandit.py").write_text(code, encoding="utf-8")
        if word.startswith("cmd:"):
            provide_program(shlex.split(word.removeprefix("cmd:"))[0])
        _, is_saved, name = word.partition("saved=")
        if name or word.endswith(".npz"):
            learner = ("--learner", "bandit.py") if is_saved else ()
            short = ("--cycles", "2", "--episodes", "40", "--seed", "7", "--save", name or word)
            assert main(["train", *game, *learner, *short]) == 0
        if word.startswith("trained:"):
            Path("trained.py").write_text(TRAINED, encoding="utf-8")
            np.savez("q.npz", seller=np.zeros((27, 7)), buyer=np.zeros((27, 7)))
        if word.endswith(".cassette"):
            player = f"cmd:{sys.executable} docs/players/glee.py simple"
            nt.examine(player, "2x1", "seller", ask=2, cassette=word)
        if word.endswith(".jsonl"):
            few = ("--once", "--cycles", "1", "--episodes", "5")
            assert main(["watch", *few, "--record", word]) == 0


def provide_program(name: str) -> None:
    if name == "./conceder" and shutil.which("cc"):
        subprocess.run(["cc", "-o", name, "docs/players/conceder.c"], check=True, timeout=100)
    if not shutil.which(name):
        pytest.skip(f"needs {name}, or cc")


def run_program(command: Command) -> None:
    words = spec_of(command)
    provide(words)
    parser().parse_args(words)
    if is_screen(words):
        if words[0] in {"watch", "replay"} and len(words) > 1:
            assert main([*words, "--once"]) == 0  # one frame tells as much, without a terminal
        else:
            run_screen(words)
    else:
        assert main(made_small(words)) == 0


def run_screen(words: Sequence[str]) -> None:
    from tests.support.pty_session import MISSING, PROGRAM, Session

    if MISSING:
        pytest.skip(f"needs {', '.join(MISSING)}")
    with Session([*PROGRAM, *words], 120, 36, cwd=Path.cwd()) as session:
        # At the table six seconds belong to what is at stake before the footer is shown.
        shown = r"q (quit|exit|leaves)|You (buy|sell)\."
        session.wait(lambda: re.search(shown, session.text) is not None, "footer", 60.0)
        session.send("qq")  # at the table the first one asks
        assert session.status() == 0


def run_python(command: Command) -> None:
    match command.words:
        case ("-m", "pip", *words):
            run_pip(command._replace(words=tuple(words)))
        case ("-m", "pytest", *words):
            files = [ROOT / word for word in words if "/" in word]
            assert all(file.exists() for file in files)
            if "-k" in words:
                assert words[words.index("-k") + 1] in files[0].read_text(encoding="utf-8")
        case ("-m", "venv", folder):
            process("-m", "venv", "--without-pip", folder)
        case ("-m", *words):
            process("-m", *words)
        case (script,):
            provide(())
            source = Path(script).read_text(encoding="utf-8")
            for long, short in SHORT:
                source = re.sub(long, short, source, flags=re.MULTILINE)
            Path(script).write_text(source, encoding="utf-8")
            pytest.importorskip("matplotlib")
            run_script(script)
        case _:
            pytest.fail(f"no way to run {command}")


def run_script(script: str) -> None:
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [script])
        patch.setattr(sys, "unraisablehook", sys.unraisablehook)
        patch.setattr(os, "cpu_count", lambda: 1)  # workers would compile
        runpy.run_path(script, run_name="__main__")
    for each, handler in handlers.items():
        signal.signal(each, handler)


def process(*words: str, cwd: Path | None = None) -> str:
    ended = python(*words, cwd=cwd, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def run_pip(command: Command) -> None:
    """Check that the packages and extras exist; test_release.py and CI install them."""
    assert command.words[0] == "install"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for word in command.words[1:]:
        named = re.fullmatch(r"(\.|negotiation-tui)(?:\[([\w,-]+)\])?", word)
        assert word in {"-q", "-e"} or named, word
        if named and named[2]:
            assert set(named[2].split(",")) <= set(project["optional-dependencies"])


def run_dask(command: Command) -> None:
    """Check that it knows the subcommand and its options; test_cluster.py runs it."""
    pytest.importorskip("distributed")
    told = process("-m", "dask", *command.words[:1], "--help")
    assert all(word in told for word in command.words if word.startswith("-"))


WAYS: dict[str, Callable[[Command], None]] = {
    "negotiation-tui": run_program,
    "python": run_python,
    "python3": run_python,
    "pip": run_pip,
    "dask": run_dask,
}


def marks_of(command: Command) -> list[pytest.MarkDecorator]:
    if command.program != "negotiation-tui" or "--film" in command.words:
        return [pytest.mark.slow]
    screen = is_screen(spec_of(command))
    return [pytest.mark.slow, pytest.mark.terminal] if screen else []


@pytest.mark.parametrize(
    "command", [pytest.param(each, id=str(each), marks=marks_of(each)) for each in commands()]
)
@pytest.mark.usefixtures("without_numba")  # compiling takes longer than all of them
def test_the_command_runs(command: Command) -> None:
    assert command.program in WAYS, "write how it is run"
    for beginning, module in NEEDS.items():
        if any(word.startswith(beginning) for word in command.words):
            pytest.importorskip(module)
    WAYS[command.program](command)
