"""Recordings: transcripts as JSON lines, written and read up to the first damaged line.

The heading holds the scenario, the parameters and the seed. Every other line holds one negotiation,
the changes since the line before, and its check sum. docs/transcripts.md has the format.
"""

import json
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from negotiation_tui.game.learned import Learned, WithPolicy, WithValues
from negotiation_tui.game.learned_table import LearnedTable
from negotiation_tui.game.negotiation import Position, Spoken, Transcript, check_legal, play_out
from negotiation_tui.game.roles import Opener, Role, States, pair
from negotiation_tui.game.scenario import CLOSING, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import Reached
from negotiation_tui.learning.q_table import MOST_COUNT, MOST_VALUE
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.learning.statistics import counts_of_cycle, n_columns
from negotiation_tui.players.program import MOST_WORDS
from negotiation_tui.runtime.arrays import Floats, Ints
from negotiation_tui.runtime.files import open_file, reading
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.text import cleaned
from negotiation_tui.runtime.validate import integer, number, one_of, string
from negotiation_tui.sessions.human_player import PERSON, PersonGame
from negotiation_tui.sessions.snapshot import BothBeliefs, Negotiation, Snapshot
from negotiation_tui.solvers.beliefs import Belief

_FORMAT = "negotiation-tui transcripts 1"
_MARKS = ("together", "rules")  # fields of a negotiation that are written only if they are true


def lines(snapshots: Sequence[Snapshot]) -> Iterator[str]:
    if snapshots:
        yield heading(before := snapshots[0])
    first = True
    for snapshot in filter(has_line, snapshots):
        yield line(snapshot, before, first)
        before, first = snapshot, False


def has_line(snapshot: Snapshot) -> bool:
    """True if the negotiation of a snapshot is finished: an unfinished one is not written."""
    return snapshot.negotiation is not None and snapshot.negotiation.transcript.over


def heading(snapshot: Snapshot) -> str:
    rules = {"scenario": snapshot.scenario.to_dict(), "parameters": snapshot.parameters.to_dict()}
    return _with_check_sum({"format": _FORMAT, **rules, "seed": snapshot.seed})


def line(snapshot: Snapshot, before: Snapshot, first: bool) -> str:
    """Return the line of a snapshot's negotiation.

    `before` is the snapshot written last; for the `first` line it is that of the heading.
    """
    negotiation, counted = snapshot.negotiation, snapshot.statistics
    assert negotiation is not None
    learned_since = not (negotiation.test or negotiation.rules)
    anew = first or before.negotiations + learned_since > snapshot.negotiations
    changes = _changed_rules(snapshot, before)
    if anew:
        before = Snapshot(scenario=snapshot.scenario)
    transcript, game = negotiation.transcript, negotiation.transcript.scenario
    learned = [*zip(snapshot.agents, before.agents, strict=True)]
    reached = ([(r.cycle, r[1:]) for r in each.reached] for each in (snapshot, before))
    actions = [*game.prices, *CLOSING]
    values: dict[str, Any] = {
        "number": negotiation.number,
        "anew": anew,
        "cycle": negotiation.cycle,
        "episode": negotiation.episode,
        "trainee": None if negotiation.learner is None else str(negotiation.learner),
        "epsilon": negotiation.epsilon,
        "test": negotiation.test,
        **{str(role): _player(snapshot, role) for role in Role},
        "openers": str(snapshot.opener),
        "opener": str(transcript.opener),
    }
    if game.lottery is not None:
        hidden = zip(Role, game.lottery.limits, strict=True)
        values["limits"] = [game.limit(role) if limits else None for role, limits in hidden]
        values["beliefs"] = [beliefs and [*_beliefs(beliefs)] for beliefs in negotiation.beliefs]
    values |= {
        "turns": [actions[turn.action] for turn in transcript.turns],
        "explored": [int(turn.explored) for turn in transcript.turns],
        **_words(transcript),
        "begun": transcript.first_ply,
        "deal": transcript.outcome.price,
        "negotiations": snapshot.negotiations,
        "cycles": snapshot.parameters.cycles,
        **changes,
        "learned": [_changed_entries(*map(_table, each)) for each in learned],
    }
    if any(isinstance(now, WithPolicy) for now, _ in learned):
        values["policies"] = [_changed_entries(*map(_chances, each)) for each in learned]
    values["counts"] = _changed_counts(snapshot, before)
    values["nash_convs"] = _changed(snapshot.nash_convs, before.nash_convs)
    if snapshot.scenario.hidden:
        values["reached"] = _changed(*reached)
    score = snapshot.score
    if score and score.last and negotiation.person is score.role:
        values["person"] = score.last._asdict()
    values |= {mark: True for mark in _MARKS if getattr(negotiation, mark)}
    if counted.period > 1:  # a row of counts holds more than one cycle
        values |= {"cycles_per_row": counted.period, "last_cycle": counted.last_cycle.tolist()}
    return _with_check_sum(values)


