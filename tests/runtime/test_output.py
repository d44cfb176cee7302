"""Text for people: tables, columns, bars, and what a terminal must not be sent."""

import io
import json
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.runtime import output
from negotiation_tui.runtime.files import to_toml
from negotiation_tui.runtime.output import (
    LONGEST,
    ProgressBar,
    TimeLeft,
    complain,
    notice,
    safe_streams,
    with_progress,
)
from negotiation_tui.runtime.text import (
    abbreviate,
    distinct,
    duration,
    either,
    joined,
    one_line,
    printable,
    quoted,
    split_width,
    table,
)

Captured = pytest.CaptureFixture[str]
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


class Console(io.StringIO):
    """A terminal that shows what is left after carriage returns."""

    def isatty(self) -> bool:
        return True

    @property
    def shown(self) -> list[str]:
        lines = []
        for line in self.getvalue().split("\n"):
            cells = ""
            for text in line.split("\r"):
                cells = text + cells[len(text) :]
            lines.append(cells.rstrip())
        return lines


@pytest.mark.parametrize("name", ["stdout", "stderr"])
def test_what_is_written_is_clean(name: str, capsys: Captured) -> None:
    with safe_streams():
        stream = getattr(sys, name)
        print("a\x1b[31m\tb", "c\u202ed", file=stream)
        stream.writelines(["\x9b\n", "plain\n"])
        assert stream.encoding
    assert "".join(capsys.readouterr()) == "a\\u001b[31m\tb c\\u202ed\n\\u009b\nplain\n"


def test_the_streams_are_given_back(capsys: Captured) -> None:
    before = sys.stdout, sys.stderr
    with pytest.raises(ZeroDivisionError), safe_streams():
        print(1 / 0)
    assert (sys.stdout, sys.stderr) == before


def test_a_message_is_one_line_of_limited_length(capsys: Captured) -> None:
    notice("a\n b\r\tc")
    complain(f"begin {'x' * 100_000} end")
    complain("\x9b" * 1000, "program")
    short, long, escaped = capsys.readouterr().err.splitlines()
    assert short == "a b c"
    assert len(long) == len(escaped) == LONGEST
    assert long.startswith("negotiation-tui: begin xxx")
    assert "x…x" in long
    assert long.endswith("xxx end")
    assert escaped.startswith("program: \\u009b")


@needs_full
def test_standard_error_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stderr", full)
        with safe_streams():
            notice("lost")
            sys.stderr.flush()
            notice("lost as well")


@needs_full
def test_standard_output_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        with safe_streams():
            print("lost")
            with pytest.raises(OSError, match="cannot write standard output: No space left"):
                sys.stdout.flush()
            print("discarded")
            sys.stdout.flush()


def test_other_text_takes_the_place_of_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console()
    monkeypatch.setattr("sys.stderr", console)
    monkeypatch.setattr(output, "BAR_AFTER", -1.0)
    with safe_streams(), ProgressBar("runs") as bar:
        bar.show(1, 2)
        assert console.shown == [f"[{'#' * 15}{'.' * 15}] 1 of 2 runs, 0 s left"]
        notice("a warning")
        bar.show(2, 2)
    assert console.shown == ["a warning", ""]
    assert "\x1b" not in console.getvalue()
    with ProgressBar("runs") as bar:
        bar.show(10**9, 10**9)
        bar.show(2, 2)  # a shorter bar leaves nothing of a longer one
        assert console.shown[1:] == [f"[{'#' * 30}] 2 of 2 runs, 0 s left"]
        bar.show(2 * 10**60, 10**60)
        assert len(console.shown[1]) == 79


def test_the_bar_counts_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    console, shown = Console(), list[str]()
    monkeypatch.setattr("sys.stderr", console)
    monkeypatch.setattr(output, "BAR_AFTER", -1.0)
    for _ in with_progress("abc", 3, "runs"):
        shown += console.shown
    assert shown[0] == ""
    assert shown[1].startswith(f"[{'#' * 10}{'.' * 20}] 1 of 3 runs")


TEXTS: list[tuple[Callable[..., object], tuple[Any, ...], str]] = [
    *((duration, (11.6,), "12 s"), (duration, (89.0,), "89 s"), (duration, (100.0,), "2 min")),
    *((duration, (3600.0,), "60 min"), (duration, (90_000.0,), "25 h")),
    *((either, ("a",), "a"), (either, ("ab",), "a or b"), (either, ("abc",), "a, b or c")),
    *((joined, ("ab",), "a and b"), (joined, ("abc",), "a, b and c")),
    *((quoted, ("a.npz",), "'a.npz'"), (quoted, ("a\x9b\u202e",), r"'a\x9b\u202e'")),
    (quoted, (r"C:\x\new.npz",), r"'C:\x\new.npz'"),
    (abbreviate, ("reinforcement-12", 16), "reinforcement-12"),
    (abbreviate, ("reinforcement-12", 12), "reinforc…-12"),
    (abbreviate, ("reinforcement-12", 3), "…12"),
    (abbreviate, ("north-market-square", 12), "north-m…uare"),
    (abbreviate, ("anna", 0), "…"),
]


