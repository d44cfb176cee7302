"""A mistake in what a screen only adds is unknown, in a notice: no game ends, and tests fail."""

import sys
from types import SimpleNamespace

import pytest

from negotiation_tui import BadInputError, Role, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.extras import Extras
from negotiation_tui.solvers import payoffs
from tests.support.screen_driver import Screen
from tests.support.trainings import new_session


@pytest.fixture(autouse=True)
def broken_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", SimpleNamespace(sparse="another library"))
    payoffs.ceiling.cache_clear()
    payoffs.ceiling_shares.cache_clear()


def test_a_person_plays_to_the_end() -> None:
    session = new_session(Scenario.of("hidden"), Parameters(cycles=3, episodes=20), 7)
    with pytest.warns(RuntimeWarning, match="^ceiling: unknown, by a mistake of the program"):
        session.idle()
    assert "ceiling: unknown" in session.snapshot.status.notice
    assert session.snapshot.theory.nash_conv is not None  # the rest is known
    notices = session.snapshot.status.notices
    session.handle(do.Sit(Role.BUYER))
    played = session.snapshot.negotiation
    while played and not played.transcript.over:
        position = played.transcript.position
        assert position
        session.handle(do.Act(position.legal[0]))
        played = session.snapshot.negotiation
    assert session.snapshot.score
    assert session.snapshot.score.negotiations == 1
    assert session.snapshot.status.notices == notices  # it is said once


def test_the_driver_of_screens_raises_it() -> None:
    with pytest.raises(RuntimeWarning, match="ceiling: unknown"):
        Screen("hidden")


def test_refusals_and_signals_are_no_mistakes() -> None:
    said: list[object] = []
    for error in (BadInputError("no"), OSError("no"), KeyboardInterrupt()):

        def work(error: BaseException = error) -> None:
            raise error

        with pytest.raises(type(error)):
            Extras(said.append)("value", work)
    assert said == []
