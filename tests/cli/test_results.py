"""`play --as NAME` writes games, `results` prints how people played."""

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from wcwidth import wcswidth

from negotiation_tui import Role, Scenario
from negotiation_tui.cli.subcommands import play
from negotiation_tui.sessions.commands import Act, Sit
from negotiation_tui.tui.negotiation import watch
from tests.support.cli import Captured, printed, refused, status_of
from tests.support.game import some
from tests.support.students import play as write_games


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("person", "name", "role"),
    [
        ("anna", "anna", Role.BUYER),
        ("Anna M.:Seller", "Anna M.", Role.SELLER),
        ("a:b", "a:b", Role.BUYER),
        ("seller", None, Role.SELLER),
    ],
)
def test_each_finished_game_of_a_named_person_is_written(
    person: str, name: str | None, role: Role, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def one_game(session: Any, *_: Any, **__: Any) -> int:
        session.handle(Sit(role))  # as the key p: the name stays
        while (position := some(session.snapshot.negotiation).transcript.position) is not None:
            session.handle(Act(position.legal[-1]))
        return 0

    monkeypatch.setattr(play, "on_terminal", bool)
    monkeypatch.setattr(watch, "watch", one_game)
    for _ in range(2):
        assert status_of("play", "--as", person, "--against", "micro") == 0
    said = capsys.readouterr().err.splitlines()
    assert said == [f"the games of {name} are in {path}" for path in sorted(Path().iterdir())][::-1]
    told = json.loads(printed(capsys, "results", ".", "--json"))
    rows = [(each["name"], each["games"], each["unread"]) for each in told["people"]]
    assert rows == ([] if name is None else [(name, 2, 0)])
    assert len([*Path().iterdir()]) == 2 * len(rows)
    for path in Path().iterdir():
        *_, last = path.read_text(encoding="utf-8").splitlines()
        assert json.loads(last)["person"]["role"] == str(role)


def test_the_table_the_rows_and_the_values_agree(capsys: Captured) -> None:
    for n, name in enumerate(("anna", "=ben", "anna")):
        write_games(Path(f"f{n}/games.jsonl"), name, 2 + n, n)
    told = json.loads(printed(capsys, "results", "f0", "f1", "f2", "--json"))
    rows = [*csv.DictReader(printed(capsys, "results", ".", "--csv").splitlines())]
    assert [row["games"] for row in rows] == [str(each["games"]) for each in told["people"]]
    names = {row["name"] for row in rows}
    assert names == {"anna (f0)", "'=ben", "anna (f2)"}, "no spreadsheet takes it for a formula"
    table, _, whole = printed(capsys, "results", ".").strip().rpartition("\n\n")
    head, *lines = table.splitlines()
    assert head.split()[:3] == ["rank", "person", "regret"]
    assert all(f" {row['games']} " in line for row, line in zip(rows, lines, strict=True))
    assert whole.startswith("3 people, 9 games; efficiency ")
    assert told["all"]["games"] == 9


def test_csv_has_a_row_per_game(capsys: Captured) -> None:
    write_games(Path("f/a.jsonl"), "=ben", 3)
    write_games(Path("f/b.jsonl"), "=ben", 2, 1, Scenario.of("hidden"), 0)
    rows = [*csv.DictReader(printed(capsys, "results", "f", "--csv", "--games").splitlines())]
    text = "".join(Path(f"f/{name}.jsonl").read_text("utf-8") for name in "ab")
    played = [json.loads(line)["person"] for line in text.splitlines() if '"person":{' in line]
    assert len(rows) == len(played) == 5
    for row, game in zip(rows, played, strict=True):
        assert row["name"] == "'=ben", "no spreadsheet takes it for a formula"
        for name in ("role", "opponent", "scenario", "price", "theory", "share", "best"):
            assert row[name] == ("" if game[name] is None else str(game[name]))
        assert [int(row["seller_limit"]), int(row["buyer_limit"])] == game["limits"]
        assert float(row["regret"]) == game["best"] - game["share"]
    Path("none").mkdir()
    assert printed(capsys, "results", "none", "--csv", "--games").split(",")[0] == "name"


def test_what_cannot_be_is_refused(capsys: Captured) -> None:
    assert "results 'none' cannot be read: " in refused(capsys, "results", "none")
    assert "--as: expected a name or a role, got ' '" in refused(capsys, "play", "--as", " ")
    for form in ("--text", "--json"):
        assert "--games: expected --csv" in refused(capsys, "results", ".", "--games", form)
    assert "not allowed with" in refused(capsys, "results", ".", "--json", "--csv")


@pytest.mark.parametrize(
    "edited",
    [
        lambda content: b"\xef\xbb\xbf" + content,
        lambda content: content.replace(b"\n", b"\r\n \r\n"),
        lambda content: content[:-1],
    ],
)
def test_an_editor_loses_no_game(edited: Callable[[bytes], bytes], capsys: Captured) -> None:
    games, shown = Path("f/games.jsonl"), ("--once", "--json", "--at", "0:3")
    write_games(games, "anna", 3)
    whole = printed(capsys, "replay", str(games), *shown)
    games.write_bytes(edited(games.read_bytes()))
    assert printed(capsys, "replay", str(games), *shown) == whole
    (row,) = json.loads(printed(capsys, "results", "f", "--json"))["people"]
    assert (row["games"], row["unread"]) == (3, 0)


def test_names_of_other_scripts_stand_in_columns(capsys: Captured) -> None:
    names = ["田中花子", "鈴木一郎", "น้ำฝน", "anna", "\u3164", "\ufe0f"]
    for n, name in enumerate(names):
        write_games(Path(f"f/games{n}.jsonl"), name, 1)
    table, _, _ = printed(capsys, "results", "f", "--text").rpartition("\n\n")
    assert {wcswidth(line) for line in table.splitlines()} == {wcswidth(table.split("\n")[0])}
    assert all(f" {name} " in table for name in (*names[:4], "\\u3164", "\\ufe0f"))
    assert "got '\\u3164'" in refused(capsys, "play", "--as", "\u3164")


RENAMING = """
import os
from itertools import count
for n in count():
    os.rename(f"f/zz{n}.jsonl", f"f/zz{n + 1}.jsonl")
    n or print("renamed", flush=True)
"""


def test_a_renamed_file_hides_nobody(capsys: Captured) -> None:
    for n in range(20):
        write_games(Path(f"f/games{n}.jsonl"), f"p{n}", 1)
    Path("f/zz0.jsonl").touch()
    renaming = [sys.executable, "-c", RENAMING]
    with subprocess.Popen(renaming, stdout=subprocess.PIPE) as process:
        try:
            next(iter(process.stdout or ()))
            for _ in range(30):
                told = json.loads(printed(capsys, "results", "f", "--json"))
                assert (told["all"]["games"], told["all"]["unread"]) == (20, 0)
        finally:
            process.kill()
