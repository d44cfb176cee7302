"""A restricted session: its user sees and writes the files of one folder, and runs no code."""

import re
import sys
from pathlib import Path

import pytest

from tests.support.cli import MODULE, program
from tests.support.confined import FEW, contents, run_confined, two_folders

if sys.platform == "win32":
    pytest.skip("--restricted needs a Unix system", allow_module_level=True)

WAYS_OUT = {
    # Files written elsewhere.
    f"train {FEW} --save ../outside/new.npz": "outside your folder",
    f"train {FEW} --save dangling.npz": "outside your folder",
    f"train {FEW} --save link.npz": "outside your folder",
    f"train {FEW} --save hard.npz": "ordinary file",
    f"train {FEW} --save pipe": "ordinary file",
    f"train {FEW} --save .ssh/authorized_keys": "begins with a dot",
    "watch --once --record OUT/new.jsonl": "outside your folder",
    "watch --film OUT/new.svg": "outside your folder",
    "reproduce --runs 2 --plot OUT/new.png": "plot|outside your folder",
    # Files read elsewhere: their contents, and even their existence.
    "watch --once --scenario /etc/passwd": "outside your folder",
    "watch --once --scenario pipe": "ordinary file",
    "test link.npz": "outside your folder",
    "replay --once OUT/secret.jsonl": "outside your folder",
    "results . OUT": "outside your folder",
    # Code.
    "watch --once --seller evil.py": "code is not allowed",
    "watch --once --seller learned:evil.py": "code is not allowed",
    "check evil.py": "code is not allowed",
    "check cmd:OUT/secret": "code is not allowed",
    "league --text --learners sarsa,evil.py": "code is not allowed",
    "reproduce buyers-role --player cmd:true": "is not allowed",
    "market --text agents.toml": "evil.py",
    # Other machines, and other restrictions.
    "sweep --cluster tcp://127.0.0.1:9": "--cluster is not allowed",
    "--restricted OUT": "unrecognized arguments|restricted already",
    "sh -c id": "COMMAND",
    "/usr/lib/openssh/sftp-server": "COMMAND",
}
"""Command lines that must be refused, each with a part of the refusal; OUT is a folder outside.

`tests.soak.restricted` tries every option.
"""
PLOTS = (
    f"train {FEW} --display-plot .x.png",
    f"train {FEW} --display-plot new.png --seller ../tables.npz",
    f"train {FEW} --display-plot new.png --save .x.npz",
    "reproduce --runs 2 --plot new.png --out .x.csv",
)


@pytest.mark.parametrize("words", PLOTS)
def test_a_refused_plot_leaves_no_folder_of_matplotlib(words: str, tmp_path: Path) -> None:
    done = program("--restricted", str(tmp_path), *words.split())
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_folders(tmp_path_factory.mktemp("restricted"))


def test_a_way_out_is_refused_in_one_line_and_changes_no_file(place: Path) -> None:
    """All in one restricted process, which is quicker than one process for each."""
    before = contents(place)
    lines = [line.replace("OUT", str(place / "outside")).split() for line in WAYS_OUT]
    lines[0] = ["--restricted", str(place / "inside"), *lines[0]]
    for line, (status, out, err) in zip(WAYS_OUT, run_confined(lines), strict=True):
        assert (status, out, err.count("\n")) == (2, "", 1), err
        assert err.startswith("negotiation-tui"), err
        assert re.search(WAYS_OUT[line], err), err
        assert "the secret" not in err
    after = contents(place)
    assert {name for name in {*before, *after} if before.get(name) != after.get(name)} == set()


def restricted(place: Path, sent: str, *words: str, **more: str) -> tuple[int, str, str]:
    line, sent_by = ("--restricted", str(place / "inside"), *words), {"SSH_ORIGINAL_COMMAND": sent}
    ended = program(*line, **sent_by, **more)
    return ended.returncode, ended.stdout, ended.stderr


@pytest.mark.parametrize(
    "sent",
    [
        "strategies; touch taken",
        "strategies $(touch taken)",
        "strategies > taken",
        "completion bash *",
        "train 'x",
    ],
)
def test_what_a_shell_would_run_is_only_words(place: Path, sent: str) -> None:
    before = contents(place)
    status, out, err = restricted(place, sent)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.search("COMMAND|unrecognized arguments|cannot be split into words", err)
    assert "evil.py" not in err, "a pattern was expanded"
    assert contents(place) == before


def test_words_on_the_command_line_are_the_only_command(place: Path) -> None:
    status, out, err = restricted(place, "config --show", "config", "--path")
    assert (status, out.count("\n"), err) == (0, 1, "")


@pytest.mark.parametrize("variable", ["NEGOTIATION_TUI_CONFIG", "XDG_CONFIG_HOME", "HOME"])
def test_the_environment_names_no_configuration(place: Path, variable: str) -> None:
    file = place / "outside" / "config.toml"
    value = str(file if variable == "NEGOTIATION_TUI_CONFIG" else file.parent)
    ended = restricted(place, "config --path", **{variable: value})
    expected = place / "inside" / ".config" / "negotiation-tui" / "config.toml"
    assert ended == (0, f"{expected}\n", "")


@pytest.mark.parametrize("folder", ["", "evil.py"])
def test_without_a_folder_nothing_runs(place: Path, folder: str) -> None:
    ended = program("--restricted", *([folder] if folder else []), "strategies")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "--restricted: folder" in ended.stderr


TOURNAMENT = "tournament --text --negotiations 2 micro own.npz"


@pytest.mark.parametrize("line", ["test OWN", pytest.param(TOURNAMENT, marks=pytest.mark.slow)])
def test_files_in_the_folder_are_written_and_read(place: Path, line: str) -> None:
    own = place / "inside" / "own.npz"
    try:
        saved = restricted(place, f"train {FEW} --no-verbose --save own.npz")
        assert saved == (0, "tables saved to own.npz\n", "")
        status, _, err = restricted(place, line.replace("OWN", str(own)))
        assert (status, err) == (0, "")
    finally:
        own.unlink()


@pytest.mark.terminal
def test_the_keys_lead_nowhere(place: Path, tmp_path: Path) -> None:
    from tests.support.pty_session import Session

    folder = tmp_path / "own"
    folder.mkdir()
    words = [*MODULE, "--restricted", str(folder), "watch", "--scenario", "fine"]
    shell = ("bash", "-mc", '"$@"; exit $?', "bash")  # a shell in which Ctrl-Z would stop it
    with Session([*shell, *words], 120, 36) as session:
        session.wait(lambda: re.search(r"q (quit|exit)", session.text) is not None, "footer")
        session.send("\x1a")
        session.send("w", "saved tables")
        session.quit()
    endings = sorted(each.suffix for each in folder.glob("[!.]*"))
    assert endings in ([".npz", ".svg", ".txt"], [".jsonl", ".npz", ".svg", ".txt"])
    assert list(tmp_path.iterdir()) == [folder]
