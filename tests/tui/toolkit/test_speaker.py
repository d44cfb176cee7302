"""Screens in words: played from the text alone, and what is said of a frame."""

import os
import re
import signal
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from types import SimpleNamespace

import pytest

from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.speaker import SIZE, Speaker, plain
from negotiation_tui.tui.tour.lessons import LESSONS
from tests.support import market_screen, students
from tests.support.cli import MODULE, printed, refused
from tests.support.pty_session import DEADLINE
from tests.support.screen_driver import STATIC, Screen
from tests.support.screen_loop import ScreenLoop

Captured = pytest.CaptureFixture[str]


class Player:
    """The program by pipes: a person who reads lines, and knows nothing else."""

    def __init__(self, program: "subprocess.Popen[str]") -> None:
        self._program = program

    def hear(self, words: str) -> str:
        """Return the next line with words that match a pattern."""
        heard = []
        while line := self._program.stdout.readline():  # type: ignore[union-attr]
            heard.append(line)
            if re.search(words, line):
                return line.rstrip()
        raise AssertionError(f"no {words!r} in {''.join(heard)}")

    def press(self, keys: str) -> None:
        self._program.stdin.write(keys)  # type: ignore[union-attr]
        self._program.stdin.flush()  # type: ignore[union-attr]


@contextmanager
def spoken(*words: str) -> Iterator[Player]:
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*MODULE, *words, "--speak"], stdin=pipe, stdout=pipe, text=True, encoding="utf-8"
    ) as program:
        late = Timer(DEADLINE, program.kill)
        late.start()
        try:
            yield Player(program)
            assert program.wait() == 0
        finally:
            program.kill()
            late.cancel()


def test_a_game_is_played_to_a_deal_from_the_text_alone() -> None:
    with spoken("play", "--seed", "1", "--against", "midpoint") as player:
        worth = int(re.search(r"worth (\d+)", player.hear("The item is worth"))[1])  # type: ignore[index]
        offer = 0
        while "your turn" in (line := player.hear("your turn|DEAL")):
            asks = int(re.search(r"seller asks (\d+)", line)[1])  # type: ignore[index]
            assert f"a accepts {asks}" in line
            offer += 1
            player.press(str(offer))
            player.hear(f"your price: {offer}, Enter offers {offer}")
            player.press("\n" if offer < asks else "a")
        price = int(re.search(r"DEAL at (\d+)", line)[1])  # type: ignore[index]
        player.hear(f"the seller gets {price} coins, the buyer {worth - price}")
        player.hear(f"you earn {worth - price} coins")
        player.hear("round 1, you offer 1")
        player.press("\x1b]11;rgb:2a2a\x07\x9dr\x9c\x1b[200~q\x1b[201~")
        player.hear("pasted text is not taken as keys")
        player.press("\x1b[121;129u")
        player.hear("no such key: y, question mark shows all keys")
        player.press("q")


@contextmanager
def input_from(descriptor: int) -> Iterator[None]:
    """Let standard input be a file, which is closed at the end."""
    standard = os.dup(0)
    os.dup2(descriptor, 0)
    try:
        yield
    finally:
        os.dup2(standard, 0)
        os.close(standard)
        os.close(descriptor)


def heard(capsys: Captured, speaker: Speaker, *told: tuple[str, str]) -> list[str]:
    """Return what is said of a frame with texts on topics; a text with line feeds is a pane."""
    canvas = Canvas(60, 9)
    for topic, text in told:
        pane = Canvas(40, 1 + text.count("\n"))
        for y, line in enumerate(text.split("\n")):
            pane.write(y, 0, line)
        canvas.tell(topic, pane if "\n" in text else text)
    speaker.draw(canvas)
    return capsys.readouterr().out.splitlines()


TITLE, KEYS = ("title", "game"), ("keys", ",  back")
OFFER = ("event", "  seller asks 4 ━━━  round 1 · ▸ no")


def test_only_what_is_new_is_said(capsys: Captured) -> None:
    speaker, first = Speaker(ascii_only=False), ("state", "deals 1")
    assert heard(capsys, speaker, TITLE, first, KEYS) == ["game", "deals 1", "keys: comma back"]
    said = ["seller asks 4, round 1, marked no"]
    assert heard(capsys, speaker, TITLE, ("state", "deals 2"), OFFER) == said
    assert heard(capsys, speaker, OFFER, ("message", "saved")) == ["saved"]


def read(capsys: Captured, screen: ScreenLoop, pane: int) -> list[str]:
    """Return what is said of a pane, without its heading."""
    speaker = Speaker(ascii_only=False)
    speaker.draw(screen.resize(*SIZE).press(f"{pane}").frame())
    speaker.repaint()
    capsys.readouterr()
    speaker.draw(screen.frame())
    heading, *lines = capsys.readouterr().out.splitlines()
    while not heading.startswith(f"{pane} "):
        heading, *lines = lines
    return lines


