"""A recording is a run: it is played again to the bit, or only its games are shown."""

import json
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, Role, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.players.run import Run
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.session import attempt
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import Recording, heading, read
from tests.support.cli import message
from tests.support.game import some
from tests.support.paths import DATA
from tests.support.recorded import GAPS, HIDDEN, Case, MoveAs, Step, cases, recorded
from tests.support.trainings import new_session

SHORT = Parameters(cycles=4, episodes=6)
FILE = Path("r.jsonl")
CHANGES = (
    *(do.Play(3), do.PlayCycle(), do.TakeSeats(((Role.SELLER, "boulware"),)), do.Play(10)),
    *(do.TakeSeats(((Role.SELLER, "learned:sarsa"),)), do.SetOpener(Opener.BUYER), do.Play(1)),
    *(do.Extend(2), do.PlayCycle(), do.Play(4)),
)
MIXED = (*(do.Play(),) * 4, do.TakeSeats(((Role.SELLER, "linear"),)), *(do.Play(),) * 3)
PLAYED = (*MIXED, do.Sit(Role.BUYER), MoveAs(-1), MoveAs(-1), MoveAs(-1))


def opened(path: Path = FILE) -> TrainingSession:
    recording = read(path)
    return TrainingSession(recording.run, recording)


def to_its_end(session: TrainingSession) -> TrainingSession:
    while session.running:
        attempt(session, session.step)
    return session


def moment(session: TrainingSession, at: int) -> tuple[Snapshot, Negotiation | None]:
    session.handle(do.GoTo(at))
    shown, _ = some(session.snapshot.replies.past)
    return shown, shown.negotiation


def assert_equal(one: Snapshot, other: Snapshot) -> None:
    assert one.negotiations == other.negotiations
    assert one.seating.specs == other.seating.specs
    assert np.array_equal(one.statistics.counts, other.statistics.counts)
    for mine, theirs in zip(one.agents, other.agents, strict=True):
        assert mine.shared(theirs) is theirs


SLOW = (pytest.param(name, marks=pytest.mark.slow) for name in ("hidden", "patience"))


@pytest.mark.parametrize("name", ["original", *SLOW])
@pytest.mark.parametrize("restarts", [False, True])
def test_a_recording_is_played_again(name: str, restarts: bool) -> None:
    run = Run(Scenario.of(name), Parameters(cycles=5, episodes=20), 7)
    session = record_to(TrainingSession(run), FILE)
    for command in (*CHANGES, *(do.Restart(), *CHANGES[1:6]) * restarts):
        session.handle(command)
    again = to_its_end(opened())
    assert again.snapshot.recording == "r.jsonl"
    assert_equal(again.snapshot, session.snapshot)
    for at in (0, 7, session.snapshot.negotiations - 1):
        (mine, played), (theirs, really) = moment(again, at), moment(session, at)
        assert_equal(mine, theirs)
        assert (played and played.transcript) == (really and really.transcript)