def _changed_rules(snapshot: Snapshot, before: Snapshot) -> dict[str, Any]:
    """Return the states and the parameters, but for the cycles, if a new player changed them."""
    changes: dict[str, Any] = {}
    if snapshot.scenario.states is not before.scenario.states:
        changes["states"] = str(snapshot.scenario.states)
    if snapshot.parameters != replace(before.parameters, cycles=snapshot.parameters.cycles):
        changes["parameters"] = snapshot.parameters.to_dict()
    return changes


def _with_check_sum(values: dict[str, Any]) -> str:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    # The name of a strategy's file may contain bytes that are not text.
    text = text.encode(errors="backslashreplace").decode()
    return f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'


def _player(snapshot: Snapshot, role: Role) -> str | None:
    person = snapshot.score is not None and snapshot.score.role is role
    spec = snapshot.seating.specs[role]
    return PERSON if person else None if spec == LEARNED else spec


def _words(transcript: Transcript) -> dict[str, Any]:
    """Return what was said, turn by turn, and where an answer failed; nothing without any."""
    said = [cleaned(turn.said, MOST_WORDS) for turn in transcript.turns]
    failed = [int(turn.failed) for turn in transcript.turns]
    return {name: each for name, each in (("said", said), ("failed", failed)) if any(each)}


def _beliefs(beliefs: Sequence[Belief]) -> Iterator[list[float]]:
    """Yield each belief: 1 if it is unexpected, else 0, then its chances; nothing if unchanged."""
    before: list[float] = []
    for belief in beliefs:
        now = [int(belief.unexpected), *belief.chances.tolist()]
        yield [] if now == before else now
        before = now


def _table(learned: Learned) -> LearnedTable | None:
    return learned.values if isinstance(learned, WithValues) else None


def _chances(learned: Learned) -> Floats | None:
    return learned.policy.probabilities if isinstance(learned, WithPolicy) else None


def _changed_entries(after: LearnedTable | None, old: LearnedTable | None) -> list[Any] | None:
    if after is None:
        return None
    table = after[:]
    rows, columns = np.nonzero(table if old is None else table != old[:])
    values = table[rows, columns].tolist()
    return [list(entry) for entry in zip(rows.tolist(), columns.tolist(), values, strict=True)]


def _changed_counts(snapshot: Snapshot, before: Snapshot) -> list[list[int]]:
    counts, earlier = snapshot.statistics.counts, before.statistics
    old = np.zeros_like(counts)
    if earlier.period == snapshot.statistics.period and len(earlier.counts):
        common = min(len(counts), len(earlier.counts))
        old[:common] = earlier.counts[:common]
    changed = np.flatnonzero((counts != old).any(axis=1))
    return [[int(cycle), *counts[cycle].tolist()] for cycle in changed]


def _changed(now: Sequence[tuple[int, Any]], before: Sequence[tuple[int, Any]]) -> list[list[Any]]:
    """Return the changed values by number of cycles, None for a value that is gone."""
    new, old = dict(now), dict(before)
    changed = (done for done in {**old, **new} if new.get(done) != old.get(done))
    return [[done, new.get(done)] for done in changed]


MOST_BYTES = 256_000_000
"""The number of bytes that are read, besides the heading; the lines after them count as damaged."""
_PERSON = b',"person":'  # the beginning of a person's game
_LONGEST_HEADING = 1_000_000
_MOST = 1 << 62
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
_natural = partial(integer, "value", low=0, high=_MOST)

