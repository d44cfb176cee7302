"""The help that one can type into, messages that leave by themselves, and the mouse."""

from dataclasses import replace

import pytest

from negotiation_tui.tui.configuration import key_tables
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN, KEYS, SELLER_PLAN
from negotiation_tui.tui.negotiation.menus import BOXES
from negotiation_tui.tui.negotiation.panes.q_tables import RoleTable
from negotiation_tui.tui.negotiation.update import update
from negotiation_tui.tui.toolkit.boxes import ListLine, box_lines, help_lines
from negotiation_tui.tui.toolkit.messages import Mouse, Pasted, Tick
from tests.support.screen_driver import STATIC, Screen


def rows(screen: Screen) -> list[str]:
    return [line.key.command for line in help_lines(screen.model) if line.key]


def lines_of(screen: Screen, marked: bool) -> list[ListLine]:
    """The lines of the box on top, or only those that can be marked."""
    lines = box_lines(screen.model, BOXES[screen.model.modal])
    return [line for line in lines if line.stop or not marked]


def test_without_a_word_the_help_has_every_key_once_in_its_group() -> None:
    assert sorted(rows(Screen().press("?"))) == sorted(key.command for key in KEYS)
    assert "More" not in {key.group for keys in key_tables().values() for key in keys}


@pytest.mark.parametrize("keys", ["?", "S", "e"])
def test_a_box_scrolls_to_its_last_line(keys: str) -> None:
    screen = Screen(width=60, height=12).press(*keys)
    end = screen.press("end").model.modal_row
    assert screen.press("down").model.modal_row == end > 0
    assert screen.press("up").model.modal_row == end - 1
    if keys != "?":
        menu = BOXES[screen.model.modal].marks
        assert end == len(lines_of(screen, menu)) - (1 if menu else 12 - 4)
    rows = [screen.press("home").text()]
    for _ in range(end):
        rows.append(screen.press("down").text())
        assert rows[-1] != rows[-2], "each step moves the lines or the mark"
    assert screen.model.modal_row == end
    if keys == "?":
        assert all(line.text.strip() in "".join(rows) for line in help_lines(screen.model))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("keys", ["?", "S"])
def test_each_page_key_turns_a_page(size: tuple[int, int], keys: str) -> None:
    screen = Screen(width=size[0], height=size[1]).press(keys)
    pages = int(screen.line("page 1 of ").partition("of ")[2].split()[0])
    assert pages > 1
    for page in range(2, pages + 1):
        assert screen.press("pgdn").line(f"page {page} of {pages}")
    for page in range(pages - 1, 0, -1):
        assert screen.press("pgup").line(f"page {page} of {pages}")
    assert screen.press("pgup").model.modal_row == 0


@pytest.mark.parametrize(("keys", "rows"), [("?", 1), ("S", 1), ("ev", 4)])
def test_a_box_at_its_end_moves_at_once_in_a_higher_screen(keys: str, rows: int) -> None:
    screen = Screen(width=60, height=12).press(*keys, "end")
    end = screen.model.modal_row
    assert screen.resize(60, 15).press("up").model.modal_row == end - rows


def test_a_list_is_as_wide_as_its_longest_line() -> None:
    screen = Screen(width=200, height=36).press("S")
    edge = screen.line("┌─ The seller's seat").partition("┌─ The")[2]
    longest = max(len(line.text) for line in lines_of(screen, True))
    assert len("┌─ The") + edge.index("┐") + 1 == longest + 4


def test_typing_searches_until_backspace_takes_the_letters_back() -> None:
    screen = Screen().press("?", *"frozen")
    assert screen.line("nothing matches")
    screen.press(*["backspace"] * 6, *"restart")
    assert screen.line("Help: restart_")
    assert rows(screen) == ["restart"]
    assert rows(screen.press("space", *"seed")) == ["restart"]


