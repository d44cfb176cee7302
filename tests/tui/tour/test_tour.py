"""The tour around its lessons: the panel, its keys, and the progress."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from negotiation_tui import BadInputError
from negotiation_tui.sessions import tour_progress as files
from negotiation_tui.sessions.tour_progress import Result
from negotiation_tui.sessions.tour_session import Keep
from negotiation_tui.tui.toolkit.messages import Tick
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tour.lessons import LESSONS
from negotiation_tui.tui.tour.update import panel_lines
from negotiation_tui.tui.tour.watch import opened
from tests.support.tour import NUMBERS, Tour


def panel(tour: Tour) -> str:
    return "\n".join(tour.text().splitlines()[-tour.model.panel_height :])


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_every_step_fits_in_the_panel(number: int) -> None:
    tour = Tour(number).compute()

    def check_room() -> None:
        for size in ((60, 20), (200, 60), (80, 24)):
            lines = panel_lines(tour.resize(*size).model)
            assert len(lines) <= tour.model.panel_height - 2, "\n".join(map(str, lines))

    for step in tour.lesson.steps:
        check_room()
        if step.choices:
            tour.press(str(tour.right_choice() % len(step.choices) + 1))
            check_room()
        if step.check:
            tour.solve()
            check_room()
        tour.model = replace(tour.model, step=tour.model.step + 1, did=False)


def test_an_answer_is_judged_when_the_facts_are_there() -> None:
    tour = Tour(NUMBERS["exploration"])
    while not tour.model.present.choices:
        tour.solve() if tour.model.held_back else tour.press("enter")
    tour.press("1", "enter")
    assert "You say: about 10%." in panel(tour)
    assert "still computes" in panel(tour), "it does not go on"
    assert "You said about 10%. The answer is about 100%." in panel(tour.compute())
    assert "0 of 1 predictions right" in panel(tour)


def test_the_keys_of_the_panel_can_be_clicked() -> None:
    tour = Tour().click("Enter goes on")
    assert tour.model.step == 1
    assert " . step" not in tour.press(".").text(), "there is one row of keys"
    assert tour.click("> next").model.place == 1
    assert tour.click("q leaves").model.quit


def test_the_panel_alone_speaks() -> None:
    for size in ((80, 24), (120, 36), (200, 60)):
        for number, key in ((NUMBERS["exploration"], "c"), (NUMBERS["market"], "n")):
            tour = Tour(number, width=size[0], height=size[1]).press(key).tick(9)
            screen = tour.text().removesuffix(panel(tour))
            assert not re.search("quit|^ ▸|gain.* per game", screen, re.MULTILINE), screen
            assert "no such key" in panel(tour.press("$"))


def test_backspace_goes_a_step_back() -> None:
    tour = Tour().compute().press("enter", "backspace")
    assert tour.model.step == 0
    assert "first step" in panel(tour.press("backspace"))


def test_a_lesson_that_is_skipped_is_not_finished() -> None:
    tour = Tour()
    for number in range(2, len(LESSONS) + 1):
        assert f"Lesson {number} of {len(LESSONS)}" in panel(tour.press(">"))
    assert "lesson 9 of 9" in panel(tour.press(">"))
    assert "Lesson 8 of 9" in panel(tour.press("<"))
    assert tour.model.progress == {}


def test_enter_does_not_lead_to_a_question_about_a_game_that_was_not_played() -> None:
    tour = Tour().press("enter", "enter", "enter")
    assert tour.model.step == 1
    assert "do this first, the next question is about it" in panel(tour)
    assert "Enter goes on" not in panel(tour.press("backspace", "enter"))
    assert tour.press(".", ".", ".").tick(3).press("enter").model.open_question


def test_while_a_lesson_is_opened_the_screen_waits() -> None:
    tour = Tour()
    tour.prompt = False
    tour.press(">")
    assert tour.model.opening
    assert "is being opened" in panel(tour)
    before = tour.inner
    assert tour.press("n", "enter").tell(Tick(1.0)).inner is before
    assert tour.answer().model.inner is not before


def test_while_the_user_plays_enter_makes_the_offer() -> None:
    tour = Tour(NUMBERS["buyer"]).go_to("check")
    assert "Enter goes on" not in panel(tour)
    step = tour.model.step
    tour.tick(3).press("enter").tick(3)
    assert tour.model.step == step
    assert tour.inner.playback.visible == 3
    assert "Enter goes on" in panel(tour.solve())


def test_a_progress_that_cannot_be_kept_does_not_end_the_tour(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    tour = Tour(path=tmp_path / "file" / "tour.json")
    with pytest.warns(
        UserWarning, match=r"progress of the tour cannot be saved: .*cannot be written"
    ):
        tour.session.handle(Keep({"bar": Result()}))
    Tour(path=None).session.handle(Keep({"bar": Result()}))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a user who has finished the first lesson."""
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    path = tmp_path / "negotiation-tui" / "tour.json"
    files.write(path, {"bar": Result(1, 2), "of another version": Result(3, 3)})
    return path


def test_the_tour_begins_after_the_lessons_that_were_finished(path: Path) -> None:
    assert opened().model.place == 1


def test_a_damaged_progress_is_refused(path: Path) -> None:
    wrong = '{"bar": {"right": 2, "asked": 1}}'
    for text in ("", "[]x", '{"bar": 1}', wrong, "[" * 9999, "{}" * 70000, "3"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadInputError, match=r"^progress \S+: .*expected[^\n]*$"):
            files.read(path)


def test_with_a_damaged_progress_the_tour_begins_at_its_first_lesson(path: Path) -> None:
    path.write_text("3", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"^progress .*; the tour began at its first lesson$"):
        assert opened().model.drawn_with(RenderOptions()).place == 0


def test_a_written_progress_is_read_again(path: Path) -> None:
    files.write(path, {**files.read(path), "buyer": Result(0, 2)})
    assert [each.name for each in path.parent.iterdir()] == ["tour.json"]
    assert files.read(path).keys() == {"bar", "of another version", "buyer"}


def test_a_progress_is_forgotten(path: Path) -> None:
    for _ in range(2):
        files.forget(path)
        assert files.read(path) == {}
