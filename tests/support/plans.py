"""Random policies of every kind, each as a table and as a plan written without one."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from negotiation_tui import Position, Role, Scenario, States
from negotiation_tui.game.memory import NOTHING, OWN_LAST
from negotiation_tui.game.scenario import PUBLISHED_DISCOUNT
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.solvers.best_response import INDUCTION
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.induction import Matchup
from negotiation_tui.strategies.base import tabulate
from negotiation_tui.strategies.concession import Midpoint

Plan = Callable[[Position], dict[int, float]]  # the probability of each action in a position

discounts = st.sampled_from([1.0, PUBLISHED_DISCOUNT, 0.5, 0.0])
MEMORYLESS = ("greedy", "mixture", "opener-aware mixture", "weights")
REMEMBERING = ("midpoint", "mixture with memory", "opener-aware weights with memory")
kinds = st.sampled_from(MEMORYLESS + REMEMBERING)


def seat(scenario: Scenario, role: Role, kind: str, seed: int) -> tuple[TabularPolicy, Plan]:
    rng = np.random.default_rng(seed)
    if kind == "midpoint":
        return tabulate(scenario, role, Midpoint()), lambda at: {Midpoint().act(at, rng): 1.0}
    if kind == "greedy":
        q = rng.integers(-1, 3, (scenario.n_states, scenario.n_actions)) / 2

        def best(at: Position) -> dict[int, float]:
            legal = scenario.legal_actions(at.state, role)
            ties = [action for action in legal if q[at.state, action] == max(q[at.state, legal])]
            return dict.fromkeys(ties, 1 / len(ties))

        return greedy(scenario, role, q), best
    return mixture(scenario, role, rng, kind)


def mixture(
    scenario: Scenario, role: Role, rng: np.random.Generator, kind: str
) -> tuple[TabularPolicy, Plan]:
    """Five actions per row; an action that is drawn twice has both probabilities."""
    memory, seated, weighted = (word in kind for word in ("memory", "opener-aware", "weights"))
    game = replace(scenario, states=States.OPENER_AWARE if seated else States.PUBLISHED)
    width = 1 + scenario.n_prices if memory else 1
    ties = np.zeros((game.n_states, width, 5), np.int32)
    for state in range(game.final_state):
        ties[state] = rng.choice(game.legal_actions(state, role), (width, 5))
    rows = ties.reshape(-1, 5)
    count = np.full(len(rows), 5, np.int32)
    shares = rng.dirichlet([0.5] * 5, ties.shape[:2]) if weighted else np.full(ties.shape, 0.2)

    def drawn(at: Position) -> dict[int, float]:
        own = (
            0
            if at.own_last_offer is None or not memory
            else 1 + scenario.prices.index(at.own_last_offer)
        )
        found: dict[int, float] = {}
        row = replace(at, scenario=game).state, own
        for action, share in zip(ties[row].tolist(), shares[row].tolist(), strict=True):
            found[action] = found.get(action, 0.0) + share
        return found

    return TabularPolicy(
        scenario,
        rows,
        count,
        memory=OWN_LAST if memory else NOTHING,
        opener_aware=seated,
        weights=shares.reshape(-1, 5) if weighted else None,
    ), drawn


def value(
    scenario: Scenario,
    role: Role,
    policy: TabularPolicy,
    opponent: TabularPolicy,
    opener: Role,
    rate: float = PUBLISHED_DISCOUNT,
) -> float:
    """The expected return of a role with a policy: backwards by states, and forwards by offers."""
    values, _ = INDUCTION(Matchup(scenario, role, policy, opponent, rate))
    tables = (policy, opponent) if role is Role.SELLER else (opponent, policy)
    forwards = expected_play(scenario, *tables).returns(role, rate)[opener]
    assert forwards == pytest.approx(values[opener is not role][1], abs=1e-12)
    return forwards
