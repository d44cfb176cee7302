"""The command line: help, what it loads, its seeds, its files, its lessons, and its end."""

import io
import json
import re
import shlex
import signal
import sys
from dataclasses import fields
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from negotiation_tui._version import __version__
from negotiation_tui.cli import main as cli
from negotiation_tui.cli.main import SUBCOMMANDS, main, module_of, parser
from negotiation_tui.cli.subcommands.watch import STORY_DEFAULTS
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.sessions import tour_progress as files
from negotiation_tui.sessions.tour_progress import Result
from negotiation_tui.tui.configuration import configuration_path
from negotiation_tui.tui.tour.lessons import LESSONS
from tests.support.cli import Captured, printed, program, python, running, status_of
from tests.support.modules import loaded_by
from tests.support.paths import DOCS
from tests.support.processes import HAS_PROC, processor_seconds


def test_no_memory_for_a_library_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('x.so: failed to map segment')")
    found = program("train", PYTHONPATH=str(tmp_path))
    said = "negotiation-tui: not enough memory; use smaller numbers\n"
    assert (found.returncode, found.stderr) == (2, said)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        *(("--version", set()), ("--help", set()), ("config", {"config"})),
        ("--once --cycles 1 --episodes 5", {"watch"}),
    ],
)
def test_a_run_loads_the_subcommand_it_names(line: str, named: set[str]) -> None:
    loaded = loaded_by(f"from negotiation_tui.cli.main import main; main({line.split()!r})")
    package = module_of("watch").__name__.removesuffix("watch")
    assert {name.removeprefix(package) for name in loaded if name.startswith(package)} == named
    assert named or "numpy" not in loaded


def test_the_help_of_a_command_loads_no_other_and_no_numpy() -> None:
    code = f"""
import contextlib
for command in {[*SUBCOMMANDS]}:
    for name in [name for name in sys.modules if name.startswith("negotiation_tui")]:
        del sys.modules[name]
    from negotiation_tui.cli.main import main
    with contextlib.suppress(SystemExit):
        main([command, "--help"])
    package = "negotiation_tui.cli.subcommands."
    found = [name for name in sys.modules if name.startswith(package)]
    assert found == [package + command.replace("-", "_")], found
"""
    assert "numpy" not in loaded_by(code)


@pytest.mark.parametrize("command", SUBCOMMANDS)
def test_commands_have_help(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    overview, out = printed(capsys, "help"), printed(capsys, command, "--help")
    assert overview == printed(capsys, "--help")
    assert out == printed(capsys, "help", command)
    assert re.search(rf"^ +{command}\s+\w", overview, re.MULTILINE)
    assert out.startswith(f"usage: negotiation-tui {command} ")
    assert max(map(len, out.partition("\n\n")[2].splitlines())) <= 80
    assert "\nexamples:\n  negotiation-tui " in out


EXAMPLE_LINES = [
    line.partition(" # ")[0].strip()
    for each in (cli, *map(module_of, SUBCOMMANDS))
    for line in each.EXAMPLES.splitlines()
]
HARMLESS = ("strategies", "learners", "config", "completion", "solve", "test ")
"""Examples that are over within a second, without a screen."""


@pytest.mark.parametrize("line", EXAMPLE_LINES)
def test_every_example_is_understood(line: str, capsys: Captured) -> None:
    words = shlex.split(re.split("[>|]", line)[0])
    if not words or words[0].startswith("-"):
        words.insert(0, "watch")
    options = parser().parse_args(words)
    assert options.run is module_of(words[0]).run
    if line.startswith(HARMLESS):
        if words[0] == "completion":
            pytest.importorskip("shtab")
        if "tables.npz" in words:
            assert main(["train", "--cycles", "1", "--save", "tables.npz"]) == 0
        assert main(words) == 0
        assert capsys.readouterr().out


def test_the_help_of_train_names_every_parameter_and_its_default(capsys: Captured) -> None:
    out = " ".join(printed(capsys, "train", "--help").split())
    for field in fields(Parameters):
        option = "--" + field.name.replace("_", "-")
        assert option in out
        if not isinstance(field.default, bool):
            assert re.search(rf"{option} [NX] [^-]*\(published: {field.default}\)", out)


@pytest.mark.parametrize(("command", "encoding"), [("watch", "ascii"), ("train", "cp1252")])
def test_help_can_be_printed_where_output_is_not_unicode(
    command: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding))
    assert status_of(command, "--help") == 0
    sys.stdout.flush()
    assert b"--json" in written.getvalue() or command == "watch"


def test_without_a_command_it_watches_and_it_has_a_version(capsys: Captured) -> None:
    watched = printed(capsys, "--once", "--seed", "3")
    assert watched == printed(capsys, "watch", "--once", "--seed", "3")
    assert "DEAL" in watched or "rejected" in watched
    assert printed(capsys, "--version") == f"negotiation-tui {__version__}\n"


