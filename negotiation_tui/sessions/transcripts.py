"""Recordings: transcripts as JSON lines, written and read up to the first damaged line.

The heading holds the scenario, the parameters and the seed. Every other line holds one negotiation
and the changes since the line before: entries of the tables and counts of the cycles. Each line
ends with its check sum, which shows if it was cut or altered. docs/transcripts.md has the format.
"""

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
from negotiation_tui.game.tabular_policy import Floats
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.learning.q_table import MOST_COUNT, MOST_VALUE
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.learning.statistics import CycleStatistics, Ints, counts_of_cycle, n_columns
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.validate import integer, number, one_of, string
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Beliefs, Negotiation, Snapshot
from negotiation_tui.solvers.beliefs import Belief

FORMAT = "negotiation-tui transcripts 1"
CLOSING = ("accept", "quit")


def lines(snapshots: Sequence[Snapshot]) -> Iterator[str]:
    """Yield the lines of a file with the finished negotiations of these snapshots."""
    if snapshots:
        yield heading(snapshots[0])
    before: Snapshot | None = None
    for snapshot in snapshots:
        if snapshot.negotiation and snapshot.negotiation.transcript.over:
            yield line(snapshot, before)
            before = snapshot


def heading(snapshot: Snapshot) -> str:
    """Return the first line of a file."""
    values = {
        "format": FORMAT,
        "scenario": snapshot.scenario.to_dict(),
        "parameters": snapshot.parameters.to_dict(),
        "seed": snapshot.seed,
    }
    return _with_check_sum(values)


def line(snapshot: Snapshot, before: Snapshot | None) -> str:
    """Return the line of a snapshot's negotiation; `before` is the snapshot written last."""
    negotiation = snapshot.negotiation
    assert negotiation is not None
    anew = before is None or before.negotiations > snapshot.negotiations
    if before is None or anew:
        before = Snapshot(scenario=snapshot.scenario)
    transcript = negotiation.transcript
    return _with_check_sum(
        {
            "number": negotiation.number,
            "anew": anew,
            "cycle": negotiation.cycle,
            "episode": negotiation.episode,
            "trainee": None if negotiation.learner is None else str(negotiation.learner),
            "epsilon": negotiation.epsilon,
            "test": negotiation.test,
            "seller": _player(snapshot, Role.SELLER),
            "buyer": _player(snapshot, Role.BUYER),
            "openers": str(snapshot.opener),
            "opener": str(transcript.opener),
            **_limits(negotiation),
            "turns": [_action(transcript.scenario, turn.action) for turn in transcript.turns],
            "explored": [int(turn.explored) for turn in transcript.turns],
            "begun": transcript.first_ply,
            "deal": transcript.outcome.price,
            "negotiations": snapshot.negotiations,
            "cycles": snapshot.parameters.cycles,
            "learned": [*map(_changed_entries, snapshot.q_tables, before.q_tables)],
            **_policies(snapshot, before),
            "counts": _changed_counts(snapshot, before),
            "nash_convs": _changed(snapshot.nash_convs, before.nash_convs),
            **_reached(snapshot, before),
            **({"together": True} if negotiation.together else {}),
            **_thinned(snapshot.statistics),
        }
    )


def _with_check_sum(values: dict[str, Any]) -> str:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    # The name of a strategy's file may contain bytes that are not text.
    text = text.encode(errors="backslashreplace").decode()
    return f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'


def _player(snapshot: Snapshot, role: Role) -> str | None:
    """Return the player in a seat: its spec, PERSON, or None for the Q-learner."""
    person = snapshot.score is not None and snapshot.score.role is role
    spec = snapshot.specs[role]
    return PERSON if person else None if spec == LEARNED else spec


def _action(scenario: Scenario, action: int) -> int | str:
    if action < scenario.accept:
        return scenario.prices[action]
    return CLOSING[action - scenario.accept]


