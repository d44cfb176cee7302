"""What happens at a trainer that is written down: sessions of every kind, and what they showed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from negotiation_tui.game.roles import Opener, PriceRange, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.sessions.recorder import Recorder
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.strategies.registry import STRATEGIES

GAPS = Scenario("Lücken", (3, 5, 9, 10), 3, PriceRange(5, 10), PriceRange(3, 9))
SCENARIOS = (
    Scenario.original(),
    replace(Scenario.original(), states=States.OPENER_AWARE),
    GAPS,
    replace(GAPS, states=States.OPENER_AWARE, opener=Opener.BUYER),
)
PARAMETERS = (
    Parameters(cycles=4, episodes=6),
    Parameters(cycles=3, episodes=5, initial_value=1.0),
    Parameters(cycles=3, episodes=8, curriculum_window=4, curriculum_shift_every=1),
    Parameters(cycles=3, episodes=8, curriculum_window=6, expected_updates=True),
)
SEATS = (None, "midpoint", "boulware:beta=0.5", "tit-for-tat", "random")


@dataclass(frozen=True, slots=True)
class MoveAs:
    """What a person does at the table: the so-manieth of the legal actions."""

    number: int


Step = do.Command | MoveAs
roles = st.sampled_from(Role)
steps = st.one_of(
    st.builds(do.Play, st.sampled_from([1, 1, 2, 7])),
    st.just(do.PlayCycle()),
    st.just(do.Restart()),
    st.just(do.Test()),
    st.builds(do.SetOpener, st.sampled_from(Opener)),
    st.builds(do.TakeSeat, roles, st.none() | st.sampled_from(sorted(STRATEGIES))),
    st.builds(do.Sit, st.none() | roles),
    st.builds(MoveAs, st.integers(0, 9)),
)


class Case(NamedTuple):
    """A training and what is asked of it."""

    scenario: Scenario
    parameters: Parameters
    seats: tuple[str | None, str | None]
    steps: Sequence[Step]


cases = st.builds(
    Case,
    st.sampled_from(SCENARIOS),
    st.sampled_from(PARAMETERS),
    st.sampled_from([(None, None), (None, "midpoint"), ("boulware:beta=0.5", None)]),
    st.lists(steps, max_size=12),
)


def recorded(case: Case, path: Path) -> list[Snapshot]:
    """Write a session down; what was published right after each negotiation that was over."""
    trainer = TrainingSession(case.scenario, case.parameters, 5, case.seats)
    recorder, shown = Recorder(trainer, path), list[Snapshot]()
    for step in case.steps:
        command = _command(step, trainer.snapshot)
        if command is None:
            continue
        recorder.handle(command)
        _note(shown, recorder.snapshot)
    return shown


def flat_out(case: Case, path: Path) -> list[Snapshot]:
    """The same for a training that runs to its end by itself."""
    recorder, shown = Recorder(TrainingSession(*case[:2], 5, case.seats), path), list[Snapshot]()
    recorder.handle(do.Run())
    while recorder.running:
        recorder.step()
        _note(shown, recorder.snapshot)
    return shown


def _note(shown: list[Snapshot], snapshot: Snapshot) -> None:
    newest = snapshot.negotiation
    if newest and newest.transcript.over and not (shown and shown[-1].negotiation is newest):
        shown.append(snapshot)


def _command(step: Step, snapshot: Snapshot) -> do.Command | None:
    """The step as a command; None where nobody at the table could do it."""
    if not isinstance(step, MoveAs):
        return step
    newest = snapshot.negotiation
    position = newest.transcript.position if newest else None
    if snapshot.score is None or position is None:
        return None
    return do.Act(position.legal[step.number % len(position.legal)])


def seats_of(snapshot: Snapshot) -> tuple[str | None, ...]:
    """Who sits in each seat, as a recording calls them."""
    you = snapshot.score.role if snapshot.score else None
    return tuple(PERSON if role is you else snapshot.strategies[role] for role in Role)


def assert_the_same(played: Snapshot, published: Snapshot) -> None:
    """A recording shows what was published, to the bit."""
    assert _plain(played) == _plain(published)
    assert played.strategies == seats_of(published)
    assert played.opener is published.opener
    assert played.negotiations == published.negotiations
    assert (played.scenario, played.parameters) == (published.scenario, published.parameters)
    assert played.seed == published.seed
    assert np.array_equal(played.statistics.counts, published.statistics.counts)
    for mine, theirs in zip(played.q_tables, published.q_tables, strict=True):
        assert (mine is None) == (theirs is None)
        assert mine is None or np.array_equal(mine, theirs)  # type: ignore[arg-type]


def _plain(snapshot: Snapshot) -> Negotiation | None:
    """The negotiation with the scenario as it was given, whoever opens by now."""
    shown = snapshot.negotiation
    if shown is None:
        return None
    return replace(shown, transcript=replace(shown.transcript, scenario=snapshot.scenario))