@settings(max_examples=15, deadline=None)
@given(case=cases)
def test_whatever_is_recorded_comes_back(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.jsonl"
        shown = recorded(case, path)
        recording, session = read(path), to_its_end(opened(path))
        last = [each for each in shown if recording.games and each.line == shown[-1].line]
        plays = [some(each.negotiation) for each in last]
        assert [game.key for game in recording.games] == [each.key for each in plays]
        if any(each.person for each in plays):
            assert recording.reason == "a person played"
            assert session.snapshot.only_games
            for n, each in enumerate(plays, 1):
                found = some(moment(session, n)[1])
                assert found.transcript.turns == each.transcript.turns
                assert (found.learners, found.specs) == (each.learners, each.specs)
        else:
            assert not session.snapshot.only_games
            for then in (each for each in last if not each.extra):
                assert_equal(moment(session, then.negotiations)[0], then)


def test_it_comes_in_parts_and_answers_meanwhile() -> None:
    session = record_to(new_session(Scenario.original(), Parameters(episodes=1000), 5), FILE)
    session.handle(do.PlayOn())
    while session.running and session.snapshot.negotiations < 20_000:
        session.step()
    again = opened()
    course = again.snapshot.course
    assert (course.now, course.behind) == (1, True)
    assert course.goal >= 20_000
    again.handle(do.GoTo(5000))
    assert again.snapshot.replies.past is None
    for command in (do.TakeSeats(((Role.SELLER, "linear"),)), do.Extend(1), do.Sit(Role.BUYER)):
        assert "replaying the training" in message(partial(again.handle, command))
    again.handle(do.Halt())
    while again.snapshot.replies.past is None:
        again.step()
    assert some(again.snapshot.replies.past)[0].negotiations == 5000
    to_its_end(again).handle(do.TakeSeats(((Role.SELLER, "linear"),)))
    again.handle(do.Play())
    assert again.snapshot.course.now == course.goal + 1, "it goes on from the end"


def test_only_the_games_of_people_are_shown() -> None:
    shown = recorded(Case(GAPS, SHORT, (None, None), PLAYED), FILE)
    session = opened()
    assert (
        "r.jsonl cannot be played again, so only its games are shown"
        in session.snapshot.status.notice
    )
    assert session.snapshot.seating.specs == ("linear", "person")
    assert session.snapshot.course.stops == (0, 6, len(shown))
    for n, each in enumerate(shown, 1):
        then, played = moment(session, n)
        assert some(played).transcript.turns == some(each.negotiation).transcript.turns
        assert (then.course.now, then.opener) == (n, each.opener)
    assert moment(session, 0)[1] is None
    assert [session.timeline.moment_of(n) for n in (0, 3, 7, 8, 99)] == [0, 3, 7, 8, 8]
    for command in (do.Play(), do.Test(), do.Sit(Role.BUYER), do.SetOpener(Opener.BUYER)):
        assert "only its games are shown" in message(partial(session.handle, command))
    session.handle(do.Save((), ((".txt", "the screen"),)))
    notice = "saved the screen to Lücken-at8.*; replay r.jsonl --at 1:2 opens this moment"
    assert session.snapshot.status.notice == notice


def test_a_file_of_the_first_format_is_read() -> None:
    session = opened(DATA / "transcripts-1.jsonl")
    assert session.snapshot.status.notice.endswith("(its format is older)")
    assert session.snapshot.course.end == 6
    plays = [some(moment(session, n)[1]) for n in range(1, 7)]
    assert [each.key for each in plays[-2:]] == [(5, 0), (5, 1)]
    assert [each.learners for each in plays[2:5]] == [(Role.SELLER,), (Role.BUYER,), (Role.BUYER,)]
    assert (plays[0].specs, plays[-1].specs) == (("learned",) * 2, ("linear", "person"))
    assert plays[-1].transcript.scenario.limit(Role.SELLER) in {0, 2, 3}


@pytest.mark.parametrize(
    "spec", ["cmd:true", "my.py", "learned:my.py", "negmas:AspirationNegotiator"]
)
def test_no_code_runs_that_nobody_named(spec: str) -> None:
    reason = message(lambda: resolve_trusted(spec))
    assert "runs only if you name it yourself" in reason
    run = Run(GAPS, SHORT, players=(spec, "learned"))
    FILE.write_text(heading(run, 3), encoding="utf-8")
    assert read(FILE).reason == reason
    assert opened().snapshot.only_games


def rewritten(path: Path, line: int, **changes: object) -> Path:
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    values = {**json.loads(lines[line - 1]), **changes}
    del values["check"]
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    lines[line - 1] = f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'
    path.write_text("".join(lines), encoding="utf-8")
    return path


def of(steps: Sequence[Step], scenario: Scenario = GAPS) -> Path:
    recorded(Case(scenario, SHORT, (None, None), steps), FILE)
    return FILE


def test_an_unknown_change_is_named() -> None:
    rewritten(of(MIXED), 6, change="settings")
    reason = read(FILE).reason
    assert reason == "line 6: change: expected such as learning_rate=0.5, got 'settings'"
    session = opened()
    assert reason in session.snapshot.status.notice
    assert session.snapshot.course.end == 7, "the games of lines after it, too"


def test_what_plays_differently_is_named() -> None:
    lines = of(MIXED, Scenario.original()).read_text(encoding="utf-8").splitlines()
    names = "turns", "explored", "opener", "deal", "begun"
    session = to_its_end(opened(rewritten(FILE, 4, **{n: json.loads(lines[2])[n] for n in names})))
    assert "line 4 is played differently here" in session.snapshot.status.notice
    assert (session.snapshot.only_games, session.snapshot.line) == (True, 1)
    one, other = (some(moment(session, n)[1]).transcript for n in (2, 3))
    assert one.turns == other.turns, "as the file has them"


def keys_of(content: bytes) -> tuple[list[tuple[int, int]], Recording]:
    FILE.write_bytes(content)
    recording = read(FILE)
    return [game.key for game in recording.games], recording


def test_whole_lines_count_whatever_is_around() -> None:
    whole = of(MIXED).read_bytes()
    keys, _ = keys_of(whole)
    for content in (whole[:-1], b"\xef\xbb\xbf" + whole, whole.replace(b"\n", b"\n\n \r\n")):
        found, recording = keys_of(content)
        assert (found, recording.notices) == (keys, ())
    for end in (len(whole) - 2, len(whole) - 40):
        found, recording = keys_of(whole[:end])
        assert (found, recording.notices) == (keys[:-1], ("line 9 is cut short",))


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_damage_keeps_all_before_it(data: st.DataObject) -> None:
    FILE.unlink(missing_ok=True)
    whole = of(MIXED).read_bytes()
    keys, _ = keys_of(whole)
    at = data.draw(st.integers(0, len(whole) - 1))
    content = bytearray(whole)
    content[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    line = whole[:at].count(b"\n") + 1
    try:
        found, recording = keys_of(bytes(content))
    except BadInputError:
        assert line == 1
        return
    assert found == keys[: len(found)]
    assert recording.notices in {(), (f"line {line} is damaged",), (f"line {line} is cut short",)}
    assert recording.notices or found == keys


@pytest.mark.parametrize(
    "changes",
    [
        *({"turns": [price, 3, "quit", "quit"]} for price in (10, 11)),
        *({"explored": [[], 1]}, {"begun": 6}, {"epsilon": float("nan")}, {"learners": ["cook"]}),
        *({"said": [text, ""]} for text in ("a\nb", "\x1b[2J", "x" * 601, 3, None, ["x"])),
        *({"limits": limits} for limits in ([1, None], [3, 7], [0])),
        {"failed": [2, 0]},
    ],
    ids=str,
)
@pytest.mark.parametrize("person", [False, True])
def test_a_line_against_the_rules_is_named(changes: dict[str, object], person: bool) -> None:
    scenario = HIDDEN if "limits" in changes else GAPS
    played: tuple[Step, ...] = (do.Sit(Role.BUYER), *[MoveAs(-1)] * 3) if person else ()
    of((do.Play(), do.Play(), *played), scenario)
    session = to_its_end(opened(rewritten(FILE, 3, **changes)))
    assert "line 3 is damaged" in session.snapshot.status.notice
    assert session.snapshot.course.now == (1 if person else 2)


def test_another_version_of_the_format_is_named() -> None:
    rewritten(of(()), 1, format="negotiation-tui transcripts 9")
    assert "expected negotiation-tui transcripts 2 or" in message(lambda: read(FILE))


def test_a_recording_never_writes_over_anything(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine", encoding="utf-8")
    for name in ("there", "no-folder/r", "."):
        with pytest.raises(BadInputError, match=r"exists|cannot be written"):
            record_to(new_session(GAPS, Parameters(), 1), tmp_path / name)
        with pytest.raises(BadInputError, match="transcripts"):
            read(tmp_path / name)
    assert (tmp_path / "there").read_text(encoding="utf-8") == "mine"


def test_every_line_is_whole_as_soon_as_it_is_there() -> None:
    recorder = record_to(new_session(HIDDEN, Parameters(cycles=2, episodes=3), 1), FILE)
    for number in range(1, 9):
        recorder.handle(do.Play())
        found = read(FILE)
        assert (len(found.games), found.notices) == (number, ())


def test_an_empty_recording_is_a_run_at_its_beginning() -> None:
    of(())
    session = opened()
    assert (session.snapshot.negotiations, session.running) == (0, False)
    assert replace(read(FILE).run, recipe="published").parameters == SHORT
