"""Settings that change while a training runs, and the command that opens any of its moments."""

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, Role
from negotiation_tui.cli.main import parser
from negotiation_tui.cli.options import run_of
from negotiation_tui.cli.subcommands.watch import up_to
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.saving import opening_command
from negotiation_tui.sessions.session import attempt
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from tests.support.cli import Captured, refused
from tests.support.game import some

SMALL = "--recipe published --cycles 6 --episodes 20 --seed 7"
SEATS = "boulware", "learned", "learned:sarsa", "learned:wolf-phc", "micro", "best-response"
VALUES: dict[str, tuple[object, ...]] = {
    "learning_rate": (0.05, 0.3, 2.0),
    "discount_rate": (0.7, 1.0),
    "expected_updates": (True, False),
    "exploration_start": (0.4, 1.0),
    "exploration_end": (0.0, 0.2),
    "exploration_decay": (0.1, 0.01),
    "delta_win": (0.3,),
}
settings_typed = st.sampled_from([(n, each) for n, values in VALUES.items() for each in values])


@st.composite
def steps(draw: Any) -> Any:
    kind, role = draw(st.integers(0, 8)), draw(st.sampled_from(Role))
    if kind < 3:
        return do.Play(draw(st.sampled_from((1, 7, 23))))
    if kind == 3:
        return do.TakeSeats(((role, draw(st.sampled_from(SEATS))),))
    if kind == 4:
        return draw(st.sampled_from((do.SetOpener(Opener.BUYER), do.Extend(2))))
    past = draw(st.none() | st.integers(0, 60)) if kind == 8 else None
    name, value = draw(settings_typed)
    return do.Set(name, value, past)


def opened(*words: str) -> TrainingSession:
    """Return the session of a command line of `watch`, played up to the moment of `--at`."""
    options = parser(["watch"]).parse_args(["watch", *words])
    run = run_of(options)
    return to_its_end(TrainingSession(run, up_to(options, run)))


def to_its_end(session: TrainingSession) -> TrainingSession:
    while session.running:
        session.step()
    return session


def by_command(here: Snapshot) -> TrainingSession:
    _, *words = shlex.split(opening_command(here))
    return opened(*words)


def bits(session: TrainingSession) -> list[object]:
    """Return all that decides how a training goes on."""
    training = session.timeline.training
    tables = [training.q_table(role).tobytes() for role in Role]
    state = training.episode, training.parameters, training.next_epsilon, training.opener
    return [*tables, *state, training.last_negotiation, training.statistics.total]


def at(session: TrainingSession, moment: int) -> Snapshot:
    session.handle(do.GoTo(moment))
    return some(session.snapshot.replies.past)[0]


def same_moment(one: Snapshot, other: Snapshot) -> bool:
    pairs, names = zip(one.agents, other.agents, strict=True), ("settings", "parameters", "opener")
    tables = all(mine.shared(theirs) is theirs for mine, theirs in pairs)
    rest = [getattr(one, name) == getattr(other, name) for name in names]
    return tables and all(rest) and one.seating.specs == other.seating.specs


@settings(max_examples=12, deadline=None)
@given(st.lists(steps(), max_size=9), st.floats(0, 1))
def test_each_way_leads_to_its_bits(course: Sequence[do.Command], share: float) -> None:
    """In time travel, by a recording, by a file of tables, and by the command that is printed."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        session = record_to(opened(*shlex.split(f"{SMALL} --at 0")), Path("r.jsonl"))
        for command in course:
            attempt(session, session.handle, command)
        session.handle(do.Play())
        again, replayed = by_command(session.snapshot), read(Path("r.jsonl"))
        recorded = to_its_end(TrainingSession(replayed.run, replayed))
        assert bits(again) == bits(recorded) == bits(session)
        moment = int(share * session.snapshot.negotiations)
        then = at(session, moment)
        assert same_moment(by_command(then).snapshot, then)
        assert same_moment(at(recorded, moment), then)
        session.handle(do.Save())
        for path in Path().glob("*.npz"):
            saved = load_tables(path)
            assert saved.parameters == session.snapshot.parameters
            assert saved.specs == session.snapshot.seating.specs
        for each in (session, again, recorded):
            each.handle(do.Play(30))
        assert bits(again) == bits(recorded) == bits(session)


def test_a_line_says_what_changed() -> None:
    session = opened(*SMALL.split(), "--at", "3:5")
    session.handle(do.Set("learning_rate", 0.5))
    assert session.snapshot.status.notice == "learning_rate 0.5 (was 0.1) from game 6 of cycle 4 on"
    assert session.snapshot.course.changes == ((65, "learning_rate 0.5"),)
    session.handle(do.Set("exploration_start", 0.3))
    assert "exploration_start 0.3 (was 0.9964)" in session.snapshot.status.notice
    command = opening_command(session.snapshot)
    assert command.endswith(
        "--change 3:5,learning_rate=0.5 --change 3:5,exploration_start=0.3 --seed 7 --at 3:5"
    )
    with pytest.raises(BadInputError, match="learning_rate: expected"):
        session.handle(do.Set("learning_rate", 7.0))
    session.handle(do.Restart())
    assert "--change" not in opening_command(session.snapshot), "a new run"


def test_theory_follows_the_discount() -> None:
    session = opened(*SMALL.split(), "--at", "2")
    session.idle()
    usual = session.snapshot.theory.equilibria
    session.handle(do.Set("discount_rate", 0.3))
    session.handle(do.Play(20))
    impatient = session.snapshot.theory.equilibria
    gains = [[each.path.gains for each in found] for found in impatient]
    assert gains == [[each.path.gains for each in found] for found in usual] or impatient != usual
    assert at(session, 10).theory.equilibria == usual
    assert at(session, 50).theory.equilibria == impatient


def test_a_run_goes_on_from_the_past() -> None:
    session = opened(*SMALL.split(), "--change", "1,opener=buyer", "--at", "5")
    left, line = opening_command(session.snapshot), session.snapshot.line
    session.handle(do.Set("learning_rate", 0.5, 45))
    now = session.snapshot
    assert (now.negotiations, now.line) == (45, line + 1)
    assert [each for _, each in now.course.changes] == ["openers: buyer", "learning_rate 0.5"]
    assert left in now.status.notice
    assert [cycle for cycle, _ in now.nash_convs] == [1, 2], "those of before"
    assert bits(by_command(now)) == bits(session)
    with pytest.raises(BadInputError, match="learning_rate"):
        session.handle(do.Set("learning_rate", 2.0, 10))
    assert session.snapshot.negotiations == 45


REFUSED = {
    "--change 1": "expected a moment and a change, such as 5,learning_rate=0.5, got '1'",
    "--change 1,learning_rate": "--change 1,learning_rate: change: expected such as",
    "--change 1,learning_rate=2": "learning_rate: expected",
    "--change 1,episodes=2": "setting: expected learning_rate, discount_rate",
    "--change 1,seller=nobody": "--change 1,seller=nobody: ",
    "--change 1,cycles=3": "cycles: expected",
    "--change 3,opener=buyer --at 2": "expected the moments in order, none after --at",
    "--change 3,opener=buyer --change 2,opener=seller": "expected the moments in order",
    "--at 7": "--at: expected a moment of the training, 0 to 6, got '7'",
    "--at x": "--at: expected a cycle, or a cycle and a game",
    "--at 1 --seller cmd:true": "--at: expected players of this program",
}


@pytest.mark.parametrize("words", REFUSED)
def test_no_such_moment_is_refused(words: str, capsys: Captured) -> None:
    assert REFUSED[words] in refused(capsys, *SMALL.split(), *words.split())
