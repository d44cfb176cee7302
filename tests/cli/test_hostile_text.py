"""Names and words that would command a terminal: each is shown, none is obeyed."""

import os
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui.learning.checkpoint import TrainedTables, save_tables
from negotiation_tui.tui.configuration import VARIABLE
from negotiation_tui.tui.negotiation.render import render
from tests.support.cli import MODULE, Captured, status_of
from tests.support.screen_driver import Screen
from tests.support.trained_tables import trained
from tests.support.user_strategies import patient

CONTROLS = "\x1b]0;x\x07\x08\x7f\x85\x9b31m"
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202d\u202e\u2066\u2069"
UNSEEN = "\u00ad\u200b\u2060\u2028\u2029\ufeff\U000e0041"
HOSTILE = {
    "marks": CONTROLS + DIRECTIONS + UNSEEN,
    "bytes": "\udc9b31m\udcff",
    "lines": "a\nnegotiation-tui: all is well\r",
}
"""Each can be part of a file name."""
SMALL = "--cycles 1 --episodes 1 --seed 1"
REFUSED = [
    # words that are refused
    *("H", "H --help", "train H", "train --cycles H", "train --scenario H", "train --seller H"),
    *("train --scenario H.toml", "train --seller H.py", "train --seller boulware:beta=H"),
    *("train --seller H:policy", "train --save H/tables.npz", "watch --pace H", "play --against H"),
    *("replay H", "test H", "sweep --set cycles=H", "sweep --out H/rows.csv", "completion H"),
    *("market --team H=a", "market --costs H", "market --resume H.npz"),
    # files that hold what they should not
    *("test garbage-H.npz", "market garbage-H.toml", "train --scenario garbage-H.toml"),
    *("replay garbage-H.jsonl", "sweep --out garbage-H.csv", "train --seller garbage-H.py"),
    "tournament --out garbage-H.csv midpoint random",
    *("train --scenario names.toml", "market roster.toml"),
    # the user's own code, and its errors
    f"train --seller own-H.py {SMALL}",
    f"watch --once --seller own-H.py {SMALL}",
    "check own-H.py",
    "solve --seller own-H.py --policy new-H.npz",
    "tournament own-H.py midpoint --negotiations 1 --workers 1",
    "market --limit steps=1 --sellers 1 --buyers 1 --seller own-H.py",
    "train --seller failing.py",
    "check failing.py",
]
DONE = [
    "test new-H.npz --negotiations 1",
    "solve --policy new-H.npz",
    f"train --save new-H.npz {SMALL}",
    f"watch --once --record new-H.jsonl {SMALL}",
    "market --limit steps=1 --sellers 1 --buyers 1 --seed 1 --out new-H.csv --save new-H.npz",
    "sweep --set cycles=1 --workers 1 --out rows-H.csv",
]
FAILING = "raise ValueError({text!r})\n"
NOISY = """
import sys
sys.stderr.write({text!r})
sys.stdout.write({text!r})
raise ValueError({text!r})
"""
LOGGING = """
import logging, warnings
logging.getLogger().error({text!r})
warnings.warn("warned" + {text!r})
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> TrainedTables:
    return trained(file=str(tmp_path_factory.mktemp("trained") / "tables.npz"))


@pytest.fixture(params=HOSTILE)
def hostile(request: pytest.FixtureRequest, tmp_path: Path, tables: TrainedTables) -> str:
    """A text, and files with it in their names or in what they hold."""
    text = HOSTILE[request.param]
    try:
        for ending in ("npz", "toml", "jsonl", "csv", "py"):
            (tmp_path / f"garbage-{text}.{ending}").write_bytes(b"\x00\x9b31m garbage \xff")
    except (OSError, UnicodeEncodeError):
        pytest.skip("such a name cannot be given here")
    for name in (f"failing-{text}.py", "failing.py"):
        (tmp_path / name).write_text(FAILING.format(text=text), encoding="utf-8")
    patient(name=f"own-{text}.py")
    save_tables(f"new-{text}.npz", tables)
    (tmp_path / "noisy.py").write_text(NOISY.format(text=text), encoding="utf-8")
    quoted = text.encode("unicode_escape").decode().replace("\\x", "\\u00")
    if "\\ud" in quoted:  # TOML has no such characters
        quoted = "\\u009b"
    scenario = f'name = "{quoted}"\nprices = 5\nrounds = 5\n'
    (tmp_path / "names.toml").write_text(scenario, encoding="utf-8")
    roster = f'[[seller]]\nname = "{quoted}"\n[[buyer]]\n'
    (tmp_path / "roster.toml").write_text(roster, encoding="utf-8")
    return text


def assert_harmless(text: str) -> None:
    bad = [ascii(c) for c in text if not c.isprintable() and c not in "\n\t"]
    assert not bad, bad


def run(place: str, hostile: str, capsys: Captured) -> tuple[int, str, str]:
    """Run a command line with the text for each `H`; return status, output and errors."""
    status = status_of(*(word.replace("H", hostile) for word in place.split()))
    out, err = capsys.readouterr()
    assert_harmless(out + err)
    return status, out, err


def test_what_is_refused_is_shown_in_one_line(hostile: str, capsys: Captured) -> None:
    for place in REFUSED:
        status, out, err = run(place, hostile, capsys)
        assert (status, out, err.count("\n")) == (2, "", 1), place
    assert run("check noisy.py", hostile, capsys)[0] == 2  # what the user's code writes is shown


def test_what_is_done_is_shown(hostile: str, capsys: Captured) -> None:
    for place in DONE:
        status, out, err = run(place, hostile, capsys)
        assert status == 0, place
        assert "\nnegotiation-tui: all is well" not in out + err, place


@pytest.mark.parametrize("words", ["config", "config --path", "--once", "market --limit steps=1"])
def test_a_configuration_is_harmless(
    words: str, hostile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    path = tmp_path / f"{hostile}.toml"
    monkeypatch.setenv(VARIABLE, str(path))
    for content in ("", "theme = '{}'", "'{}' = 1", "[keys]\nquit = '{}'"):
        path.write_bytes(content.format(hostile).encode("utf-8", "surrogateescape"))
        status_of(*words.split())
        out, err = capsys.readouterr()
        assert_harmless(out + err)
        assert err.count("\n") <= 1


@pytest.mark.parametrize("hostile_text", HOSTILE.values(), ids=HOSTILE)
def test_a_message_on_the_screen_is_harmless(hostile_text: str) -> None:
    model = replace(Screen().model, message=f"saved to {hostile_text}")
    text = render(model).text()
    assert "saved to" in text
    assert_harmless(text)


@pytest.mark.terminal
@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("train H", "unrecognized arguments"),
        ("check failing.py", "ValueError"),
        ("check chatty.py", "warned"),
    ],
)
def test_a_terminal_gets_no_command(place: str, said: str) -> None:
    pytest.importorskip("pyte")
    from tests.support.pty_session import Session

    text = "\x1b[7m\x9b31m\x7f\u202e"
    Path("failing.py").write_text(FAILING.format(text=text), encoding="utf-8")
    Path("chatty.py").write_text(LOGGING.format(text=text), encoding="utf-8")
    words = [word.replace("H", text) for word in place.split()]
    with Session(["sh", "-c", shlex.join([*MODULE, *words])], 100, 60) as session:
        session.status()
        assert said in session.text
        assert_harmless(session.output.decode().replace("\r\n", "\n"))