def test_one_frame_as_a_picture_and_its_facts(capsys: Captured, tmp_path: Path) -> None:
    once = ("--once", "--scenario", "original", "--seed", "3")
    picture = tmp_path / "frame.svg"
    assert status_of(*once, "--svg", str(picture)) == 0
    assert capsys.readouterr() == ("", f"saved to {picture}\n")
    shown = ET.fromstring(picture.read_text(encoding="utf-8"))
    words = "".join("".join(shown.itertext()).split())
    for line in printed(capsys, *once).splitlines():
        assert "".join(line.split()) in words
    facts = json.loads(printed(capsys, *once, "--json"))
    assert (facts["seed"], facts["cycle"], facts["scenario"]["name"]) == (3, 1, "original")
    facts = json.loads(printed(capsys, "--once", "--seed", "3", "--json"))
    assert facts["scenario"]["states"] == "opener-aware"


@pytest.mark.slow
def test_a_film_of_a_training_and_of_its_recording(capsys: Captured, tmp_path: Path) -> None:
    film, again = tmp_path / "film.svg", tmp_path / "again.svg"
    recording = tmp_path / "run.jsonl"
    written = (film, again, film, again)
    asked = ["--seed", "3", "--size", "100x30"]
    assert status_of(*asked, "--seconds", "60", "--film", str(film)) == 0
    shown = film.read_text(encoding="utf-8")
    assert "<script" not in shown
    assert len(shown.encode()) < 300_000
    words = "".join("".join(ET.fromstring(shown).itertext()).split())
    assert "DEALat" in words
    assert "animation:58.5667s" in words  # it ends soon after its last change
    few = (*asked, "--pace", "16", "--seconds", "4")
    assert status_of(*few, "--film", str(again)) == 0
    assert status_of(*few, "--record", str(recording), "--film", str(film)) == 0
    assert film.read_text(encoding="utf-8") == again.read_text(encoding="utf-8")
    assert status_of("replay", str(recording), "--pace", "16", "--film", str(again)) == 0
    end = re.search(r"animation:([\d.]+)s", again.read_text(encoding="utf-8"))
    assert end
    assert 3 < float(end[1]) < 20  # it ends soon after its last negotiation
    assert capsys.readouterr() == ("", "".join(f"saved to {each}\n" for each in written))


LOOKS = "--ascii --pace 8 --fps 10 --theme light --no-animation --advice --paused"
CYCLES = RECIPES[STORY_DEFAULTS[1]](Scenario.original()).cycles
BARE = (f"cycle 1 of {CYCLES}", "Practice begins at the end, in round 5")
STORIES: dict[str, tuple[str, ...]] = {
    "": BARE,
    LOOKS: BARE[:1],
    "--scenario legacy": ("cycle 1 of 200  ‖ paused (story)",),
    "--scenario hidden": ("cycle 1 of 120  ‖ paused (story)",),
    f"--scenario {DOCS / 'stall.toml'}": ("cycle 1 of 104  ‖ paused (story)",),
}
OWN_GAME = (
    *("--states published", "--recipe published", "--opener alternate"),
    *("--seller learned", "--cycles 50", "--episodes 100", "--train-both", "--train-agent seller"),
    "--scenario many.toml",  # of hidden limits, and too large for a story
)


