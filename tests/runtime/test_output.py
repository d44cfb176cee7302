"""Standard output and error: clean text, failing streams, and a progress bar that gives way."""

import io
import sys
from pathlib import Path

import pytest

from negotiation_tui.runtime import output
from negotiation_tui.runtime.output import (
    LONGEST,
    Bar,
    complain,
    notice,
    safe_streams,
    with_progress,
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
    with safe_streams(), Bar(sys.stderr, "runs") as bar:
        bar.show(1, 2, 1)
        assert console.shown == [f"[{'#' * 15}{'.' * 15}] 1 of 2 runs, 1 s left"]
        notice("a warning")
        bar.show(2, 2, 1)
    assert console.shown == ["a warning", ""]
    assert "\x1b" not in console.getvalue()


def test_a_shorter_bar_leaves_nothing_of_a_longer_one() -> None:
    console = Console()
    with Bar(console, "runs") as bar:
        bar.show(1, 2, 1000)
        bar.show(2, 2, 1)
        assert console.shown == [f"[{'#' * 30}] 2 of 2 runs, 0 s left"]
        bar.show(2 * 10**60, 10**60, 1)
        assert len(console.shown[0]) == 79


def test_the_bar_counts_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    console, shown = Console(), list[str]()
    monkeypatch.setattr("sys.stderr", console)
    monkeypatch.setattr(output, "BAR_AFTER", -1.0)
    for _ in with_progress("abc", 3, "runs"):
        shown += console.shown
    assert shown[0] == ""
    assert shown[1].startswith(f"[{'#' * 10}{'.' * 20}] 1 of 3 runs")


def test_without_a_terminal_there_is_no_bar() -> None:
    stream = io.StringIO()
    for to in (stream, None):
        with Bar(to, "runs") as bar:
            bar.show(1, 2, 1)
    assert stream.getvalue() == ""
