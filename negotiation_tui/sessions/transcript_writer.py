"""Transcripts as JSON lines, as they are written; `recorded` reads them back.

The first line says which scenario, parameters and seed. Every other line is one negotiation, with
what changed since the line before: entries of the Q-tables and counts of the cycles. Each line ends
with a check sum of itself, so that a line that was cut or altered is told from a whole one. The
format is described in docs/transcripts.md.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Snapshot

FORMAT = "negotiation-tui transcripts 1"
CLOSING = ("accept", "quit")


def lines(snapshots: Sequence[Snapshot]) -> Iterator[str]:
    """The lines of a file with the negotiations of these snapshots."""
    if snapshots:
        yield heading(snapshots[0])
    before: Snapshot | None = None
    for snapshot in snapshots:
        if snapshot.negotiation and snapshot.negotiation.transcript.over:
            yield line(snapshot, before)
            before = snapshot


def heading(snapshot: Snapshot) -> str:
    """The first line of a file."""
    return _checked(
        {
            "format": FORMAT,
            "scenario": snapshot.scenario.to_dict(),
            "parameters": snapshot.parameters.to_dict(),
            "seed": snapshot.seed,
        }
    )


def line(snapshot: Snapshot, before: Snapshot | None) -> str:
    """The line of a snapshot's negotiation; `before` is the one that was written last."""
    shown = snapshot.negotiation
    assert shown is not None
    if before is not None and before.negotiations > snapshot.negotiations:
        before = None
    transcript = shown.transcript
    return _checked(
        {
            "number": shown.number,
            "anew": before is None,
            "cycle": shown.cycle,
            "episode": shown.episode,
            "trainee": None if shown.learner is None else str(shown.learner),
            "epsilon": shown.epsilon,
            "test": shown.test,
            "seller": _held(snapshot, Role.SELLER),
            "buyer": _held(snapshot, Role.BUYER),
            "openers": str(snapshot.opener),
            "opener": str(transcript.opener),
            "turns": [_action(transcript.scenario, turn.action) for turn in transcript.turns],
            "explored": [int(turn.explored) for turn in transcript.turns],
            "begun": _begun(transcript),
            "deal": transcript.outcome.price,
            "negotiations": snapshot.negotiations,
            "learned": [_learned(snapshot, before, role) for role in Role],
            "counts": _counts(snapshot, before),
        }
    )


def _checked(values: dict[str, Any]) -> str:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'


def _held(snapshot: Snapshot, role: Role) -> str | None:
    """Who sat in a seat: a strategy, a person, or None for the learner."""
    person = snapshot.score is not None and snapshot.score.role is role
    return PERSON if person else snapshot.strategies[role]


def _action(scenario: Scenario, action: int) -> int | str:
    if action < scenario.accept:
        return scenario.prices[action]
    return CLOSING[action - scenario.accept]


def _begun(transcript: Transcript) -> int:
    """The ply of the first turn: 0, or where training put a price on the table."""
    first = transcript.turns[0]
    if first.state != NO_STATE:
        return 0
    return 2 * first.round + (0 if first.role is transcript.opener else 1)


def _learned(snapshot: Snapshot, before: Snapshot | None, role: Role) -> list[Any] | None:
    table = snapshot.q_tables[role]
    if table is None:
        return None
    old = before.q_tables[role] if before else None
    rows, columns = np.nonzero(table if old is None else table != old)
    values = table[rows, columns].tolist()
    return [list(entry) for entry in zip(rows.tolist(), columns.tolist(), values, strict=True)]


def _counts(snapshot: Snapshot, before: Snapshot | None) -> list[list[int]]:
    counts = snapshot.statistics.counts
    old = np.zeros_like(counts)
    if before is not None:
        same = min(len(counts), len(before.statistics.counts))
        old[:same] = before.statistics.counts[:same]
    changed = np.flatnonzero((counts != old).any(axis=1))
    return [[int(cycle), *counts[cycle].tolist()] for cycle in changed]
