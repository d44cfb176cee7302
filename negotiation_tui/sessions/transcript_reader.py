"""Transcripts read back as far as they are whole; `recording` writes them."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negotiation_tui.game.negotiation import Position, Transcript, check_legal, play_out
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.kernel import N_STATISTICS
from negotiation_tui.runtime.files import reading
from negotiation_tui.runtime.validate import integer, number, one_of, string
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.sessions.transcript_writer import CLOSING, FORMAT

MAX_CYCLES = 10_000_000
_MOST = 1 << 62


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line: a negotiation, who played it, and what changed since the line before."""

    negotiation: Negotiation
    anew: bool
    """Whether nothing is left of the lines before: the first, or the training began anew."""
    negotiations: int
    """Played in training until then."""
    strategies: tuple[str | None, str | None]
    """Of each seat, None for a learner, PERSON where one played; seller first."""
    opener: Opener
    learned: tuple[tuple[tuple[int, int, float], ...] | None, ...]
    """For each role the state, action and value of every entry that changed; None: no table."""
    counts: tuple[tuple[int, ...], ...]
    """The number of each cycle that changed, then its counts."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A file of transcripts, as far as it is whole."""

    name: str
    scenario: Scenario
    parameters: Parameters
    seed: int
    entries: tuple[TranscriptLine, ...]
    damage: str = ""
    """What is wrong with the first line that is not whole, and its number; empty if all are."""


def read(path: Path) -> Recording:
    """Read a file as far as it is whole; BadInputError where it is no such file at all."""
    with reading(path, "transcripts", "--record or w"):
        text = path.read_text(encoding="utf-8", errors="replace")
        first, *rest = text.split("\n")
        about = _unchecked(first)
        one_of("format", about["format"], [FORMAT])
        scenario = Scenario.from_stored(about["scenario"])
        parameters = Parameters.from_stored(about["parameters"])
        seed = integer("seed", about["seed"], 0, _MOST)
    entries: list[TranscriptLine] = []
    damage = "" if text.endswith("\n") else f"line {len(rest) + 1} is cut short"
    for at, each in enumerate(rest[:-1], 2):
        try:
            entries.append(_entry(scenario, parameters, _unchecked(each)))
        except _DAMAGE:
            damage = f"line {at} is damaged"
            break
    return Recording(path.name, scenario, parameters, seed, tuple(entries), damage)


_DAMAGE = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def _unchecked(written: str) -> dict[str, Any]:
    """The values of a line whose check sum is right; ValueError for any other."""
    text, _, check = written.rpartition(',"check":"')
    if check != f'{zlib.crc32(f"{text}}}".encode()):08x}"}}':
        raise ValueError
    values: dict[str, Any] = json.loads(text + "}")
    return values


def _entry(scenario: Scenario, parameters: Parameters, values: dict[str, Any]) -> TranscriptLine:
    trainee = values["trainee"]
    cycle = integer("cycle", values["cycle"], 0, min(parameters.cycles, MAX_CYCLES) - 1)
    negotiation = Negotiation(
        integer("number", values["number"], 0, _MOST),
        cycle,
        integer("episode", values["episode"], 0, _MOST),
        None if trainee is None else Role.of(trainee),
        float(number("epsilon", values["epsilon"], 0, 1)),
        bool(values["test"]),
        _transcript(scenario, values),
    )
    shape = scenario.n_states, scenario.n_actions
    learned = tuple(
        None if table is None else tuple(_changed(entry, shape) for entry in table)
        for table in values["learned"]
    )
    counts = tuple(
        (integer("cycle", row[0], 0, cycle), *(integer("count", n, -_MOST, _MOST) for n in row[1:]))
        for row in values["counts"]
    )
    if len(learned) != len(Role) or any(len(row) != 1 + N_STATISTICS for row in counts):
        raise ValueError
    return TranscriptLine(
        negotiation,
        bool(values["anew"]),
        integer("negotiations", values["negotiations"], 0, _MOST),
        (_strategy(values["seller"]), _strategy(values["buyer"])),
        Opener.of(values["openers"]),
        learned,
        counts,
    )


def _transcript(scenario: Scenario, values: dict[str, Any]) -> Transcript:
    """The negotiation played again by the rules; ValueError where it breaks them."""
    turns, drawn = iter(values["turns"]), values["explored"]
    if not isinstance(drawn, list) or any(flag not in {0, 1} for flag in drawn):
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

    played = play_out(scenario, opener, choose, drawn, begun)
    if next(turns, None) is not None or played.outcome.price != values["deal"]:
        raise ValueError
    return played


def _strategy(words: object) -> str | None:
    return None if words is None else string("strategy", words)


def _changed(entry: Sequence[Any], shape: tuple[int, int]) -> tuple[int, int, float]:
    state, action, value = entry
    return (
        integer("state", state, 0, shape[0] - 1),
        integer("action", action, 0, shape[1] - 1),
        float(number("value", value)),
    )
