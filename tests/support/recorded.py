"""Recorded training sessions of every kind, and the snapshots that they published."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from negotiation_tui import STRATEGIES, Opener, PriceRange, Role, Scenario, States
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.session import attempt
from negotiation_tui.sessions.snapshot import Snapshot
from tests.support import pinned
from tests.support.trainings import new_session

GAPS = Scenario("Lücken", (3, 5, 9, 10), 3, PriceRange(5, 10), PriceRange(3, 9))
HIDDEN = Scenario.from_dict({"name": "hidden", **pinned.HIDDEN})
"""The seller's limits are hidden; the buyer has none."""
SCENARIOS = (
    Scenario.original(),
    replace(Scenario.original(), states=States.OPENER_AWARE),
    GAPS,
    replace(GAPS, states=States.OPENER_AWARE, opener=Opener.BUYER),
    HIDDEN,
    replace(GAPS, delta=(0.9, 0.5)),
    replace(HIDDEN, delta=(0.8, 0.8)),
)
PARAMETERS = (
    Parameters(cycles=4, episodes=6),
    Parameters(cycles=3, episodes=5, initial_value=1.0),
    Parameters(cycles=3, episodes=8, curriculum_window=4, curriculum_shift_every=1),
    Parameters(cycles=3, episodes=8, curriculum_window=6, expected_updates=True),
)
LEARNERS = ("learned:wolf-phc", "learned:sarsa", "learned:wolf-phc:schedule=alternate")


@dataclass(frozen=True, slots=True)
class MoveAs:
    number: int


Step = do.Command | MoveAs
roles = st.sampled_from(Role)
steps = st.one_of(
    st.builds(do.Play, st.sampled_from([1, 1, 2, 7])),
    st.just(do.PlayCycle()),
    st.just(do.Restart()),
    st.just(do.Test()),
    st.builds(do.SetOpener, st.sampled_from(Opener)),
    st.builds(
        lambda role, spec: do.TakeSeats(((role, spec),)),
        roles,
        st.none() | st.sampled_from([*LEARNERS, *sorted(STRATEGIES)]),
    ),
    st.builds(do.Sit, st.none() | roles),
    st.builds(MoveAs, st.integers(0, 9)),
)


class Case(NamedTuple):
    scenario: Scenario
    parameters: Parameters
    seats: tuple[str | None, str | None]
    steps: Sequence[Step]


cases = st.builds(
    Case,
    st.sampled_from(SCENARIOS),
    st.sampled_from(PARAMETERS),
    st.sampled_from(
        [(None, None), (None, "midpoint"), ("boulware:beta=0.5", None), LEARNERS[:2], LEARNERS[::2]]
    ),
    st.lists(steps, max_size=12),
)


def recorded(case: Case, path: Path) -> list[Snapshot]:
    """Record a session; return the snapshot after each finished negotiation."""
    session = new_session(case.scenario, case.parameters, 5, case.seats)
    recorder, shown = record_to(session, path), list[Snapshot]()
    for step in case.steps:
        command = _command(step, session.snapshot)
        if command is None:
            continue
        attempt(recorder, recorder.handle, command)
        _note(shown, recorder.snapshot)
    return shown


def _note(shown: list[Snapshot], snapshot: Snapshot) -> None:
    newest = snapshot.negotiation
    if newest and newest.transcript.over and not (shown and shown[-1].negotiation is newest):
        shown.append(snapshot)


def _command(step: Step, snapshot: Snapshot) -> do.Command | None:
    """Return the step as a command; None if no person could do it now."""
    if not isinstance(step, MoveAs):
        return step
    newest = snapshot.negotiation
    position = newest.transcript.position if newest else None
    if snapshot.score is None or position is None:
        return None
    return do.Act(position.legal[step.number % len(position.legal)])
