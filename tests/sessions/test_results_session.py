"""The results of a class: thirty rows for thirty people, whatever their files hold."""

import json
import os
import shutil
import sys
import time
import zlib
from pathlib import Path

import pytest

from negotiation_tui import BadInputError, Role, Scenario, solve
from negotiation_tui.contest.contest import sorted_by
from negotiation_tui.runtime.records import replace
from negotiation_tui.sessions import tour_progress
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.sessions.results_session import COLUMNS, PersonStanding, ResultsSession
from negotiation_tui.sessions.transcripts import read
from tests.support.students import ORIGINAL, misbehave, play


def results(*folders: Path) -> dict[str, PersonStanding]:
    people = ResultsSession([*map(str, folders)]).snapshot.people
    named = {each.name: each for each in people}
    assert len(named) == len(people)
    return named


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five people who play with known limits, hidden ones and time costs, as either role."""
    top = tmp_path_factory.mktemp("class")
    for n in range(5):
        scenario = Scenario.of(("original", "hidden", "patience")[n % 3])
        play(top / f"p{n}" / "games.jsonl", f"person {n}", 5, n, scenario, n // 2 % 2)
    return top


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links and /dev/zero")
def test_thirty_people_of_whom_five_misbehave_have_thirty_rows(
    people: Path, tmp_path: Path
) -> None:
    for n in range(25):
        shutil.copytree(people / f"p{n % 5}", tmp_path / f"good{n:02}")
    expected, found = misbehave(tmp_path), ResultsSession([str(tmp_path)]).snapshot
    assert len(found.people) == 30
    rows = {each.folder: each for each in found.people}
    for folder, (name, games, unread) in expected.items():
        row = rows[folder]
        assert (row.name, row.games, row.unread) == (name, games, unread), folder
    good = [row for folder, row in rows.items() if folder.startswith("good")]
    assert {(row.games, row.unread) for row in good} == {(5, 0)}
    assert found.whole.games == 25 * 5 + 8
    assert all(str(found).isprintable() and row.name.isprintable() for row in found.people)


def test_the_results_are_those_of_the_games_played_again(people: Path) -> None:
    for n in range(5):
        row = results(people / f"p{n}")[f"person {n}"]
        recording = read(people / f"p{n}" / "games.jsonl")
        scenario = recording.run.scenario
        played = [game.played(scenario)[0] for game in recording.games]
        games = [each.transcript for each in played]
        role = played[0].person
        assert role is Role(n // 2 % 2)
        ends = [(each.scenario, each.opener, each.outcome.price) for each in games]
        made = [(game, opener, price) for game, opener, price in ends if price is not None]
        rewards = [each.reward(role) for each in games]
        assert (row.games, row.deals) == (5, len(made) / 5)
        assert row.share == pytest.approx(sum(rewards) / 5)
        could = sum(
            (game.limit(Role.BUYER) - game.limit(Role.SELLER)) / game.origin.width
            for game, _, _ in ends
            if game.zopa
        )
        gained = sum(each.reward(role) for each in games for role in Role)
        assert row.efficiency == pytest.approx(gained / could)
        theory = [(price, solve(g, opener).path.outcome.price) for g, opener, price in made]
        known = [pair for pair in theory if pair[1] is not None]
        assert row.price == pytest.approx(sum(price for price, _ in known) / len(known))
        assert row.theory == pytest.approx(sum(price or 0 for _, price in known) / len(known))


def test_the_regret_is_that_of_the_score(people: Path) -> None:
    text = (people / "p0" / "games.jsonl").read_text(encoding="utf-8")
    games = [json.loads(line)["person"] for line in text.splitlines()[1:]]
    assert [game["score"] for game in games] == pytest.approx(
        [sum(game["share"] for game in games[: n + 1]) for n in range(5)]
    )
    regret = sum(game["best"] - game["share"] for game in games) / 5
    assert results(people)["person 0"].regret == pytest.approx(regret)
    assert regret >= 0


def test_equal_names_are_told_apart_by_folder_and_a_tour_belongs_to_the_only_person(
    people: Path, tmp_path: Path
) -> None:
    for folder in ("a", "b", "c"):
        state = tmp_path / folder / ".local/state/negotiation-tui/tour.json"
        tour_progress.write(state, {"bar": tour_progress.Result(1, 2)})
    for folder in ("a", "b"):
        shutil.copy(people / "p0" / "games.jsonl", tmp_path / folder)
    play(tmp_path / "b" / "more.jsonl", "", 2, seat=0)
    found = results(tmp_path)
    games = {name: each.games for name, each in found.items()}
    assert games == {"person 0 (a)": 5, "person 0 (b)": 7, "c": 0}
    assert {(each.lessons, each.right) for each in found.values()} == {(1, 0.5)}


WAITING = replace(Scenario.of("impatience"), delta=(0.9, 0.8))
PLAYED = {  # as students.play seats the opponents
    ("buyer", "boulware", "original"): (ORIGINAL, 1),
    ("seller", "midpoint", "original"): (ORIGINAL, 0),
    ("seller", "midpoint", "hidden"): (Scenario.of("hidden"), 0),
    ("seller", "midpoint", "impatience, δ 0.9/0.8"): (WAITING, 0),
}


def test_roles_and_opponents_apart(tmp_path: Path) -> None:
    alone: dict[tuple[str | None, ...], PersonStanding] = {}
    for n, (known, (scenario, seat)) in enumerate(PLAYED.items()):
        play(tmp_path / "p" / "games.jsonl", "mia", 3 + n, n, scenario, seat)
        (alone[known],) = results(tmp_path / "p").values()
        (tmp_path / "p" / "games.jsonl").rename(tmp_path / f"{n}.jsonl")
    tour_progress.write(tmp_path / "tour.json", {"bar": tour_progress.Result(1, 2)})
    found = ResultsSession([str(tmp_path)]).snapshot
    assert str(found).startswith("1 person, 18 games; ")
    assert (found.whole.role, found.whole.price, found.whole.games) == (None, None, 18)
    assert len(found.people) == len(PLAYED)
    for row in found.people:
        same, place = (row.role, row.opponent, row.scenario), replace(row, folder=".", rank=1)
        assert place == replace(alone[same], lessons=1, right=0.5)
        regrets = [each["regret"] for each in found.games() if (*each.values(),)[2:5] == same]
        assert sum(regrets) / row.games == pytest.approx(row.regret)


def test_files_are_followed_as_they_grow_change_and_go(people: Path, tmp_path: Path) -> None:
    lines = (people / "p0" / "games.jsonl").read_bytes().splitlines(keepends=True)
    session = ResultsSession([str(tmp_path)])
    assert session.snapshot.people == ()

    def now(content: bytes | None) -> list[tuple[int, int]]:
        path = tmp_path / "games.jsonl"
        path.unlink() if content is None else path.write_bytes(content)
        assert session.step() > 0
        return [(each.games, each.unread) for each in session.snapshot.people]

    assert now(b"".join(lines[:3]) + lines[3][:40]) == [(2, 1)], "the last line is not whole yet"
    assert now(b"".join(lines[:4])) == [(3, 0)]
    before = session.snapshot
    session.step()
    assert session.snapshot is before
    assert now(b"".join(lines[:2])) == [(1, 0)]
    assert now(None) == []
    session.handle(Halt())
    assert not session.running
    session.handle(PlayOn())
    assert session.running


GAME = {
    "name": "mia",
    "role": "buyer",
    "opponent": "micro",
    "scenario": "original",
    "limits": [0, 5],
    "price": 2,
    "rounds": 1,
    "share": 0.6,
    "best": None,
    "score": 0.6,
    "gained": 1.0,
    "possible": 1.0,
    "theory": None,
}


def signed(**changes: object) -> bytes:
    text = json.dumps({"number": 1, "person": {**GAME, **changes}}, separators=(",", ":"))
    return f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'.encode()


@pytest.mark.parametrize(
    "changes",
    [
        {"share": float("nan")},
        {"share": 1e300},
        {"price": 2.5},
        {"limits": [0]},
        {"role": "judge"},
        {"rounds": 2.5},
        {"best": "much"},
        {"theory": True},
        {"gained": None},
    ],
)
def test_values_that_cannot_be_are_counted_although_their_check_sum_is_right(
    changes: dict[str, object], tmp_path: Path
) -> None:
    (tmp_path / "games.jsonl").write_bytes(signed() + signed(**changes))
    (row,) = results(tmp_path).values()
    assert (row.name, row.games, row.unread) == ("mia", 1, 1)
    assert (row.regret, row.rank) == (None, None)


def test_a_strange_opponent_is_harmless(tmp_path: Path) -> None:
    lines = signed(opponent="\x1b[2J" + "x" * 999), signed(opponent="", scenario=""), signed()
    (tmp_path / "games.jsonl").write_bytes(b"".join(lines))
    people = ResultsSession([str(tmp_path)]).snapshot.people
    for column in COLUMNS:
        opponents = [str(each.opponent) for each in sorted_by(column, people)]
        assert sorted(map(len, opponents)) == [0, 5, 200]
        assert all(map(str.isprintable, opponents))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"results '.*none' cannot be read: (No such|Path not)"):
        ResultsSession([str(tmp_path / "none")])


@pytest.mark.slow
def test_thirty_files_of_a_thousand_games_are_read_in_a_second(
    people: Path, tmp_path: Path
) -> None:
    first, *games = (people / "p0" / "games.jsonl").read_bytes().splitlines(keepends=True)
    for n in range(30):
        (tmp_path / f"{n}").mkdir()
        (tmp_path / f"{n}" / "games.jsonl").write_bytes(first + b"".join(games * 200))
    begun = time.process_time()
    session = ResultsSession([str(tmp_path)])
    assert time.process_time() - begun < 1
    assert session.snapshot.whole.games == 30_000


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user without all rights")
def test_a_folder_that_is_closed_is_counted(people: Path, tmp_path: Path) -> None:
    shutil.copytree(people / "p0", tmp_path / "p0")
    (tmp_path / "p0").chmod(0)
    try:
        assert [each.unread for each in results(tmp_path).values()] == [1]
    finally:
        (tmp_path / "p0").chmod(0o700)
