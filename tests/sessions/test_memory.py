"""The memory of a training on the screen, as a multiple of that of its Q-tables."""

import tracemalloc

from negotiation_tui.game.learned_table import LARGE, SparseTable
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.sessions.commands import GoTo, Play, PlayCycle
from negotiation_tui.sessions.training_session import TrainingSession
from tests.support.game import compiled

LIMITS = {"limits": [1, 10, 20, 30, 40, 50, 60]}
MANY_LIMITS = Scenario.from_dict({"prices": 61, "rounds": 8, "seller": LIMITS, "buyer": LIMITS})
RUN = Run(MANY_LIMITS, Parameters(cycles=2, episodes=100))


def test_a_session_takes_few_times_the_memory_of_its_tables() -> None:
    """Of lists, and with a copy of all tables per state and snapshot, it would take 20 times."""
    tables = sum(MANY_LIMITS.n_rows(role) * MANY_LIMITS.n_actions * 8 for role in Role)
    assert tables > 8 * LARGE
    tracemalloc.start()
    try:
        session = TrainingSession(RUN)
        first = session.snapshot
        session.handle(PlayCycle())
        now = session.snapshot
        present, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert first.q_tables[0] is not now.q_tables[0]
    assert present < 5 * tables


def test_the_past_of_large_tables_is_equal_to_the_bit() -> None:
    moment, session, again = 160, TrainingSession(RUN), TrainingSession(RUN)
    session.handle(Play(200))
    session.handle(GoTo(moment))
    again.handle(Play(moment))
    assert session.snapshot.past is not None
    then = session.snapshot.past[0]
    fast = ConcurrentTraining(RUN.scenario, RUN.parameters, RUN.seed, backend=compiled())
    fast.run_episodes(moment)
    for role in Role:
        table, played = then.q_tables[role], again.snapshot.q_tables[role]
        assert isinstance(table, SparseTable)
        assert isinstance(played, SparseTable)
        assert table[:].any()
        assert table[:].tobytes() == played[:].tobytes() == fast.q_table(role).tobytes()
