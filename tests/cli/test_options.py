"""Each option of each command is used, or refused in a line: none is ignored without a word."""

import argparse
from pathlib import Path

import pytest

import negotiation_tui as nt
from negotiation_tui.cli.main import SUBCOMMANDS, parser
from tests.support.bots import bot
from tests.support.cli import Captured, printed, refused

SCREEN = "theme color animation mouse speak ascii fps"
"""Options of the screen; they mean nothing where none is shown."""
PACED, TRAINED = f"{SCREEN} pace paused advice", "train-agent train-both"
ONCE = "once svg json film seconds size"
TRAINING = "scenario delta states talk seller buyer learner opener seed recipe"
LEARNING = """discount-rate learning-rate initial-value curriculum-window curriculum-shift-every
    exploration-start exploration-end exploration-decay exploration-restarts expected-updates"""
OUT = f"out text json workers cluster paused {SCREEN}"
USED = {
    "watch": f"{TRAINING} cycles episodes {TRAINED} {PACED} {ONCE} record at change",
    "tour": f"lesson list restart {SCREEN}",
    "play": f"scenario delta states talk as against opener seed recipe record {PACED}",
    "replay": f"file at {PACED} {ONCE}",
    "train": f"{TRAINING} cycles episodes {LEARNING} {TRAINED} verbose display-normalized"
    " display-relative display-plot json save",
    "test": "file as-published negotiations seed seller buyer json",
    "solve": "scenario delta states policy seller buyer discount-rate undiscounted efg opener json",
    "reproduce": "claim list player runs seed workers cluster out plot json",
    "sweep": f"scenario delta set runs seed {OUT}",
    "tournament": f"entrants scenario delta states talk opener negotiations seed recipe {OUT}",
    "league": f"learners games seeds recipe episodes {OUT}",
    "market": "file sellers seller costs buyers buyer values learner discount-rate learning-rate"
    " exploration-start exploration-end exploration-decay team team-reward limit scenario delta"
    f" states rounds seed compare text json out save resume pace paused {SCREEN}",
    "results": f"folders text json csv games {SCREEN}",
    "examine": "player scenario delta talk role against ask minutes seed discount-rate cassette"
    " copies save json",
    "desk": "cassettes text json csv",
    "strategies": "strategy json",
    "learners": "learner json",
    "check": "player scenario delta states minutes seed",
    "config": "show path",
    "completion": "shell",
}
"""The options of each command. Those that a use of it has no use for are in `REFUSED` too."""
REFUSED = """
watch --seller boulware --buyer linear | --learner=sarsa
watch | --svg=a --json --seconds=3 --size=80x24
replay a.jsonl | --svg=a --json --seconds=3 --size=80x24
train --seller boulware --buyer linear | --learner=sarsa
train --json | --verbose --display-normalized --display-relative
solve --policy a.npz | --scenario=hidden --delta=0.9 --states=opener-aware
solve | --seller=boulware --buyer=linear --opener=buyer
solve --undiscounted | --discount-rate=1
reproduce ceiling | --player=linear --runs=9 --seed=0 --workers=1 --cluster=a
reproduce ceiling | --out=a.csv --plot=a.png
reproduce --list | --player=linear --runs=9 --seed=0 --workers=1 --cluster=a
reproduce --list | --out=a.csv --plot=a.png
reproduce | --player=linear --workers=1_--cluster=a
sweep | --workers=1_--cluster=a --text_--json
tournament | --workers=1_--cluster=a --text_--json
league | --workers=1_--cluster=a --text_--json
tour --list | 3 --restart
market | --text_--json
market a.toml | --sellers=2 --seller=linear --costs=3 --learner=sarsa --team=a=b --learning-rate=0.1
market --resume a.npz | --scenario=hidden --delta=0.9 --states=opener-aware --rounds=3 --seed=1
market --resume a.npz | --buyers=2 --buyer=linear --values=3 --learner=sarsa
market --resume a.npz | --team=a=b --team-reward
market --resume a.npz | --discount-rate=1 --learning-rate=1 --exploration-start=1 a.toml
market --resume a.npz | --exploration-end=1 --exploration-decay=1
market --seller boulware --buyer linear | --learner=sarsa
results . | --text_--json --csv_--json --games
desk a.cassette | --text_--json --csv_--json
examine linear | --ask=3 --cassette=a.cassette --copies=2
check linear | --minutes=3
config | --show_--path
bot.cassette | --scenario=hidden --delta=0.9 --talk --ask=3 --minutes=3 --seed=1 --discount-rate=1
bot.cassette | --cassette=b.cassette --copies=2 --role=buyer --role=both
"""
EACH = [
    (words.replace("bot.cassette", "examine bot.cassette").strip(), option.split("_"))
    for words, _, options in (line.partition("|") for line in REFUSED.strip().splitlines())
    for option in options.split()
]


def test_each_option_is_known_to_the_table() -> None:
    (commands,) = (
        each.choices
        for each in parser(SUBCOMMANDS)._actions
        if isinstance(each, argparse._SubParsersAction)
    )
    for name, command in commands.items():
        actions = [each for each in command._actions if each.dest != "help"]
        found = {(each.option_strings or [each.dest])[0].removeprefix("--") for each in actions}
        assert found == {*USED[name].split()}, name


@pytest.fixture(scope="module")
def taped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("taped")
    cassette = str(folder / "bot.cassette")
    nt.examine(
        bot(folder, "by odds"), "2x1", "seller", ask=2, against=["linear"], cassette=cassette
    )
    return folder


@pytest.mark.parametrize(("words", "options"), EACH, ids=lambda each: str(each)[:60])
def test_an_option_without_a_use_is_refused(
    words: str, options: list[str], taped: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(taped)
    before = {*taped.iterdir()}
    refused(capsys, *words.split(), *options)
    assert {*taped.iterdir()} == before


def test_a_cassette_has_other_roles_and_opponents(
    taped: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """What needs no answer is used: fewer roles, other opponents, and the same settings."""
    monkeypatch.chdir(taped)
    player, cassette = bot(taped, "by odds"), "both.cassette"
    whole = nt.examine(player, "2x1", ask=2, against=["linear", "conceder"], cassette=cassette)
    (taped / "bot.py").unlink()
    capsys.readouterr()
    whole_marks, against = whole.to_dict()["marks"], whole.to_dict()["against"]
    for words in ((), ("--ask", "2", "--scenario", "2x1", "--seed", "0", "--minutes", "10")):
        assert printed(capsys, "examine", cassette, *words) == f"{whole}\n"
    (marks,) = nt.examine(cassette, role="buyer").to_dict()["marks"].items()
    assert marks == ("buyer", whole_marks["buyer"])
    fewer = nt.examine(cassette, against=against[1:]).to_dict()["marks"]["seller"]
    assert fewer["regrets"] == whole_marks["seller"]["regrets"][1:]
    other = nt.examine(cassette, against=["midpoint"]).marks[0].regrets
    assert [each.opponent for each in other] == ["midpoint"]
    Path(cassette).unlink()
