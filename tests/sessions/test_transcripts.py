"""Files of transcripts: intact lines are read, and the first damaged line is named."""

import json
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.loop import N_COUNTS
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.transcripts import Recording, read
from tests.support.recorded import GAPS, HIDDEN, Case, MoveAs, recorded
from tests.support.trainings import new_session

LINES = 8


@pytest.fixture(scope="module")
def whole() -> Iterator[bytes]:
    """A recording with learners, a strategy, a person, and a price put on the table."""
    parameters = Parameters(cycles=3, episodes=3, curriculum_window=2)
    steps = (
        *(do.Play(),) * 4,
        do.TakeSeat(Role.SELLER, "linear"),
        *(do.Play(),) * 3,
        do.Sit(Role.BUYER),
        *(MoveAs(-1),) * 2,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole"
        assert len(recorded(Case(GAPS, parameters, (None, None), steps), path)) == LINES
        yield path.read_bytes()


def read_bytes(content: bytes) -> Recording | str:
    """Return the recording in a file of these bytes, or the message that refuses it."""
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
    """A line with the check sum that belongs to it."""
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'


def rewritten(whole: bytes, line: int, **changes: object) -> bytes:
    """The file with other values in a line, check sum and all."""
    lines = whole.decode().splitlines(keepends=True)
    values = json.loads(lines[line])
    del values["check"]
    lines[line] = checked({**values, **changes})
    return "".join(lines).encode()


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
        found, lines = read_bytes(whole[:end]), whole[:end].count(b"\n")
        if not lines:
            assert isinstance(found, str) or end == whole.index(b"\n")
            continue
        assert isinstance(found, Recording)
        assert found.entries == entries[: lines - 1]
        between = whole[:end].endswith(b"\n")
        assert found.damage == ("" if between else f"line {lines + 1} is cut short")


@pytest.mark.parametrize(
    "changes",
    [
        {"turns": [10, 3, "quit", "quit"]},
        {"turns": [11, "quit"]},
        {"learned": [[[0, 99, 1.0]], None]},
        {"counts": [[0, *[1 << 80] * N_COUNTS]]},
        {"learned": [[[0, 0, 10**400]], None]},
        {"begun": 6},
        {"epsilon": float("nan")},
        {"explored": [[], 1]},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_line_against_the_rules_is_named(whole: bytes, changes: dict[str, object]) -> None:
    found = read_bytes(rewritten(whole, 1, **changes))
    assert isinstance(found, Recording)
    assert (found.entries, found.damage) == ((), "line 2 is damaged")


@pytest.fixture(scope="module")
def of_limits() -> bytes:
    """A recording in which the seller's limit is hidden."""
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
    found = read_bytes(of_limits)
    assert isinstance(found, Recording)
    assert found.entries[0].negotiation.transcript.scenario.limit(Role.SELLER) == limit


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
    intact = read_bytes(rewritten(of_limits, 1, **base))
    assert isinstance(intact, Recording)
    assert intact.damage == ""
    found = read_bytes(rewritten(of_limits, 1, **{**base, **changes}))
    assert isinstance(found, Recording)
    assert found.damage == "line 2 is damaged"


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
    found = read_bytes(whole)
    assert isinstance(found, Recording)
    assert (found.scenario, found.seed, len(found.entries), found.damage) == (GAPS, 5, LINES, "")
    return found.entries