def test_typing_finds_the_words_of_the_glossary() -> None:
    screen = Screen().press("?")
    for word, meaning in (
        ("wallet", "Wallet      a side's coins per game"),
        ("zopa", "ZOPA        zone of possible agreement"),
        ("nashconv", "Still to gain how much both would gain"),
        ("surplus", "Surplus     what a deal gains for both sides together"),
        ("q-table", "Q-table     what each action is worth in each state"),
    ):
        assert screen.press(*word).line(meaning)
        screen.press(*["backspace"] * len(word))


def test_enter_does_what_the_marked_key_does() -> None:
    screen = Screen().press("?", *"end of the cycle", "enter")
    assert screen.model.modal is None
    assert screen.model.snapshot.negotiations == 100
    assert Screen().press("?", *"seller", "down", "enter").model.modal != "help"
    assert Screen().press("?", *"quit", "enter").model.quit


def test_the_likeliest_key_comes_first() -> None:
    words = {"play": "sit", "go": "go", "pause": "run", "opener": "opener", "save": "save"}
    for word, command in words.items():
        assert rows(Screen().press("?", *word))[0] == command


def test_a_paste_is_text_in_a_box_alone() -> None:
    screen = Screen()
    before = screen.model
    screen.tell(Pasted("qr"))
    assert "pasted text is not taken as keys; ? opens a box" in screen.model.message
    assert replace(screen.model, message="") == before
    screen.press("?").tell(Pasted("seed"))
    assert rows(screen) == ["restart"]


def test_the_group_at_hand_comes_first() -> None:
    def first(screen: Screen) -> str:
        return help_lines(screen.press("?").model)[0].text

    assert first(Screen("legacy", strategies=STATIC).press("1")) == "Watch"
    assert first(Screen().press("4")) == "View"
    assert first(Screen().press("c", "c", "[", "1")) == "Time"
    assert first(Screen().press("p").tick(3)) == "Play"


def test_a_message_leaves_by_itself() -> None:
    screen = Screen().press("$")
    assert screen.line("no such key")
    screen.tick(2)
    assert screen.line("no such key"), "it can be read"
    screen.tick(8)
    assert "no such key" not in screen.text()
    assert screen.line(" q quit")
    assert update(screen.model, Tick(screen.now + 60)) is screen.model


def test_a_message_is_told_to_its_end() -> None:
    screen = Screen(cycles=1, episodes=2).press("c")
    assert screen.model.message.endswith("p plays against them, e tests, m trains 50 more")
    for width, rows in ((40, slice(-3, None)), (80, slice(8, 10))):  # at the end; on the sentence
        lines = screen.resize(width, 24).text().splitlines()[rows]
        assert " ".join(map(str.strip, lines)) == screen.model.message


def find(screen: Screen, words: str, at: int = 0) -> tuple[int, int]:
    lines = screen.text().splitlines()
    y = next(y for y, line in enumerate(lines) if words in line)
    return y, lines[y].index(words) + at


def click(screen: Screen, place: tuple[int, int], action: str = "press") -> None:
    screen.tell(Mouse(action, *place))


SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 60)])