def _limits(negotiation: Negotiation) -> dict[str, Any]:
    """Return the limits that were drawn, null for a role without hidden ones, and the beliefs."""
    game = negotiation.transcript.scenario
    if game.lottery is None:
        return {}
    hidden = zip(Role, game.lottery.limits, strict=True)
    return {
        "limits": [game.limit(role) if limits else None for role, limits in hidden],
        "beliefs": [held and [*_beliefs(held)] for held in negotiation.beliefs],
    }


def _beliefs(held: Sequence[Belief]) -> Iterator[list[float]]:
    """Yield each belief: 1 if it is unexpected, else 0, then its chances; nothing if unchanged."""
    before: list[float] = []
    for belief in held:
        now = [int(belief.unexpected), *belief.chances.tolist()]
        yield [] if now == before else now
        before = now


def _policies(snapshot: Snapshot, before: Snapshot) -> dict[str, Any]:
    """Return the changed probabilities of learners that are not greedy by their values."""
    if snapshot.learned_policies == (None, None):
        return {}
    new, old = (
        [None if policy is None else policy.probabilities for policy in each.learned_policies]
        for each in (snapshot, before)
    )
    return {"policies": [*map(_changed_entries, new, old)]}


def _changed_entries(table: Floats | None, old: Floats | None) -> list[Any] | None:
    if table is None:
        return None
    rows, columns = np.nonzero(table if old is None else table != old)
    values = table[rows, columns].tolist()
    return [list(entry) for entry in zip(rows.tolist(), columns.tolist(), values, strict=True)]


def _changed_counts(snapshot: Snapshot, before: Snapshot) -> list[list[int]]:
    counts = snapshot.statistics.counts
    old = np.zeros_like(counts)
    if before.statistics.period == snapshot.statistics.period and len(before.statistics.counts):
        common = min(len(counts), len(before.statistics.counts))
        old[:common] = before.statistics.counts[:common]
    changed = np.flatnonzero((counts != old).any(axis=1))
    return [[int(cycle), *counts[cycle].tolist()] for cycle in changed]


def _reached(snapshot: Snapshot, before: Snapshot) -> dict[str, Any]:
    """Return what was newly reached after evaluated cycles; only with hidden limits."""
    if not snapshot.scenario.hidden:
        return {}
    new, old = ([(r.cycle, r[1:]) for r in each.reached] for each in (snapshot, before))
    return {"reached": _changed(new, old)}


def _changed(now: Sequence[tuple[int, Any]], before: Sequence[tuple[int, Any]]) -> list[list[Any]]:
    """Return the changed values by number of cycles, None for a value that is gone."""
    new, old = dict(now), dict(before)
    changed = (done for done in {**old, **new} if new.get(done) != old.get(done))
    return [[done, new.get(done)] for done in changed]


def _thinned(statistics: CycleStatistics) -> dict[str, Any]:
    """Return what else a reader must know if a row of counts holds more than one cycle."""
    if statistics.period == 1:
        return {}
    return {"cycles_per_row": statistics.period, "last_cycle": statistics.last_cycle.tolist()}


MOST = 256_000_000
"""The number of characters that are read, besides the heading; the lines after them count as
damaged."""
_LONGEST_HEADING = 1_000_000
_MOST = 1 << 62
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)

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
            entry = _parse_line(scenario, parameters, _values(line[:-1]))
            goes_on = not entry.from_scratch and entry.period == period
            rows, period = _rows_after(rows if goes_on else 0, entry), entry.period
            entries.append(entry)
        except _DAMAGE:
            damage = f"line {at} is damaged"
    return tuple(entries), damage


def _values(line: str) -> dict[str, Any]:
    """Return the values of a line; raise ValueError if its check sum is wrong."""
    text, _, check = line.rpartition(',"check":"')
    if check != f'{zlib.crc32(f"{text}}}".encode()):08x}"}}':
        raise ValueError
    values: dict[str, Any] = json.loads(text + "}")
    return values