@pytest.mark.parametrize("words", [*STORIES, *OWN_GAME])
def test_a_game_alone_opens_as_a_story(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    many = "prices = {min = 0, max = 150}\nrounds = 2\n[seller]\nlimits = [0, 9]\n"
    Path("many.toml").write_text(many, encoding="utf-8")
    shown = printed(capsys, "--once", "--seed", "3", *words.split())
    for text in STORIES.get(words, ("cycle 1 of 50",)):
        assert text in shown
    if words in OWN_GAME:
        assert "opener-aware" not in shown
        assert "story" not in shown


def test_the_help_of_watch_says_that_without_options_it_is_a_story(capsys: Captured) -> None:
    shown = " ".join(printed(capsys, "watch", "--help").split())
    assert "{} states, the recipe {}, {} cycles".format(*STORY_DEFAULTS, CYCLES) in shown


@pytest.mark.parametrize("command", ["train --cycles 3", "watch --once"])
def test_a_seed_repeats_a_run(capsys: Captured, command: str) -> None:
    zero, again, one = (printed(capsys, *command.split(), "--seed", seed) for seed in "001")
    assert zero == again
    assert zero.replace("seed 0", "seed 1") != one


def test_without_a_seed_the_one_printed_repeats_the_run(capsys: Captured) -> None:
    first, second = (printed(capsys, "train", "--cycles", "3") for _ in range(2))
    assert first != second
    (seed,) = re.findall(r"seed (\d+)\n", first)
    assert printed(capsys, "train", "--cycles", "3", "--seed", seed) == first


@pytest.mark.slow
@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
@pytest.mark.parametrize("size", [("1000", "1000000"), ("1000000000", "100")])
def test_ctrl_c_ends_a_training_of_any_size_at_once(size: tuple[str, str]) -> None:
    words = ("train", "--cycles", size[0], "--episodes", size[1])
    with running(*words, until=lambda process: processor_seconds(process) > 1) as training:
        training.send_signal(signal.SIGINT)
        # Nothing was said meanwhile: standard error is no terminal, so there is no bar either.
        assert training.communicate(timeout=10) == ("", "")
    assert training.returncode == 130


def test_it_ends_at_once_while_something_is_compiled() -> None:
    code = """
import sys, time
from negotiation_tui.__main__ import run
from negotiation_tui.runtime.jit import BackgroundCompiler

BackgroundCompiler(lambda: time.sleep(600)).begin()
sys.argv = ["negotiation-tui", "strategies"]
run()
"""
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    assert "boulware" in done.stdout
    assert done.stdout.endswith("\n")


def test_ctrl_c_amid_the_imports_says_nothing() -> None:
    code = """
import signal, sys

class Breaking:
    def find_spec(self, name, *_):
        if name == "negotiation_tui.cli":
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Breaking())
from negotiation_tui.__main__ import run
run()
"""
    done = python("-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


MOVER = """
import os
from negotiation_tui.strategies.concession import Midpoint

os.chdir("..")

class Mover(Midpoint):
    name = "mover"

    def support(self, position):
        os.chdir("..")
        return super().support(position)
"""
FEW = "--cycles 2 --episodes 5 --seed 1"
COMMANDS = {
    f"train --seller mover.py {FEW} --save a.npz": {"a.npz"},
    f"watch --once --seller mover.py {FEW} --svg a.svg --record a.jsonl": {"a.svg", "a.jsonl"},
    "tournament mover.py midpoint --text --out a.csv --workers 1": {"a.csv"},
    "sweep --set seller=mover.py --set cycles=2 --runs 3 --workers 2 --out a.csv": {"a.csv"},
    "market --seller mover.py --limit steps=20 --seed 1 --text --save a.npz --out a.csv": {
        "a.npz",
        "a.csv",
    },
}


@pytest.mark.parametrize("command", COMMANDS)
def test_files_are_written_where_the_command_was_given(command: str) -> None:
    Path("mover.py").write_text(MOVER, encoding="utf-8")
    done = program(*command.split())
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
    written = {str(path) for path in Path().iterdir()} - {"mover.py"}
    assert written == COMMANDS[command]


STATE = Path("state/negotiation-tui/tour.json")


def test_the_list_is_printed_anywhere_and_damaged_progress_is_empty(capsys: Captured) -> None:
    files.write(STATE, {"buyer": Result(2, 2)})
    lines = printed(capsys, "tour", "--list").splitlines()
    assert [line.split()[0] for line in lines] == [f"{n}" for n in range(1, len(LESSONS) + 1)]
    assert [line for line in lines if "done" in line] == [lines[1]]
    assert "2 of 2 right" in lines[1]
    STATE.write_text("{", encoding="utf-8")
    assert status_of("tour", "--list") == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == len(LESSONS)
    assert err.count("\n") == 1
    assert "tour.json" in err


@pytest.mark.skipif(sys.platform == "win32", reason="--restricted needs a Unix system")
def test_a_restricted_process_keeps_its_progress_in_its_folder(tmp_path: Path) -> None:
    folder, home = tmp_path / "own", tmp_path / "state"
    own = folder / ".local" / "state"
    for state, result in ((home, Result(1, 2)), (own, Result(3, 4))):
        files.write(state / "negotiation-tui" / "tour.json", {"bar": result})
    words = ("--restricted", str(folder), "tour")
    done = program(*words, "--list", XDG_STATE_HOME=str(home))
    assert (done.returncode, done.stdout.count("done")) == (0, 1)
    assert "3 of 4 right" in done.stdout
    code = f"""
from negotiation_tui.runtime.restricted import restrict
from negotiation_tui.sessions import tour_progress
restrict({str(folder)!r})
tour_progress.write(tour_progress.progress_path(), {{"bar": tour_progress.Result(4, 4)}})
"""
    assert python("-c", code, XDG_STATE_HOME=str(home)).returncode == 0
    assert files.read(own / "negotiation-tui" / "tour.json") == {"bar": Result(4, 4)}


def test_config_prints_its_entries_or_its_path(capsys: Captured) -> None:
    assert printed(capsys, "config", "--path").splitlines() == [str(configuration_path())]
    assert "[keys]" in printed(capsys, "config")
