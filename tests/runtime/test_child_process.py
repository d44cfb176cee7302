"""A program that is asked line by line: what it wrote before a question, and its end."""

import os
from pathlib import Path

import pytest

from negotiation_tui.runtime.child_process import Child, ChildError, NoProgramError
from tests.support.cli import python
from tests.support.processes import HAS_PROC, fields
from tests.support.trainings import wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs sh")
SECONDS = 20.0


def child(script: str, farewell: str = "") -> Child:
    return Child(["sh", "-c", script], farewell)


def runs(number: int) -> bool:
    try:
        return fields(number)[0] != "Z"
    except OSError:
        return False


def test_lines_of_before_a_question_are_forgotten() -> None:
    program = child("read a; printf '1\\n2\\n'; read b; echo 3; read c")
    program.send("a")
    assert program.receive(SECONDS) == "1"
    program.send("b")
    assert program.receive(SECONDS) == "3"
    program.close()


def test_the_last_line_and_the_end_of_the_input_come_in_the_end(tmp_path: Path) -> None:
    program = child(f"cat > {tmp_path / 'heard'}", "quit")
    program.send("first")
    program.close()
    program.close()
    assert (tmp_path / "heard").read_text() == "first\nquit\n"


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 3", "it ended with 3"),
        ("kill -9 $$", "it was killed by signal 9"),
        ("exec >&-; sleep 99", "it closed its output"),
        ("sleep 99", "no answer in time"),
        ("head -c 200000 /dev/zero; sleep 99", "more than 64 kB without the end of a line"),
    ],
)
def test_the_reason_why_no_answer_comes(script: str, reason: str) -> None:
    program = child(script)
    with pytest.raises(ChildError, match=reason):
        program.receive(0.3 if "in time" in reason else SECONDS)
    program.close()


def test_a_program_that_cannot_start_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoProgramError, match="cannot be started"):
        Child([str(tmp_path / "none")])


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
def test_nothing_is_left_of_a_program_that_forks() -> None:
    program = child("trap '' TERM HUP; sleep 98 & setsid sleep 99 & echo $!; exec sleep 97")
    gone = int(program.receive(SECONDS))
    assert runs(gone)
    program.close()
    wait_until(lambda: not runs(gone))


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
def test_what_one_look_misses_because_it_forks_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, grep = os.environ["PATH"], tmp_path / "grep"
    grep.write_text(f"#!/bin/sh\nmkdir {tmp_path}/looked || PATH='{path}' exec grep \"$@\"\n")
    grep.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{path}")
    program = child("setsid sleep 99 & echo $!")
    gone = int(program.receive(SECONDS))
    program.close()
    wait_until(lambda: not runs(gone))


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc")
def test_nothing_is_left_if_this_process_is_killed() -> None:
    code = (
        "import os, sys; from negotiation_tui.runtime.child_process import Child\n"
        "c = Child(['sh', '-c', 'echo $$; sleep 99 & setsid sleep 99 & echo $!; wait'])\n"
        "print(c.receive(20), c.receive(20), flush=True); os.kill(os.getpid(), 9)"
    )
    numbers = [int(word) for word in python("-c", code).stdout.split()]
    assert len(numbers) == 2
    wait_until(lambda: not any(map(runs, numbers)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_copy_of_this_process_leaves_the_program_alone() -> None:
    program = child("while read w; do echo $w; done")
    code = os.fork()
    if code == 0:
        program.close()
        os._exit(0)
    os.waitpid(code, 0)
    program.send("still here")
    assert program.receive(SECONDS) == "still here"
    program.close()