Changes = tuple[tuple[int, int, float], ...] | None


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line: a negotiation, its players, and the changes since the line before."""

    negotiation: Negotiation
    from_scratch: bool  # True if a training starts here: on the first line and after a restart
    negotiations: int  # number of negotiations played in training so far
    opener: Opener
    learned: tuple[Changes, ...]  # per role the changed entries; None if there are no values
    policies: tuple[Changes, ...]  # likewise of probabilities; None if greedy by the values
    counts: tuple[tuple[int, ...], ...]  # per changed row of counts its number, then its counts
    scenario: Scenario  # with other states than in the line before only if `from_scratch`
    parameters: Parameters  # with the number of cycles at that time
    period: int  # cycles per row of counts; all rows are given when it changes
    latest: Ints | None  # the counts of the last cycle, if a row holds more than one
    nash_convs: tuple[tuple[int, float | None], ...]  # by finished cycles; None: gone
    reached: tuple[tuple[int, Reached | None], ...]  # likewise, with hidden limits


@dataclass(frozen=True, slots=True)
class Recording:
    """The contents of a file of transcripts up to the first damaged line."""

    name: str
    scenario: Scenario
    parameters: Parameters
    seed: int
    entries: tuple[TranscriptLine, ...]
    damage: str = ""  # the number of the first damaged line, and its damage; empty if there is none


def read(path: Path) -> Recording:
    """Read a file up to the first damaged line; raise BadInputError if the heading is damaged."""
    entries: list[TranscriptLine] = []
    rows, left, damage = 0, MOST_BYTES, ""
    with reading(path, "transcripts", "--record or w"), open_file(path) as file:
        heading = json.loads(_checked(file.readline(_LONGEST_HEADING)))
        one_of("format", heading["format"], [_FORMAT])
        scenario = now = Scenario.from_dict(heading["scenario"])
        parameters = then = Parameters.from_dict(heading["parameters"])
        seed = integer("seed", heading["seed"], 0, _MOST)
        at = 1
        while not damage and (line := file.readline(max(1, left))):
            at, left = at + 1, left - len(line)
            if not line.strip() and left > 0:
                continue
            try:
                entry = _parse_line(now, then, json.loads(_checked(line)))
                if entries and (entry.from_scratch or entry.period != entries[-1].period):
                    rows = 0
                for row, *_ in entry.counts:
                    # A training counts something in every cycle: no short file asks for many rows.
                    if row > rows:
                        raise ValueError
                    rows = max(rows, row + 1)
                now, then = entry.scenario, entry.parameters
                entries.append(entry)
            except DAMAGE:
                reason = "cut short" if left > 0 else f"beyond the first {MOST_BYTES // 10**6} MB"
                reason = "damaged" if line.endswith(b"\n") else reason
                damage = f"line {at} is {reason}"
    return Recording(path.name, scenario, parameters, seed, tuple(entries), damage)


def person_game(line: bytes) -> PersonGame | None:
    """Return a person's game in a line, None if it has none; raise one of DAMAGE for other lines.

    Nothing else of the line is read: a class may have many thousands.
    """
    text = line.strip() and _checked(line)
    at = text.find(_PERSON)
    if at < 0:
        return None
    values, _ = json.JSONDecoder().raw_decode(text[at + len(_PERSON) :].decode())
    return PersonGame.read(values)


def _checked(line: bytes) -> bytes:
    """Return a line without its check sum; raise ValueError if that is wrong.

    An editor may have put a BOM before it, and taken the last end of a line away.
    """
    text, _, check = line.removeprefix(BOM_UTF8).rstrip(b"\r\n").rpartition(b',"check":"')
    if check != f'{zlib.crc32(text + b"}"):08x}"}}'.encode():
        raise ValueError
    return text + b"}"


def _parse_line(
    scenario: Scenario, parameters: Parameters, values: dict[str, Any]
) -> TranscriptLine:
    """Return a line in the scenario and with the parameters of the line before."""
    learner, anew = values["trainee"], bool(values["anew"])
    states = States.of(values.get("states", scenario.states))
    if states is not scenario.states:
        if not anew:
            raise ValueError
        scenario = replace(scenario, states=states)
    if "parameters" in values:
        parameters = Parameters.from_dict(values["parameters"])
    parameters = replace(parameters, cycles=values["cycles"])
    cycles, columns = parameters.cycles, n_columns(scenario)
    cycle = _natural(values["cycle"], high=cycles - 1)
    period = integer("cycles_per_row", values.get("cycles_per_row", 1), 1, cycles)
    done = partial(integer, "cycles", low=1, high=cycles)
    seats = values["seller"], values["buyer"]
    specs = pair(LEARNED if spec is None else string("player", spec) for spec in seats)
    negotiation = Negotiation(
        _natural(values["number"]),
        cycle,
        _natural(values["episode"]),
        None if learner is None else Role.of(learner),
        _real("epsilon", values["epsilon"], 0, 1),
        bool(values["test"]),
        _parse_transcript(scenario, values),
        person=next((role for role in Role if values[str(role)] == PERSON), None),
        beliefs=_parse_beliefs(scenario, values),
        specs=specs,
        **{mark: bool(values.get(mark, False)) for mark in _MARKS},
    )
    learned = tuple(_parse_tables(scenario, values["learned"], -MOST_VALUE, MOST_VALUE))
    policies = tuple(_parse_tables(scenario, values.get("policies", (None, None)), 0, 1))
    count = partial(integer, "count", low=-MOST_COUNT, high=MOST_COUNT)
    counts = tuple(
        (_natural(row, high=cycle), *map(count, found)) for row, *found in values["counts"]
    )
    if any(len(row) != 1 + columns for row in counts):
        raise ValueError
    latest = None if period == 1 else counts_of_cycle("last_cycle", values["last_cycle"], columns)
    gain = partial(_real, "nash_conv", low=0, high=MOST_VALUE)
    nash_convs = tuple(
        (done(at), None if value is None else gain(value)) for at, value in values["nash_convs"]
    )
    reach = partial(_real, "reached", low=-MOST_VALUE, high=MOST_VALUE)
    reached = tuple(
        (done(at), None if found is None else Reached(at, *map(reach, found)))
        for at, found in values.get("reached", ())
    )
    played, opener = _natural(values["negotiations"]), Opener.of(values["openers"])
    changes, series = (learned, policies, counts), (latest, nash_convs, reached)
    return TranscriptLine(
        negotiation, anew, played, opener, *changes, scenario, parameters, period, *series
    )


def _parse_transcript(scenario: Scenario, values: dict[str, Any]) -> Transcript:
    """Play the negotiation again; raise ValueError if it breaks the rules."""
    explored, n = values["explored"], len(values["turns"])
    if not isinstance(explored, list) or any(flag not in {0, 1} for flag in explored):
        raise ValueError
    begun = _natural(values["begun"], high=2 * scenario.rounds - 1)
    said, failed = values.get("said", [""] * n), values.get("failed", [0] * n)
    if not isinstance(said, list) or any(text != cleaned(text, MOST_WORDS) for text in said):
        raise ValueError
    if not isinstance(failed, list) or not {0, 1}.issuperset(failed):
        raise ValueError
    turns = zip(values["turns"], said, failed, strict=True)

    def choose(position: Position) -> int:
        turn, text, failure = next(turns, (None, "", 0))
        if turn in CLOSING:
            action = scenario.accept + CLOSING.index(turn)
        else:
            action = scenario.prices.index(turn)
        if not begun or position.standing_offer is not None:
            check_legal(position, action)
        return Spoken(action, text, failed=bool(failure))

    game = scenario.drawn(*map(scenario.find_limit, Role, values.get("limits", (None, None))))
    transcript = play_out(game, Role.of(values["opener"]), choose, explored, begun)
    if next(turns, None) is not None or transcript.outcome.price != values["deal"]:
        raise ValueError
    return transcript


def _real(name: str, value: Any, low: float, high: float) -> float:
    return float(number(name, value, low, high))


def _parse_beliefs(scenario: Scenario, values: dict[str, Any]) -> BothBeliefs:
    """Return what was held of each role's limit, at first and after each turn."""
    if not scenario.hidden:
        return None, None
    return pair(
        None
        if beliefs is None
        else tuple(_beliefs_from(beliefs, scenario.n_tables(role), len(values["turns"])))
        for role, beliefs in zip(Role, values["beliefs"], strict=True)
    )


def _beliefs_from(beliefs: Sequence[Any], limits: int, turns: int) -> Iterator[Belief]:
    """Yield beliefs about one of some limits; an empty one is as before."""
    if len(beliefs) != 1 + turns or not beliefs[0]:
        raise ValueError
    for each in beliefs:
        if each:
            found = [_real("belief", value, 0, 1) for value in each]
            if len(found) != 1 + limits or abs(sum(found[1:]) - 1) > 1e-6:
                raise ValueError
            now = Belief(np.array(found[1:]), bool(found[0]))
        yield now


def _parse_tables(
    scenario: Scenario, tables: Sequence[Any], low: float, high: float
) -> Iterator[Changes]:
    """Yield the changed entries of each role's table; None without a table."""
    last = scenario.n_actions - 1
    for role, table in zip(Role, tables, strict=True):
        row = partial(_natural, high=scenario.n_rows(role) - 1)
        entries = (
            (row(state), _natural(action, high=last), _real("value", value, low, high))
            for state, action, value in table or ()
        )
        yield None if table is None else tuple(entries)
