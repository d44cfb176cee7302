"""The inner loop against a slow and plain restatement of the rules; equal to the bit."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.loop import log
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.concession import Midpoint
from tests.support.game import roles, scenarios, seeds
from tests.support.restated import Moves, Restated


def moves_of(transcript: Transcript | None) -> Moves:
    assert transcript is not None
    return [(turn.role, turn.action, turn.explored) for turn in transcript.turns]


@st.composite
def trainings(draw: st.DrawFn) -> Restated:
    share = st.floats(0, 1)
    parameters = Parameters(
        learning_rate=draw(st.sampled_from([0.1, 0.5, 1.0])),
        discount_rate=draw(st.sampled_from([0.0, 0.9, 0.99, 1.0])),
        exploration_start=draw(share),
        exploration_end=draw(share),
        exploration_decay=draw(st.sampled_from([0.0, 0.001, 0.3])),
        exploration_restarts=draw(st.booleans()),
        cycles=draw(st.integers(1, 5)),
        episodes=draw(st.integers(1, 12)),
        curriculum_window=draw(st.sampled_from([0, 0, 1, 2, 4, 99])),
        curriculum_shift_every=draw(st.integers(0, 2)),
        expected_updates=draw(st.booleans()),
    )
    static: dict[Role, Strategy] = draw(
        st.sampled_from([{}, {Role.SELLER: Midpoint()}, {Role.BUYER: Midpoint()}])
    )
    # Beside a static strategy the other learns.
    alone = next((role.other for role in static), None)
    return Restated(
        draw(scenarios(largest=8, rounds=5)),
        parameters,
        draw(seeds),
        draw(st.booleans()),
        alone if alone is not None else draw(roles),
        static,
    )


def same_to_the_bit(restated: Restated, backend: Backend) -> None:
    training = ConcurrentTraining(
        restated.scenario,
        restated.parameters,
        restated.seed,
        restated.train_both,
        restated.train_agent,
        seller=restated.static.get(Role.SELLER),
        buyer=restated.static.get(Role.BUYER),
        backend=backend,
    )
    for episode in range(restated.parameters.total):
        training.run_episodes(1)
        assert moves_of(training.last_negotiation) == restated.negotiation(episode)
    for role in Role:
        assert np.array_equal(training.q_table(role), restated.tables[role])


@given(restated=trainings())
def test_the_inner_loop_follows_the_rules(backend: Backend, restated: Restated) -> None:
    same_to_the_bit(restated, backend)


@settings(max_examples=15)
@given(scenarios(largest=3, rounds=2), seeds)
def test_ties_that_come_and_go(scenario: Scenario, seed: int) -> None:
    """With α = γ = 1 a value is the last one observed: many are equal, and rise and fall."""
    parameters = Parameters(1, 1, exploration_decay=0.01, cycles=4, episodes=60)
    same_to_the_bit(Restated(scenario, parameters, seed, True, Role.SELLER, {}), PLAIN)


def test_twice_the_published_training() -> None:
    """Long enough to use up more than one block of draws."""
    original = Restated(Scenario.original(), Parameters(cycles=100), 1, True, Role.BUYER, {})
    same_to_the_bit(original, PLAIN)


def test_a_full_log_holds_no_rows() -> None:
    changed = [0] * 6
    for row in (4, 5):
        log(changed, 1, row)
    assert changed == [0, 0, 0, 2, 4, 5]
    log(changed, 1, 4)
    assert changed[3] == len(changed) // 2, "all rows are looked at"
