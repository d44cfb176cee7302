"""Writing of transcripts as JSON lines; `transcript_reader` reads them.

The heading holds the scenario, the parameters and the seed. Every other line holds one negotiation
and the changes since the line before: entries of the tables and counts of the cycles. Each line
ends with its check sum, which shows if it was cut or altered. docs/transcripts.md has the format.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import Floats
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
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
    if before is not None and before.negotiations > snapshot.negotiations:
        before = None
    transcript, earlier = negotiation.transcript, before or Snapshot(scenario=snapshot.scenario)
    return _with_check_sum(
        {
            "number": negotiation.number,
            "anew": before is None,
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
            "begun": _begun(transcript),
            "deal": transcript.outcome.price,
            "negotiations": snapshot.negotiations,
            "cycles": snapshot.parameters.cycles,
            "learned": [*map(_changed_entries, snapshot.q_tables, earlier.q_tables)],
            **_policies(snapshot, earlier),
            "counts": _changed_counts(snapshot, before),
            "nash_convs": _changed(snapshot.nash_convs, before.nash_convs if before else ()),
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


def _begun(transcript: Transcript) -> int:
    """Return the ply of the first turn: 0 unless training began with a random standing offer."""
    first = transcript.turns[0]
    if first.state != NO_STATE:
        return 0
    return 2 * first.round + (0 if first.role is transcript.opener else 1)


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


def _changed_counts(snapshot: Snapshot, before: Snapshot | None) -> list[list[int]]:
    counts = snapshot.statistics.counts
    old = np.zeros_like(counts)
    if before is not None and before.statistics.period == snapshot.statistics.period:
        common = min(len(counts), len(before.statistics.counts))
        old[:common] = before.statistics.counts[:common]
    changed = np.flatnonzero((counts != old).any(axis=1))
    return [[int(cycle), *counts[cycle].tolist()] for cycle in changed]


def _reached(snapshot: Snapshot, before: Snapshot | None) -> dict[str, Any]:
    """Return what was reached after judged cycles, as far as it is new; only with hidden limits."""
    if not snapshot.scenario.hidden:
        return {}
    new, old = (
        [(each.cycle, each[1:]) for each in (snap.reached if snap else ())]
        for snap in (snapshot, before)
    )
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
