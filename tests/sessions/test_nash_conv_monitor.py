"""NashConv of a live training: players that take seconds to evaluate wait for their series."""

import pytest

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import nash_conv_series
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.side_by_side_session import SideBySideSession
from tests.support.recorded import HIDDEN as LOPSIDED
from tests.support.trainings import new_session

HIDDEN = Scenario.of("hidden")
SHORT = Parameters(cycles=4, episodes=10)

CHANGES = do.SetOpener(Opener.BUYER), do.TakeSeat(Role.SELLER, "boulware")


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count every game with hidden limits as large."""
    monkeypatch.setattr(nash_conv_series, "MANY_ANSWERS", 0)


@pytest.mark.usefixtures("large")
def test_learners_of_a_large_game_are_judged_at_the_ends_of_some_cycles_alone() -> None:
    session = new_session(HIDDEN, SHORT, 1)
    session.idle()
    assert session.snapshot.nash_conv is None
    session.handle(do.PlayCycle())
    session.idle()
    found = session.snapshot.nash_conv
    assert found is not None
    assert session.snapshot.nash_convs == ((1, found.total),)
    session.handle(do.Play())
    session.idle()
    assert session.snapshot.nash_conv is None
    session.handle(do.GoTo(10))
    assert session.snapshot.past
    assert session.snapshot.past[0].nash_convs == ((1, found.total),)
    assert session.snapshot.past[0].nash_conv is None


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_judges_a_small_game_again(
    change: do.Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session(LOPSIDED, SHORT, 1)  # in a symmetric game either opener gives one sum
    session.handle(do.PlayCycle())
    session.idle()
    before = session.snapshot.nash_conv
    session.handle(change)
    session.idle()
    assert before
    assert session.snapshot.nash_conv
    assert abs(session.snapshot.nash_conv.total - before.total) > 0.01
    monkeypatch.setattr(nash_conv_series, "MANY_ANSWERS", 0)
    session = new_session(HIDDEN, SHORT, 1)
    session.handle(do.PlayCycle())
    session.handle(change)
    session.idle()
    assert session.snapshot.nash_conv is None, "a large game waits for its series"


@pytest.mark.usefixtures("large")
def test_trained_at_once_a_large_game_is_judged_at_the_end() -> None:
    session = new_session(HIDDEN, SHORT, 1)
    assert [*session.training()]
    session.idle()
    assert [cycle for cycle, _ in session.snapshot.nash_convs] == [4]
    assert session.snapshot.nash_conv is not None


def test_what_is_reached_comes_with_every_judged_cycle() -> None:
    session = new_session(HIDDEN, SHORT, 1)
    session.handle(do.Play(40))
    snapshot = session.snapshot
    assert [each.cycle for each in snapshot.reached] == [1, 2, 3, 4]
    assert [(each.cycle, each.most) for each in snapshot.reached] == [*snapshot.nash_convs]
    assert all(each.least == each.most for each in snapshot.reached)
    session.handle(do.GoTo(25))
    assert session.snapshot.past
    assert session.snapshot.past[0].reached == snapshot.reached[:2]


def test_the_ceiling_is_that_of_the_game_at_any_moment() -> None:
    pytest.importorskip("scipy")
    session = new_session(HIDDEN, SHORT, 1)
    session.idle()
    assert session.snapshot.ceiling == pytest.approx(0.952, abs=5e-4)
    assert session.snapshot.ceiling_with_waits == pytest.approx(0.958, abs=5e-4)
    session.handle(do.Play(20))
    session.handle(do.GoTo(10))
    assert session.snapshot.past
    past = session.snapshot.past[0]
    assert past.ceiling == session.snapshot.ceiling
    assert past.ceiling_with_waits == session.snapshot.ceiling_with_waits


def test_two_sessions_side_by_side_are_both_evaluated() -> None:
    original = Scenario.original()
    both = SideBySideSession(*(new_session(original, SHORT, seed) for seed in (1, 2)))
    assert [each.nash_conv for each in both.snapshot] == [None, None]
    both.idle()
    assert all(each.nash_conv for each in both.snapshot)
