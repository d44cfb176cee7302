"""Reading of the transcripts that `transcript_writer` writes, up to the first damaged line."""

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from negotiation_tui.game.negotiation import Position, Transcript, check_legal, play_out
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.learning.q_table import MOST_COUNT, MOST_VALUE
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.learning.statistics import Ints, counts_of_cycle, n_columns
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.validate import integer, number, one_of, string
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Beliefs, Negotiation
from negotiation_tui.sessions.transcript_writer import CLOSING, FORMAT
from negotiation_tui.solvers.beliefs import Belief

MOST = 256_000_000
"""The number of characters that are read, besides the heading; the lines after them count as
damaged."""
_LONGEST_HEADING = 1_000_000
_MOST = 1 << 62


Changes = tuple[tuple[int, int, float], ...] | None


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line: a negotiation, its players, and the changes since the line before."""

    negotiation: Negotiation
    from_scratch: bool
    """True if a training starts here: on the first line and after a restart."""
    negotiations: int
    """Number of negotiations played in training so far."""
    specs: tuple[str, str]
    """The spec of each seat, seller first; PERSON for a person."""
    opener: Opener
    learned: tuple[Changes, ...]
    """Per role (state, action, value) of every changed entry; None if there are no values."""
    policies: tuple[Changes, ...]
    """Per role every changed probability; None if its learner is greedy by its values."""
    counts: tuple[tuple[int, ...], ...]
    """Per changed row of counts its number, then its counts."""
    parameters: Parameters
    """The parameters of the heading, with the number of cycles at that time."""
    period: int = 1
    """Cycles per row of counts; all rows are given when it changes."""
    latest: Ints | None = None
    """The counts of the last cycle, if a row holds more than one."""
    nash_convs: tuple[tuple[int, float | None], ...] = ()
    """Numbers of finished cycles, and what NashConv after them changed to; None for nothing."""
    reached: tuple[tuple[int, Reached | None], ...] = ()
    """Likewise, with hidden limits: what was reached after them."""


@dataclass(frozen=True, slots=True)
class Recording:
    """The contents of a file of transcripts up to the first damaged line."""

    name: str
    scenario: Scenario
    parameters: Parameters
    seed: int
    entries: tuple[TranscriptLine, ...]
    damage: str = ""
    """The number of the first damaged line, and its damage; empty if there is none."""


def read(path: Path) -> Recording:
    """Read a file up to the first damaged line; raise BadInputError if the heading is damaged."""
    with (
        reading(path, "transcripts", "--record or w"),
        path.open(encoding="utf-8", errors="replace") as file,
    ):
        heading = _values(file.readline(_LONGEST_HEADING).removesuffix("\n"))
        one_of("format", heading["format"], [FORMAT])
        scenario = Scenario.from_dict(heading["scenario"])
        parameters = Parameters.from_dict(heading["parameters"])
        seed = integer("seed", heading["seed"], 0, _MOST)
        entries, damage = _entries(file, scenario, parameters)
    return Recording(path.name, scenario, parameters, seed, entries, damage)


def _entries(
    file: TextIO, scenario: Scenario, parameters: Parameters
) -> tuple[tuple[TranscriptLine, ...], str]:
    """Return the lines after the heading up to the first damaged one, and its damage."""
    entries: list[TranscriptLine] = []
    rows, period, left, damage = 0, 1, MOST, ""
    while not damage and (line := file.readline(max(1, left))):
        at, left = len(entries) + 2, left - len(line)
        if not line.endswith("\n"):
            beyond = f"beyond the first {MOST // 10**6} MB"
            damage = f"line {at} is {'cut short' if left > 0 else beyond}"
            continue
        try:
            entry = _entry(scenario, parameters, _values(line[:-1]))
            goes_on = not entry.from_scratch and entry.period == period
            rows, period = _rows_after(rows if goes_on else 0, entry), entry.period
            entries.append(entry)
        except _DAMAGE:
            damage = f"line {at} is damaged"
    return tuple(entries), damage


_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)


def _values(line: str) -> dict[str, Any]:
    """Return the values of a line; raise ValueError if its check sum is wrong."""
    text, _, check = line.rpartition(',"check":"')
    if check != f'{zlib.crc32(f"{text}}}".encode()):08x}"}}':
        raise ValueError
    values: dict[str, Any] = json.loads(text + "}")
    return values


def _entry(scenario: Scenario, parameters: Parameters, values: dict[str, Any]) -> TranscriptLine:
    learner = values["trainee"]
    parameters = replace(parameters, cycles=values.get("cycles", parameters.cycles))
    cycle = integer("cycle", values["cycle"], 0, parameters.cycles - 1)
    negotiation = Negotiation(
        integer("number", values["number"], 0, _MOST),
        cycle,
        integer("episode", values["episode"], 0, _MOST),
        None if learner is None else Role.of(learner),
        float(number("epsilon", values["epsilon"], 0, 1)),
        bool(values["test"]),
        _transcript(scenario, values),
        person=next((role for role in Role if values[str(role)] == PERSON), None),
        together=bool(values.get("together", False)),
        beliefs=_beliefs(scenario, values),
    )
    shapes = [(scenario.n_rows(role), scenario.n_actions) for role in Role]
    learned, policies = (
        tuple(
            None if table is None else tuple(_changed_entry(entry, shape, *ends) for entry in table)
            for table, shape in zip(tables, shapes, strict=True)
        )
        for tables, ends in (
            (values["learned"], (-MOST_VALUE, MOST_VALUE)),
            (values.get("policies", (None, None)), (0, 1)),
        )
    )
    counts = tuple(_count_row(row, cycle) for row in values["counts"])
    period = integer("cycles_per_row", values.get("cycles_per_row", 1), 1, parameters.cycles)
    columns = n_columns(scenario)
    if any(len(row) != 1 + columns for row in counts):
        raise ValueError
    return TranscriptLine(
        negotiation,
        bool(values["anew"]),
        integer("negotiations", values["negotiations"], 0, _MOST),
        (_spec(values["seller"]), _spec(values["buyer"])),
        Opener.of(values["openers"]),
        learned,
        policies,
        counts,
        parameters,
        period,
        None if period == 1 else counts_of_cycle("last_cycle", values["last_cycle"], columns),
        tuple(_judged(pair, parameters.cycles) for pair in values.get("nash_convs", ())),
        tuple(_reached(pair, parameters.cycles) for pair in values.get("reached", ())),
    )


def _judged(pair: Sequence[Any], cycles: int) -> tuple[int, float | None]:
    done, value = pair
    nash_conv = None if value is None else float(number("nash_conv", value, 0, MOST_VALUE))
    return integer("cycles", done, 1, cycles), nash_conv


def _reached(pair: Sequence[Any], cycles: int) -> tuple[int, Reached | None]:
    done, values = integer("cycles", pair[0], 1, cycles), pair[1]
    if values is None:
        return done, None
    found = (float(number("reached", value, -MOST_VALUE, MOST_VALUE)) for value in values)
    return done, Reached(done, *found)


def _rows_after(rows: int, line: TranscriptLine) -> int:
    """Return the number of rows of counts; ValueError if a line leaves out a row.

    A training counts something in every cycle. So a short file cannot ask for a long table.
    """
    for row, *_ in line.counts:
        if row > rows:
            raise ValueError
        rows = max(rows, row + 1)
    return rows


def _transcript(scenario: Scenario, values: dict[str, Any]) -> Transcript:
    """Play the negotiation again; raise ValueError if it breaks the rules."""
    turns, explored = iter(values["turns"]), values["explored"]
    if not isinstance(explored, list) or any(flag not in {0, 1} for flag in explored):
        raise ValueError
    begun = integer("begun", values["begun"], 0, 2 * scenario.rounds - 1)
    opener = Role.of(values["opener"])

    def choose(position: Position) -> int:
        turn = next(turns, None)
        if turn in CLOSING:
            action = scenario.accept + CLOSING.index(turn)
        else:
            action = scenario.prices.index(turn)
        if not begun or position.standing_offer is not None:
            check_legal(position, action)
        return action

    limits = map(scenario.find_limit, Role, values.get("limits", (None, None)))
    transcript = play_out(scenario.drawn(*limits), opener, choose, explored, begun)
    if next(turns, None) is not None or transcript.outcome.price != values["deal"]:
        raise ValueError
    return transcript


def _beliefs(scenario: Scenario, values: dict[str, Any]) -> Beliefs:
    """Return what was held of each role's limit, at first and after each turn."""
    if not scenario.hidden:
        return None, None
    seller, buyer = (
        None if held is None else tuple(_held(held, scenario.n_tables(role), len(values["turns"])))
        for role, held in zip(Role, values["beliefs"], strict=True)
    )
    return seller, buyer


def _held(held: Sequence[Any], limits: int, turns: int) -> Iterator[Belief]:
    """Yield beliefs about one of some limits; an empty one is as before."""
    if len(held) != 1 + turns or not held[0]:
        raise ValueError
    for each in held:
        if each:
            found = [float(number("belief", value, 0, 1)) for value in each]
            if len(found) != 1 + limits or abs(sum(found[1:]) - 1) > 1e-6:
                raise ValueError
            now = Belief(np.array(found[1:]), bool(found[0]))
        yield now


def _spec(spec: object) -> str:
    return LEARNED if spec is None else string("player", spec)


def _count_row(row: Sequence[Any], cycle: int) -> tuple[int, ...]:
    counts = (integer("count", count, -MOST_COUNT, MOST_COUNT) for count in row[1:])
    return integer("cycle", row[0], 0, cycle), *counts


def _changed_entry(
    entry: Sequence[Any], shape: tuple[int, int], least: float, most: float
) -> tuple[int, int, float]:
    state, action, value = entry
    return (
        integer("state", state, 0, shape[0] - 1),
        integer("action", action, 0, shape[1] - 1),
        float(number("value", value, least, most)),
    )
