"""A snapshot has defaults for what a session does not know."""

from dataclasses import replace

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.sessions.snapshot import Seating, Snapshot


def test_a_session_names_only_what_it_knows() -> None:
    bare = Snapshot(scenario=Scenario.original())
    assert (bare.strategies, bare.opener, bare.q_tables) == (
        (None, None),
        "alternate",
        (None, None),
    )
    assert len(bare.statistics.counts) == 0
    assert bare != replace(bare), "snapshots are compared by identity"
    with pytest.raises(TypeError, match="scenario"):
        Snapshot()  # type: ignore[call-arg]


def test_specs_that_are_not_built_in_stay_on_the_list() -> None:
    seats = Seating().occupied(Role.SELLER, "mine.py").occupied(Role.BUYER, "boulware:beta=0.5")
    for role, spec in ((Role.BUYER, "table.npz"), (Role.SELLER, None), (Role.BUYER, "midpoint")):
        seats = seats.occupied(role, spec)
    assert seats.strategies == (None, "midpoint")
    assert seats.given == ("mine.py", "table.npz")