def test_no_sign_of_a_lesson_is_left_out() -> None:
    for lesson in LESSONS:
        for step in lesson.steps:
            for text in (step.text, step.reveal, *step.choices):
                for sign in {each for each in text if unicodedata.category(each)[0] == "S"}:
                    assert plain(text) != plain(text.replace(sign, " ")), (sign, text)
    assert plain("the mark ▲ shows it; > skips") == (
        "the mark triangle shows it; greater-than sign skips"
    )


def test_what_is_only_drawn_is_said_too(capsys: Captured) -> None:
    screen = Screen("hidden", cycles=4).press("c", "c", "c")
    price, games = (read(capsys, screen, pane) for pane in (1, 2))
    learning = read(capsys, screen.press("2", "z"), 2)
    for limits, name in (("0123", "cost"), ("2345", "worth")):
        (said,) = [line for line in price if line.startswith(f"how likely each {name} is: ")]
        limit, percent = zip(*re.findall(r"(\d) <?(\d+)%", said), strict=True)
        assert {*limit} <= {*limits}
        assert sum(map(int, percent)) == pytest.approx(100, abs=2)
    assert any(
        re.fullmatch(r"seller's cycles: .* in cycle 1, .* in cycle 3", each) for each in learning
    )
    assert any(re.match("(seller|buyer) opens and gets: [0-9n]", each) for each in games)
    theory = read(capsys, Screen("original", strategies=STATIC).press("n"), 1)[1]
    assert re.fullmatch("triangle theory: [0-9 or]+", theory)


def test_the_whole_market_is_said(capsys: Captured) -> None:
    screen = market_screen.Screen(agents=market_screen.crowd(4)).press("n", "n")
    room, _, prices, wallets = (read(capsys, screen, pane) for pane in (1, 2, 3, 4))
    assert any(re.match(r"seller-1 and buyer-\d.*(ahead|even|no deal)", each) for each in room)
    assert prices[0].startswith("mean prices from tick 1 to 2: ")
    assert re.match(r"2 buyers, mean [-+0-9.]+, from ", wallets[1])


def test_a_program_without_keys_says_its_first_frame(capsys: Captured) -> None:
    with input_from(os.open(os.devnull, os.O_RDONLY)):
        assert "press space to begin" in printed(capsys, "--seed", "7", "--paused", "--speak")


def test_the_end_of_a_box_is_said(capsys: Captured) -> None:
    speaker, box = Speaker(ascii_only=False), [("box", each) for each in ("List", "▸one", "two")]
    assert heard(capsys, speaker, *box) == ["List", "one", "two", "marked: one"]
    box[1:] = ("box", "one"), ("box", "▸two")
    assert heard(capsys, speaker, *box) == ["two"]
    assert heard(capsys, speaker) == ["closed: List"]


def test_nothing_that_is_drawn_is_said(capsys: Captured) -> None:
    speaker = Speaker(ascii_only=False)
    pane = "pane", "2 Plan ───\n▸ 1   [✓]  ·   deal\n██ 3\n── a"
    heard(capsys, speaker, pane, KEYS)
    speaker.repaint()
    rows = ["2 Plan", "1, tick, dot, deal", "a", "marked: 1, tick, dot, deal"]
    assert heard(capsys, speaker, pane, KEYS) == [*rows, "keys: comma back"]


def test_a_replay_opens_at_a_moment_that_was_written_down(capsys: Captured) -> None:
    students.play(Path("run.jsonl"), "anna", 2)
    replay = "replay", "run.jsonl", "--at"
    assert "1 of 2 games" in printed(capsys, *replay, "0:1", "--once", "--size", "120x36")
    expected = "--at: expected a moment of the recording, 0 to 0:2, got '0:3'"
    assert expected in refused(capsys, *replay, "0:3")
    expected = "expected a cycle, or a cycle and a game, such as 12 or 12:40, got '1:'"
    assert expected in refused(capsys, *replay, "1:")


def test_the_terminal_is_given_back_while_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    modes, (master, slave) = pytest.importorskip("termios"), os.openpty()
    seen, before = [], modes.tcgetattr(slave)
    monkeypatch.setattr("os.kill", lambda *_: seen.append(modes.tcgetattr(0)))
    with input_from(slave), Speaker(ascii_only=False):
        signal.raise_signal(signal.SIGTSTP)
        seen.append(modes.tcgetattr(0))
    os.close(master)
    assert [each == before for each in seen] == [True, False], "stopped, and on `fg`"


def test_keys_of_a_console_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = [*"\xe0G\xe0O\xe0S\0;\0\x0f\xe0K\0aq"]
    console = SimpleNamespace(kbhit=lambda: bool(typed), getwch=lambda: typed.pop(0))
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    monkeypatch.setattr("sys.platform", "win32")
    speaker = Speaker(False)
    keys = [next(speaker.keys(9)) for _ in range(8)]
    assert keys == ["home", "end", "delete", "f1", "shift-tab", "left", "Esc [~", "q"]
