"""Strategies from the user's own files: played everywhere, and their errors in one line."""

import re
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui.cli.main import main
from negotiation_tui.learning.checkpoint import load_tables, save_tables
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.strategies.registry import STRATEGIES, spec_of
from tests.support.cli import Captured, message, printed, refused
from tests.support.moves import answers, position_of
from tests.support.screen_driver import Screen
from tests.support.trained_tables import trained
from tests.support.user_strategies import (
    EXAMPLE,
    HEAD,
    PATIENT,
    STUBBORN,
    patient,
    player_of,
    write,
)


def test_the_example_plays_what_it_says() -> None:
    held = player_of(EXAMPLE)
    assert spec_of(held) == EXAMPLE
    assert answers(held, "original", "seller", True, "1 1 1 1") == "5 4 3 2 0"
    assert answers(held, "original", "buyer", False, "5 4 3") == "1 2 0"
    faster = player_of(f"{EXAMPLE}:step=2")
    assert spec_of(faster) == f"{EXAMPLE}:step=2"
    assert answers(faster, "gaps", "seller", True, "1 1 1") == "9 5 2 0"


def test_of_several_one_is_chosen() -> None:
    one = PATIENT.format(depends_on="", body=STUBBORN)
    file = write("two.py", HEAD + one + one.replace("Patient", "Hasty"))
    with pytest.raises(BadInputError, match=r"two\.py, line 13: expected one strategy, .*::Hasty"):
        strategy_from_spec(file)
    held = player_of(f"{file}::Patient")
    assert spec_of(held) == "two.py::Patient"
    assert answers(held, "original", "seller", True, "3") == "1 1"


WRONG = {
    "syntax": ("x = = 1\n", "own.py, line 1: invalid syntax"),
    "import": (HEAD + "import nothing_like_it\n", "own.py, line 2: ModuleNotFoundError: No module"),
    "exit": (HEAD + "raise SystemExit(3)\n", "own.py, line 2: SystemExit: 3"),
    "nothing in it": (HEAD, "own.py, line 1: expected a strategy, got none; write a class that"),
    "half a class": (HEAD + "class A(Strategy): pass\n", "A does not define depends_on, support"),
    "depends_on": (
        HEAD + PATIENT.format(depends_on="{'weather'}", body=STUBBORN),
        "own.py, line 3: depends_on: expected some of time, own, opener, history, got",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_what_cannot_be_loaded(kind: str, capsys: Captured) -> None:
    text, named = WRONG[kind]
    assert named in refused(capsys, "train", "--seller", write("own.py", text))


@pytest.mark.parametrize(
    ("body", "depends_on", "command", "named"),
    [
        ("return [1 // 0]", "", "train", "own.py, line 11: ZeroDivisionError: integer division"),
        ("return []", '{"history"}', "watch --once", "for the seller at the opening, got none"),
        ("return [9]", "", "sweep", "for the seller at the opening, got 9"),
        ("return [9]", '{"history"}', "train", "for the seller at the opening, got 9"),
        ("return ['a']", '{"history"}', "sweep", "own.py, line 7: TypeError: 'str' object cannot"),
    ],
)
def test_what_breaks_as_it_plays(
    body: str, depends_on: str, command: str, named: str, capsys: Captured
) -> None:
    words = f"{command} --seller {patient(body, depends_on)} --opener seller"
    if command == "sweep":
        words = "sweep --set seller=own.py --set opener=seller --runs 2 --workers 1"
    assert named in refused(capsys, *words.split())


def test_it_is_played_with_tables_of_a_file_if_it_is_named(capsys: Captured) -> None:
    file = patient()
    printed(capsys, "train", "--cycles", "2", "--no-verbose", "--seller", file, "--save", "t.npz")
    assert load_tables("t.npz").strategies == (file, None)
    said = refused(capsys, "test", "t.npz", "--as-published")
    assert "if you name it yourself; add --seller own.py or another strategy" in said
    printed(capsys, "test", "t.npz", "--seller", file)
    text = printed(capsys, "solve", "--policy", "t.npz", "--seller", file)
    assert "the seller plays own.py, a static strategy" in text


def test_it_is_read_again_and_leaves_no_cache_file() -> None:
    held = player_of(patient())
    again = player_of(patient("return [scenario.offers(position.role)[-1]]"))
    start = position_of(Scenario.original(), Role.SELLER, ())
    assert [list(rule.support(start)) for rule in (held, again)] == [[0], [4]]
    assert [path.name for path in Path().iterdir()] == ["own.py"]


def test_the_screen_knows_it_by_its_stem() -> None:
    file = patient(depends_on='{"history"}')
    screen = Screen(strategies=(file, None), width=120)
    assert "seller: own  buyer: learning" in screen.text()
    screen.press("s")
    assert "seller: learning  buyer: learning" in screen.text()
    screen.press("S", "end")
    assert "own" in screen.line("own.py")
    screen.press("enter")
    assert screen.model.snapshot.seating.strategies == (file, None)
    screen.press("t", "t", "t")
    assert "seller: own  buyer: midpoint" in screen.text()


@pytest.fixture
def other_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that lists strategies, some of which cannot be seated."""
    folder = Path("site/other-1.dist-info")
    folder.mkdir(parents=True)
    ran = "import pathlib\npathlib.Path('ran').touch()\n"
    whole = ran + HEAD + PATIENT.format(depends_on="", body=STUBBORN)
    write("site/other_package.py", whole)
    write("site/other-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    points = {"patient": "Patient", "gone": "Gone", "text": "pathlib"}
    points |= dict.fromkeys(("midpoint", "learned", "other.py", "other.npz"), "Patient")
    lines = "".join(f"{name} = other_package:{value}\n" for name, value in points.items())
    lines += "missing = no_package_like_it:Patient\n"
    write("site/other-1.dist-info/entry_points.txt", f"[negotiation_tui.strategies]\n{lines}")
    monkeypatch.syspath_prepend(str(Path("site").resolve()))
    monkeypatch.delitem(sys.modules, "other_package", raising=False)
    assert metadata.version("other") == "1"


@pytest.mark.usefixtures("other_package")
def test_of_another_package(capsys: Captured) -> None:
    held = player_of("patient")
    assert answers(held, "original", "buyer", False, "5 4") == "1 1"
    assert main(["strategies"]) == 0
    listed = re.findall(r"(\S+) +from another package", capsys.readouterr().out)
    assert listed == ["gone", "missing", "patient", "text"]
    assert strategy_from_spec("midpoint") == STRATEGIES["midpoint"]
    for words, named in (
        ("gone", "strategy gone: other_package:Gone cannot be imported: AttributeError"),
        ("text", "strategy text: expected a complete class"),
        ("nobody", "strategy: expected midpoint, .*, gone, missing, patient or text, got 'nobody'"),
    ):
        said = message(lambda words=words: strategy_from_spec(words))  # type: ignore[misc]
        assert re.search(named, said)
        assert "importlib" not in said


@pytest.mark.usefixtures("other_package")
def test_no_file_imports_another_package(capsys: Captured) -> None:
    trained(file="t.npz")
    save_tables("t.npz", replace(load_tables("t.npz"), specs=("learned", "patient")))
    assert main(["test", "t.npz"]) == 2
    assert "buyer: patient is not built in" in capsys.readouterr().err
    assert not Path("ran").exists()
    assert main(["test", "t.npz", "--buyer", "patient"]) == 0
    assert Path("ran").exists()