@SIZES
def test_the_help_leaves_the_rows_above(size: tuple[int, int]) -> None:
    screen = Screen(width=size[0], height=size[1]).press("c", "n").tick(9)
    before = screen.text().splitlines()
    for keys in ("?", *"restart"):
        now = screen.press(keys).text().splitlines()
        top = next(y for y, line in enumerate(now) if line.startswith("┌─ Help: "))
        assert (top, now[1:top]) == (1 + size[1] // 3, before[1:top])
    assert now[-6:-1] == before[-6:-1], "it is as high as its lines"


@SIZES
def test_a_message_leaves_frames_whole(size: tuple[int, int]) -> None:
    screen = Screen(width=size[0], height=size[1])
    frames = screen.model.layout().frames.values()
    end = max(each.y + each.height for each in frames)
    before = screen.text().splitlines()
    screen.model = replace(screen.model, message="many words " * 60)
    now = screen.text().splitlines()
    assert now[:end] == before[:end]
    assert now[-1].endswith(" …")


@SIZES
def test_a_click_chooses_the_pane(size: tuple[int, int]) -> None:
    screen = Screen(width=size[0], height=size[1])
    area = screen.model.area_of(BUYER_PLAN)
    click(screen, (area.y, area.x + 2))
    assert screen.model.chosen == BUYER_PLAN


@SIZES
def test_a_click_chooses_the_state_from_which_the_wheel_goes_on(size: tuple[int, int]) -> None:
    screen = Screen(width=size[0], height=size[1]).press(*"c" * 12, str(BUYER_PLAN))
    area, rows = screen.model.area_of(BUYER_PLAN), screen.text().splitlines()
    y = next(y for y, row in enumerate(rows) if row[area.x :].startswith(" 3  "))
    x = next(row for row in rows if "seller opens  1   2" in row).index("seller opens  1   2") + 18
    click(screen, (y, x))
    assert RoleTable(screen.model, BUYER_PLAN).cursor == (3, 1)
    click(screen, (y, x), "down")
    assert RoleTable(screen.model, BUYER_PLAN).cursor == (4, 1)
    click(screen, (y, x - 4))
    assert RoleTable(screen.model, BUYER_PLAN).cursor == (3, 0), "the round before"


def test_a_click_chooses_a_value() -> None:
    screen = Screen().press(*"c" * 12, "v")
    area = screen.model.area_of(SELLER_PLAN)
    for place in ((area.y + 4, area.x + 25), (area.y + 6, area.x + area.width - 18)):
        click(screen, place)
        screen.press("right", "left")
        assert screen.text().count("Why") == 0
        now = RoleTable(screen.model, SELLER_PLAN).cursor
        click(screen, place)
        assert RoleTable(screen.model, SELLER_PLAN).cursor == now, "the keys and the mouse agree"


def test_keys_of_the_last_lines_are_pressed() -> None:
    screen = Screen()
    click(screen, find(screen, "n next"))
    assert screen.shown == (1, len(screen.model.playback.negotiation.transcript.turns))
    click(screen, find(screen, "space run"))
    assert screen.model.running
    click(screen.resize(80, 24), find(screen, "v all values"))
    assert screen.model.values


def test_a_click_on_quit_asks_as_the_key_does() -> None:
    pressed, clicked = (Screen().press("p").tick(12) for _ in range(2))
    said = pressed.press("q").model.message
    assert "you would leave in the middle" in said
    assert clicked.click("q exit").model.message == said
    assert not clicked.model.quit
    click(clicked, (35, 2))
    assert clicked.model.quit
    assert Screen().click("q quit").model.quit, "nothing would be lost"
    assert Screen().press("e").click("q quit").model.quit, "a box leaves the footer"
    assert not Screen().press("?").click("q quit").model.quit, "one may type a q into it"


def test_a_second_click_takes_the_line_of_a_list() -> None:
    screen = Screen().press("S")
    place = find(screen, "hardliner")
    click(screen, find(screen, "Fixed rules"))
    click(screen, place)
    assert screen.line("▸ hardliner")
    click(screen, place)
    assert screen.model.latest.seating.strategies == ("hardliner", None)


def test_the_wheel_scrolls_the_help() -> None:
    screen = Screen().press("?")
    click(screen, (10, 10), "down")
    assert screen.model.modal_row == 1


def test_the_time_line_can_be_dragged() -> None:
    screen = Screen().press(*"c" * 40)
    y, x = find(screen, "now  ├", 5)
    click(screen, (y, x + 1))
    assert screen.model.snapshot.negotiations == 0
    click(screen, (y, x + 10), "drag")
    then = screen.model.snapshot.negotiations
    assert 0 < then < 4000
    assert not then % 100
    click(screen, find(screen, "○"), "drag")
    assert screen.model.in_present
