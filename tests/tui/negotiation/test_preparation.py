"""The screen while an opponent is trained."""

import os
import threading
from collections.abc import Iterator
from functools import reduce

import pytest

from negotiation_tui.sessions.preparation import Preparation, TrainingProgress
from negotiation_tui.tui.negotiation.keys import KEYS
from negotiation_tui.tui.negotiation.preparation import Bar, render, update
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Published, Resized


def after(*messages: Message) -> Bar:
    return reduce(update, messages, Bar(TrainingProgress(0, 400), KEYS))


def test_a_bar_shows_how_far_the_training_is() -> None:
    text = render(after(Resized(44, 10), Published(TrainingProgress(100, 400, 7.2)))).text()
    assert "100 of 400 negotiations, 7 s left" in text
    assert "█" * 10 + "░" * 30 in text
    assert "leave with q" in text
    assert render(after(Resized(1, 1))).height == 1, "a tiny terminal is no error"


def test_it_ends_with_the_training() -> None:
    assert not after(KeyPressed("x", 0.0), Published(TrainingProgress(400, 400))).quit
    assert after(Published(None)).quit


def test_q_leaves_the_training() -> None:
    session = Preparation(iter([TrainingProgress(400, 400)]), TrainingProgress(0, 400))
    for command in after(KeyPressed("q", 0.0)).commands:
        session.handle(command)
    assert session.left
    assert session.snapshot is None


def test_the_training_goes_on_to_the_end_of_its_steps() -> None:
    ended = threading.Event()

    def steps() -> Iterator[TrainingProgress]:
        yield TrainingProgress(400, 400)
        ended.set()

    session = Preparation(steps(), TrainingProgress(0, 400))
    session.step()
    assert session.running
    assert session.snapshot == TrainingProgress(400, 400)
    session.step()
    assert not session.running
    assert ended.is_set()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="needs pseudo-terminals")
def test_a_long_training_is_left_by_q() -> None:
    pytest.importorskip("pyte")
    from tests.support.pty_session import PROGRAM, Session

    words = "play --scenario bazaar --against learned --recipe reverse-curriculum --seed 1"
    with Session([*PROGRAM, *words.split()]) as session:
        session.wait_for("Your opponent learns first")
        session.send("q")
        assert session.process.wait(20) == 0
