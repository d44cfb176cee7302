"""A snapshot joins its parts, and each has defaults."""

from dataclasses import fields, replace

import numpy as np
import pytest

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.sessions.snapshot import (
    Learned,
    Progress,
    Seats,
    Snapshot,
    Status,
    Story,
    Theory,
    TrainingSetup,
)

PARTS = (TrainingSetup, Seats, Progress, Learned, Theory, Story, Status)


def test_the_fields_are_those_of_the_parts_and_none_is_in_two() -> None:
    names = [field.name for part in PARTS for field in fields(part)]
    assert sorted(names) == sorted(field.name for field in fields(Snapshot))
    assert len(set(names)) == len(names)


def test_a_session_names_only_what_it_knows() -> None:
    scenario = Scenario.original()
    bare = Snapshot.of(TrainingSetup(scenario))
    assert (bare.scenario, bare.strategies, bare.opener) == (scenario, (None, None), "alternate")
    assert (bare.negotiations, bare.q_tables, bare.notice) == (0, (None, None), "")
    assert len(bare.statistics.counts) == 0
    table = np.zeros((2, 2))
    full = Snapshot.of(
        TrainingSetup(scenario, seed=3),
        Seats(opener=Opener.BUYER),
        Learned((table, None)),
        Status("so"),
    )
    assert (full.seed, full.opener, full.notice) == (3, Opener.BUYER, "so")
    assert full.q_tables[0] is table
    with pytest.raises(TypeError, match="scenario"):
        Snapshot.of(Status("so"))


def test_snapshots_are_compared_by_identity() -> None:
    one = Snapshot.of(TrainingSetup(Scenario.original()))
    assert one != replace(one)
    assert one.statistics is replace(one, seed=1).statistics


def test_specs_that_are_not_built_in_stay_on_the_list() -> None:
    seats = Seats().occupied(Role.SELLER, "mine.py").occupied(Role.BUYER, "boulware:beta=0.5")
    for role, spec in ((Role.BUYER, "table.npz"), (Role.SELLER, None), (Role.BUYER, "midpoint")):
        seats = seats.occupied(role, spec)
    assert seats.strategies == (None, "midpoint")
    assert seats.given == ("mine.py", "table.npz")
