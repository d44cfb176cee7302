"""Recordings: replayed to the bit; intact lines are read, and the first damaged one is named."""

import json
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui import BadInputError, Opener, Role, Scenario, States
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.loop import N_COUNTS
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.replay_session import ReplaySession
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.snapshot import Seating, Snapshot
from negotiation_tui.sessions.transcripts import Recording, lines, read
from tests.support.game import some
from tests.support.recorded import (
    GAPS,
    HIDDEN,
    Case,
    MoveAs,
    Step,
    assert_the_same,
    cases,
    flat_out,
    recorded,
    seats_of,
)
from tests.support.trainings import new_session

SHORT = Parameters(cycles=4, episodes=6)
LEARNED: tuple[str | None, str | None] = (None, None)


def one_by_one(recording: Recording) -> list[Snapshot]:
    replay, played = ReplaySession(recording), []
    for _ in recording.entries:
        replay.handle(do.Play())
        played.append(replay.snapshot)
    assert replay.snapshot.finished
    return played


def assert_replayed(path: Path, shown: list[Snapshot]) -> Recording:
    recording = read(path)
    assert recording.damage == ""
    played = one_by_one(recording)
    assert len(played) == len(shown)
    for mine, theirs in zip(played, shown, strict=True):
        assert_the_same(mine, theirs)
    return recording


def replay_of(path: Path, *steps: Step) -> tuple[list[Snapshot], ReplaySession]:
    """Record a training; return its snapshots, and the replay before its first line."""
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, steps), path)
    return shown, ReplaySession(assert_replayed(path, shown))


