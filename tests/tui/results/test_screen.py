"""The screen of results: it follows the files, and sorts and scrolls the list."""

from pathlib import Path

import pytest

from negotiation_tui.runtime.records import replace
from negotiation_tui.sessions.results_session import COLUMNS, ResultsSession
from negotiation_tui.tui.results.screen import Model, render, update
from tests.support.screen_loop import ScreenLoop
from tests.support.students import play


@pytest.fixture
def screen(tmp_path: Path) -> ScreenLoop:
    for n, name in enumerate(("anna", "ben", "anna")):
        play(tmp_path / f"p{n}" / "games.jsonl", name, 3 + n, n)
    session = ResultsSession([str(tmp_path)])
    return ScreenLoop(session, update, render, Model(session.snapshot)).resize(100, 24)


def test_people_are_listed_with_the_results_of_all(screen: ScreenLoop) -> None:
    text = screen.text()
    for words in ("anna (p0)", "ben", "anna (p2)", "regret", "3 people, 12 games; efficiency"):
        assert words in text
    assert "▶ follows the files" in screen.frame().line(0)
    for key in "ts.v":
        assert "a list of results has no game" in screen.press(key).text()


def test_it_sorts_by_each_column(screen: ScreenLoop) -> None:
    orders = {screen.press(">").model.order.sort for _ in range(20)}
    assert orders == {column.sort for column in COLUMNS if column.sort}
    while screen.model.order.sort != "games":
        screen.press(">")
    assert [each.games for each in screen.model.standings] == [5, 4, 3]


def test_columns_without_room_are_left_out_from_the_right(screen: ScreenLoop) -> None:
    words = "rank", "person", *(column.title for column in COLUMNS if column.name != "name")
    for width in range(60, 120):
        lines = screen.resize(width, 24).text().splitlines()
        (titles,) = (line.strip("┃ ").split() for line in lines if "rank " in line)
        assert titles == " ".join(words).split()[: len(titles)], width


@pytest.mark.parametrize(("size", "last"), [((80, 24), "games"), ((120, 36), "lessons")])
def test_theory_stands_beside_the_price(
    screen: ScreenLoop, size: tuple[int, int], last: str
) -> None:
    shown = screen.resize(*size)
    assert shown.model.order.sort == "regret"
    (titles,) = (line.strip("┃ ") for line in shown.text().splitlines() if "rank " in line)
    titles = " ".join(titles.split())
    assert titles.startswith("rank person regret role against price theory scenario ")
    assert last in titles
    long = "learned:wolf-phc:" + "x" * 90
    people = tuple(replace(each, opponent=long) for each in screen.model.latest.people)
    screen.model = replace(screen.model, latest=replace(screen.model.latest, people=people))
    assert screen.text().count(" buyer learned:wo…") == 3


def test_it_scrolls(screen: ScreenLoop) -> None:
    for key, place in (("down", 1), ("end", 2), ("down", 2), ("home", 0), ("up", 0)):
        assert screen.press(key).model.marked == place
        assert f"▸  {screen.model.standings[place].rank}" in screen.text()


def test_new_games_appear_until_it_is_paused(screen: ScreenLoop, tmp_path: Path) -> None:
    play(tmp_path / "p3" / "games.jsonl", "carl", 2)
    assert "4 people, 14 games" in screen.step().text()
    screen.press("space")
    play(tmp_path / "p4" / "games.jsonl", "dora", 2)
    assert "4 people" in screen.step().text()
    assert "‖ paused" in screen.frame().line(0)
    assert "5 people" in screen.press("space").step().text()