@pytest.mark.parametrize(("function", "arguments", "text"), TEXTS)
def test_texts(function: Callable[..., object], arguments: tuple[Any, ...], text: str) -> None:
    assert function(*arguments) == text


def test_without_a_terminal_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(output, "BAR_AFTER", -1.0)
    for to in (stream, None):
        monkeypatch.setattr("sys.stderr", to)
        with ProgressBar("runs") as bar:
            bar.show(1, 2)
    assert stream.getvalue() == ""


ROWS = [("", "total", "seller"), ("deals", "1,000", ""), ("wallet", "", "−7")]


@pytest.mark.parametrize(
    ("columns", "lines"),
    [
        (("<",), ["        total  seller", "deals   1,000", "wallet         −7"]),
        ((">", "<7", ">"), ["        total    seller", " deals  1,000", "wallet               −7"]),
    ],
)
def test_columns(columns: tuple[str, ...], lines: list[str]) -> None:
    assert table(ROWS, *columns) == lines


CELL = st.text("abc", min_size=1)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1))
def test_every_column_stands_below_its_first_cell(rows: list[tuple[str, str, str]]) -> None:
    left = [line.index("|") for line in table([(a, "|" + b) for a, b, _ in rows], "<")]
    right = [len(line) for line in table(rows, "<", ">")]
    assert len(set(left)) == len(set(right)) == 1
    assert [line.split() for line in table(rows, ">")] == [list(row) for row in rows]


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        pytest.param("\x00", "\\u0000", id="nul"),
        pytest.param("\x1b", "\\u001b", id="escape"),
        pytest.param("\x9b", "\\u009b", id="control sequence introducer"),
        pytest.param("\u202e", "\\u202e", id="right-to-left override"),
        pytest.param("\udcff", "\\udcff", id="undecodable byte"),
        pytest.param("\U000e0041", "\\U000e0041", id="tag"),
        *(pytest.param(c, c, id=c) for c in ("é", "e\u0301", "価", "🙂", "−", "\\")),
        pytest.param("\n", "\n", id="line feed"),
        pytest.param("\t", "\t", id="tab"),
    ],
)
def test_a_terminal_gets_text_alone(character: str, shown: str) -> None:
    assert printable(f"a{character}b") == f"a{shown}b"


@given(st.text())
def test_what_is_printable_stays_so_and_is_data_still(text: str) -> None:
    shown = printable(text)
    assert shown.replace("\n", "").replace("\t", "").isprintable()
    assert printable(shown) == shown
    assert one_line(shown).count("\n") == 0
    assert json.loads(printable(json.dumps(text))) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_printed_toml_is_the_same_data(text: str) -> None:
    assert tomllib.loads(printable(f"name = {to_toml(text)}")) == {"name": text}


NAMES = st.lists(st.text("ab-", min_size=1, max_size=12), unique=True, max_size=6)


@given(NAMES, st.integers(1, 14))
def test_cut_names_have_room_and_a_name_with_room_is_whole(names: list[str], width: int) -> None:
    cut = distinct(names, width)
    assert all(len(text) <= width for text in cut)
    assert all(c == name for c, name in zip(cut, names, strict=True) if len(name) <= width)


def test_cut_names_stay_different() -> None:
    names = ["random-tit-for-tat", "random", "boulware:beta=0.2", "boulware:beta=0.4"]
    assert distinct(names, 5) == ["ran…t", "ran…m", "bou…2", "bou…4"]
    assert distinct(names, 16)[0] == "random-tit-for-…"
    assert all(len(set(distinct(names, width))) == 4 for width in range(3, 20))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_two_names_share_what_room_there_is(width: int, one: int, other: int) -> None:
    first, second = split_width(width, one, other)
    assert (first + second == width) or (first, second) == (one, other)
    assert first == one or first >= width // 2
    assert second == other or second >= width // 2


def test_the_time_left_is_that_since_the_restart() -> None:
    left = TimeLeft()
    time.sleep(0.05)  # such as compiling
    left.restart(10)
    assert left.seconds(10, 20) == 0.0
    assert left.seconds(20, 30) < 0.04