@settings(max_examples=15, deadline=None)
@given(case=cases)
def test_what_was_recorded_and_what_w_keeps_is_played_as_it_was_published(case: Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, kept = Path(folder) / "r.jsonl", Path(folder) / "kept.jsonl"
        shown = recorded(case, path)
        assert_replayed(path, shown)
        kept.write_text("".join(lines(shown[::2])), encoding="utf-8")
        if shown:
            assert_replayed(kept, shown[::2])


@pytest.mark.parametrize(("number", "recipe"), [*enumerate(RECIPES)])
def test_flat_out_with_every_recipe(tmp_path: Path, number: int, recipe: str) -> None:
    scenario = replace(GAPS, states=[*States][number % 2])
    parameters = replace(RECIPES[recipe](scenario), cycles=8, episodes=30)
    shown = flat_out(Case(scenario, parameters, LEARNED, ()), tmp_path / "r.jsonl")
    assert shown[-1].finished
    assert_replayed(tmp_path / "r.jsonl", shown)


def test_across_a_new_beginning_with_nothing_left_of_before(tmp_path: Path) -> None:
    steps = (
        do.Play(20),
        do.TakeSeats(((Role.BUYER, "linear"),)),
        do.SetOpener(Opener.BUYER),
        do.Restart(),
        do.Play(),
        do.TakeSeats(((Role.BUYER, None),)),
        do.Play(19),
        do.Play(5),
    )
    shown = recorded(Case(Scenario.original(), SHORT, LEARNED, steps), tmp_path / "r")
    assert [snapshot.negotiations for snapshot in shown] == [20, 1, 20, 24]
    recording = assert_replayed(tmp_path / "r", shown)
    assert [entry.from_scratch for entry in recording.entries] == [True, True, False, False]
    assert one_by_one(recording)[1].learners[0][0] == 0, "in the first cycle again"


@pytest.mark.parametrize("player", ["tit-for-tat", "learned:cfr"])
def test_a_player_that_needs_other_rules_brings_them(tmp_path: Path, player: str) -> None:
    """One needs whole games, the other states that say who opened, in a new training."""
    random_starts = replace(SHORT, curriculum_window=4, curriculum_shift_every=1)
    steps = (do.Play(2), do.TakeSeats(((Role.SELLER, player),)), do.Play(2))
    shown = recorded(Case(Scenario.original(), random_starts, LEARNED, steps), tmp_path / "r")
    before, after = ((s.scenario.states, s.parameters.curriculum_window) for s in shown)
    assert before != after
    recording = assert_replayed(tmp_path / "r", shown)
    assert [entry.from_scratch for entry in recording.entries] == [True, before[0] is not after[0]]


def test_a_person_is_called_one_and_its_table_plays_on_in_a_what_if(tmp_path: Path) -> None:
    steps = (do.Play(9), do.Sit(Role.BUYER), MoveAs(0), MoveAs(-1), do.Play(), MoveAs(-1))
    shown, replay = replay_of(tmp_path / "r", *steps)
    assert seats_of(shown[0]) == (None, None)
    assert {each.negotiation.specs for each in read(tmp_path / "r").entries[1:]} == {
        ("learned", "person")
    }
    replay.handle(do.Play(2))
    newest = some(replay.snapshot.negotiation)
    position = some(newest.transcript.first(1).position)
    replay.handle(do.WhatIf(replay.snapshot, newest, 1, position.legal[0]))
    assert some(replay.snapshot.replies.what_if).transcript.over


def test_it_goes_to_the_end_of_a_cycle_to_any_line_and_to_the_beginning(tmp_path: Path) -> None:
    shown, replay = replay_of(tmp_path / "r", *[do.Play()] * 8)
    cycles, places = [(do.PlayCycle(), line) for line in (6, 8, 8)], (3, 8, 1, 7)
    for command, line in [*cycles, *((do.GoTo(line), line) for line in places)]:
        replay.handle(command)
        assert_the_same(replay.snapshot, shown[line - 1])
        course, finished = replay.snapshot.course, replay.snapshot.finished
        assert (course.now, course.stops, finished) == (line, (0, 6, 8), line == 8)
    replay.handle(do.Restart())
    assert (replay.snapshot.negotiation, replay.snapshot.finished) == (None, False)
    replay.handle(do.Play())
    assert_the_same(replay.snapshot, shown[0])


def test_before_the_first_line_its_players_sit_there(tmp_path: Path) -> None:
    steps = (
        do.Play(),
        do.TakeSeats(((Role.BUYER, "linear"),)),
        do.SetOpener(Opener.BUYER),
        do.Play(),
    )
    (shown, replay), gains = replay_of(tmp_path / "r", *steps), []
    assert (shown[-1].seating.strategies, shown[-1].opener) == ((None, "linear"), "buyer")
    for _ in range(2):
        replay.idle()
        before = replay.snapshot
        assert (before.seating.strategies, before.opener) == (LEARNED, "alternate")
        assert before.negotiations == 0
        gains.append(before.theory.nash_conv and before.theory.nash_conv.exploitability)
        replay.handle(do.GoTo(2))
        replay.handle(do.GoTo(0))
    assert gains[0] == gains[1]


def test_what_was_recorded_cannot_be_changed_and_its_screen_can_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown, replay = replay_of(tmp_path / "r", do.Play(), do.Play())
    replay.handle(do.Play())
    seats = do.TakeSeats(((Role.SELLER, "midpoint"),))
    for command in (seats, do.SetOpener(Opener.BUYER), do.Test(),
                    do.Sit(Role.BUYER), do.Act(0), do.Save()):  # fmt: skip
        replay.handle(command)
        assert "recording" in replay.snapshot.status.notice
        assert_the_same(replay.snapshot, shown[0])
    replay.handle(do.Save((), ((".txt", "the screen"),)))
    saved = "saved the screen to original-line1.*; replay r --at 1 opens this moment"
    assert replay.snapshot.status.notice == saved
    assert (tmp_path / "original-line1.txt").read_text(encoding="utf-8") == "the screen"


def test_a_strategy_that_nobody_knows_is_shown_but_not_judged(tmp_path: Path) -> None:
    shown = recorded(
        Case(Scenario.original(), SHORT, (None, "midpoint"), [do.Play()]), tmp_path / "r"
    )
    specs = "learned", "grandmother"
    odd = [
        replace(
            each,
            seating=Seating.of(specs),
            negotiation=replace(some(each.negotiation), specs=specs),
        )
        for each in shown
    ]
    path = tmp_path / "odd"
    path.write_text("".join(lines(odd)), encoding="utf-8")
    replay = ReplaySession(read(path))
    replay.handle(do.Play())
    replay.idle()
    assert replay.snapshot.theory.nash_conv is None
    assert_the_same(replay.snapshot, odd[0])
    replay.handle(do.WhatIf(replay.snapshot, some(replay.snapshot.negotiation), 0, 0))
    assert replay.snapshot.replies.what_if is None
    assert "no what-if here: " in replay.snapshot.status.notice
    assert "grandmother" in replay.snapshot.status.notice


def test_an_empty_recording_is_over_before_it_begins(tmp_path: Path) -> None:
    _, replay = replay_of(tmp_path / "r")
    assert replay.snapshot.finished
    for command in (do.Play(), do.PlayCycle(), do.PlayOn(), do.Restart()):
        replay.handle(command)
        assert replay.snapshot.negotiation is None
        assert not replay.running


LINES = 8


@pytest.fixture(scope="module")
def whole() -> Iterator[bytes]:
    """A recording with learners, a strategy, a person, and a price put on the table."""
    parameters = Parameters(cycles=3, episodes=3, curriculum_window=2)
    steps = (
        *(do.Play(),) * 4,
        do.TakeSeats(((Role.SELLER, "linear"),)),
        *(do.Play(),) * 3,
        do.Sit(Role.BUYER),
        *(MoveAs(-1),) * 2,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole"
        assert len(recorded(Case(GAPS, parameters, (None, None), steps), path)) == LINES
        yield path.read_bytes()


def read_bytes(content: bytes) -> Recording | str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "other"
        path.write_bytes(content)
        try:
            return read(path)
        except BadInputError as error:
            refused = str(error)
    assert "\n" not in refused
    assert "transcripts '" in refused
    return refused


def checked(values: dict[str, object]) -> str:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'


def rewritten(whole: bytes, line: int, **changes: object) -> bytes:
    lines = whole.decode().splitlines(keepends=True)
    values = json.loads(lines[line])
    del values["check"]
    lines[line] = checked({**values, **changes})
    return "".join(lines).encode()


def recording_of(content: bytes) -> Recording:
    found = read_bytes(content)
    assert isinstance(found, Recording)
    return found


def damage_of(content: bytes) -> str:
    return recording_of(content).damage


@settings(max_examples=30)
@given(data=st.data())
def test_a_file_with_another_byte_is_refused_or_read_up_to_there(
    whole: bytes, data: st.DataObject
) -> None:
    entries = entries_of(whole)
    at = data.draw(st.integers(0, len(whole) - 1))
    content = bytearray(whole)
    content[at] = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
    found = read_bytes(bytes(content))
    if isinstance(found, str):
        assert at <= whole.index(b"\n")
    elif found.damage:
        line = whole[:at].count(b"\n") + 1
        assert len(found.entries) == line - 2
        assert found.entries == entries[: line - 2]
        assert found.damage.startswith(f"line {line} is ")
    else:  # a line that ends in a carriage return is as whole
        assert (whole[at], content[at]) == (ord("\n"), ord("\r"))
        assert found.entries == entries


@pytest.mark.slow
def test_a_file_cut_anywhere_is_refused_or_read_up_to_there(whole: bytes) -> None:
    entries = entries_of(whole)
    for end in range(0, len(whole), 3):
        # A last line without its end is whole all the same.
        found, lines = read_bytes(whole[:end]), whole[: end + 1].count(b"\n")
        if not lines:
            assert isinstance(found, str)
            continue
        assert isinstance(found, Recording)
        assert found.entries == entries[: lines - 1]
        between = b"\n" in whole[end - 1 : end + 1]
        assert found.damage == ("" if between else f"line {lines + 1} is cut short")


VALUES: list[object] = [-1e308, 1e308, 10**400, "many", [], True]  # that no price can give


@pytest.mark.parametrize(
    "changes",
    [
        {"turns": [10, 3, "quit", "quit"]},
        {"turns": [11, "quit"]},
        {"learned": [[[0, 99, 1.0]], None]},
        *({"learned": [[[1, 1, each]], []]} for each in VALUES),
        {"cycle": 2, "counts": [[2, *[0] * (N_COUNTS - 2), 1, 1]]},  # of a table of any length
        {"counts": [[0, *[1 << 80] * N_COUNTS]]},
        {"begun": 6},
        {"epsilon": float("nan")},
        {"explored": [[], 1]},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_line_against_the_rules_is_named(whole: bytes, changes: dict[str, object]) -> None:
    assert damage_of(rewritten(whole, 1, **changes)) == "line 2 is damaged"


@pytest.mark.parametrize("text", ["a\nb", "\x1b[2J", "x" * 601, 3, None, ["x"]])
def test_damaged_words_are_named(whole: bytes, text: object) -> None:
    none = [""] * len(json.loads(whole.splitlines()[1])["turns"])
    for damage in ({"said": [text, *none[1:]]}, {"said": none[1:]}, {"failed": [2, *none[1:]]}):
        assert damage_of(rewritten(whole, 1, **damage)) == "line 2 is damaged"
    found = recording_of(rewritten(whole, 1, said=["Too much.", *none[1:]]))
    assert found.entries[0].negotiation.transcript.turns[0].said == "Too much."


@pytest.fixture(scope="module")
def of_limits() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "limits"
        recorded(Case(HIDDEN, Parameters(cycles=3, episodes=3), (None, None), (do.Play(),)), path)
        return path.read_bytes()


def test_only_lines_of_hidden_limits_hold_limits(whole: bytes, of_limits: bytes) -> None:
    line = json.loads(of_limits.splitlines()[1])
    limit, none = line["limits"]
    assert (limit in {0, 2, 3}, none) == (True, None)
    first, *later = line["beliefs"][0]
    assert (first, line["beliefs"][1]) == ([0, 0.25, 0.5, 0.25], None)
    assert len(later) == len(line["turns"])
    told = [json.loads(each)["trainee"] for each in whole.splitlines()[1:]]
    assert told[:4] == ["seller"] * 3 + ["buyer"]
    assert not {"limits", "beliefs", "reached"} & json.loads(whole.splitlines()[1]).keys()
    (entry,) = recording_of(of_limits).entries
    assert entry.negotiation.transcript.scenario.limit(Role.SELLER) == limit


@pytest.mark.parametrize(
    "changes",
    [
        {"limits": [1, None]},
        {"limits": [3, 7]},
        {"limits": [0]},
        {"turns": [0, "accept"], "limits": [2, None], "opener": "seller"},
        {"beliefs": [[[0, 1, 0, 0]], None]},
        {"beliefs": [[[0, 1, 0], [], []], None]},
        {"beliefs": [[[0, 1, 0, 0], [0, 0.5, 0.25, 0], []], None]},
        {"reached": [[0, None]]},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_damaged_limits_are_named(of_limits: bytes, changes: dict[str, object]) -> None:
    same = {"turns": [7, "quit"], "explored": [], "opener": "seller", "deal": None, "begun": 0}
    base = {**same, "limits": [3, None], "beliefs": [[[0, 0, 0, 1], [], []], None], "counts": []}
    assert damage_of(rewritten(of_limits, 1, **base)) == ""
    assert damage_of(rewritten(of_limits, 1, **{**base, **changes})) == "line 2 is damaged"


def test_another_version_of_the_format_is_named(whole: bytes) -> None:
    found = read_bytes(rewritten(whole, 0, format="negotiation-tui transcripts 9"))
    assert isinstance(found, str)
    assert "format: expected negotiation-tui transcripts 1, got " in found


def test_a_recording_never_writes_over_anything(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine", encoding="utf-8")
    for name in ("there", "no-folder/r", "."):
        with pytest.raises(BadInputError, match=r"exists|cannot be written"):
            record_to(new_session(GAPS, Parameters(), 1), tmp_path / name)
        with pytest.raises(BadInputError, match="transcripts"):
            read(tmp_path / name)
    assert (tmp_path / "there").read_text(encoding="utf-8") == "mine"


def test_every_line_is_whole_as_soon_as_it_is_there(tmp_path: Path) -> None:
    recorder = record_to(new_session(HIDDEN, Parameters(cycles=2, episodes=3), 1), tmp_path / "r")
    for number in range(1, 9):
        recorder.handle(do.Play())
        found = read(tmp_path / "r")
        assert (len(found.entries), found.damage) == (number, "")


def entries_of(whole: bytes) -> tuple[object, ...]:
    found = recording_of(whole)
    assert (found.scenario, found.seed, len(found.entries), found.damage) == (GAPS, 5, LINES, "")
    return found.entries