def _parse_line(
    scenario: Scenario, parameters: Parameters, values: dict[str, Any]
) -> TranscriptLine:
    learner = values["trainee"]
    parameters = replace(parameters, cycles=values["cycles"])
    cycles = parameters.cycles
    cycle = integer("cycle", values["cycle"], 0, cycles - 1)
    negotiation = Negotiation(
        integer("number", values["number"], 0, _MOST),
        cycle,
        integer("episode", values["episode"], 0, _MOST),
        None if learner is None else Role.of(learner),
        float(number("epsilon", values["epsilon"], 0, 1)),
        bool(values["test"]),
        _parse_transcript(scenario, values),
        person=next((role for role in Role if values[str(role)] == PERSON), None),
        together=bool(values.get("together", False)),
        beliefs=_parse_beliefs(scenario, values),
    )
    learned, policies = (
        tuple(
            None if table is None else tuple(_parse_changes(scenario, role, table, ends))
            for role, table in zip(Role, tables, strict=True)
        )
        for tables, ends in (
            (values["learned"], (-MOST_VALUE, MOST_VALUE)),
            (values.get("policies", (None, None)), (0, 1)),
        )
    )
    counts = tuple(
        (
            integer("cycle", row, 0, cycle),
            *(integer("count", count, -MOST_COUNT, MOST_COUNT) for count in row_counts),
        )
        for row, *row_counts in values["counts"]
    )
    period = integer("cycles_per_row", values.get("cycles_per_row", 1), 1, cycles)
    columns = n_columns(scenario)
    if any(len(row) != 1 + columns for row in counts):
        raise ValueError
    return TranscriptLine(
        negotiation,
        bool(values["anew"]),
        integer("negotiations", values["negotiations"], 0, _MOST),
        (_parse_spec(values["seller"]), _parse_spec(values["buyer"])),
        Opener.of(values["openers"]),
        learned,
        policies,
        counts,
        parameters,
        period,
        None if period == 1 else counts_of_cycle("last_cycle", values["last_cycle"], columns),
        tuple(
            (
                integer("cycles", done, 1, cycles),
                None if value is None else float(number("nash_conv", value, 0, MOST_VALUE)),
            )
            for done, value in values["nash_convs"]
        ),
        tuple(
            _parse_reached(integer("cycles", done, 1, cycles), found)
            for done, found in values.get("reached", ())
        ),
    )


def _parse_reached(cycle: int, found: Sequence[Any] | None) -> tuple[int, Reached | None]:
    if found is None:
        return cycle, None
    values = (float(number("reached", value, -MOST_VALUE, MOST_VALUE)) for value in found)
    return cycle, Reached(cycle, *values)


def _rows_after(rows: int, line: TranscriptLine) -> int:
    """Return the number of rows of counts; ValueError if a line leaves out a row.

    A training counts something in every cycle. So a short file cannot ask for a long table.
    """
    for row, *_ in line.counts:
        if row > rows:
            raise ValueError
        rows = max(rows, row + 1)
    return rows


def _parse_transcript(scenario: Scenario, values: dict[str, Any]) -> Transcript:
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


def _parse_beliefs(scenario: Scenario, values: dict[str, Any]) -> Beliefs:
    """Return what was held of each role's limit, at first and after each turn."""
    if not scenario.hidden:
        return None, None
    seller, buyer = (
        None
        if held is None
        else tuple(_parse_held(held, scenario.n_tables(role), len(values["turns"])))
        for role, held in zip(Role, values["beliefs"], strict=True)
    )
    return seller, buyer


def _parse_held(held: Sequence[Any], limits: int, turns: int) -> Iterator[Belief]:
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


def _parse_spec(spec: object) -> str:
    return LEARNED if spec is None else string("player", spec)


def _parse_changes(
    scenario: Scenario, role: Role, table: Sequence[Sequence[Any]], ends: tuple[float, float]
) -> Iterator[tuple[int, int, float]]:
    for state, action, value in table:
        yield (
            integer("state", state, 0, scenario.n_rows(role) - 1),
            integer("action", action, 0, scenario.n_actions - 1),
            float(number("value", value, *ends)),
        )
