"""What docs/findings.md says, exactly or with a few seeds; its scripts measure as `sweep` does."""

import runpy
from dataclasses import replace

import numpy as np
import pytest

from negotiation_tui import Position, Role, States, strategy
from negotiation_tui.experiments.sweep import train_and_test
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.players.run import Run
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from tests.support.documented import script
from tests.support.paths import DOCS

ORIGINAL = Scenario.original()


def take_it_or_leave_it(role: Role, price: int) -> TabularPolicy:
    """A table of the published states that asks one price for ever, and accepts none worse."""
    q = np.zeros((ORIGINAL.n_states, ORIGINAL.n_actions))
    for state in range(ORIGINAL.final_state):
        legal = ORIGINAL.legal_actions(state, role)
        action = price - 1 if price - 1 in legal else ORIGINAL.walk_away
        if state != START:
            offered = ORIGINAL.prices[ORIGINAL.offer_and_time(state)[0]]
            if offered >= price if role is Role.SELLER else offered <= price:
                action = ORIGINAL.accept
        q[state, action] = 1
    return greedy(ORIGINAL, role, q)


@pytest.mark.parametrize("price", ORIGINAL.prices)
def test_published_states_can_hold_a_nash_equilibrium_at_any_price(price: int) -> None:
    seller, buyer = (take_it_or_leave_it(role, price) for role in Role)
    found = nash_conv(ORIGINAL, seller, buyer)
    assert found.total == 0
    assert found.values == pytest.approx((price / 5, 1 - price / 5))


@pytest.mark.parametrize("rule", TieBreak)
def test_published_states_cannot_hold_a_subgame_perfect_one(rule: TieBreak) -> None:
    """In 1.3 the seller that opened must ask more, and the seller that did not must accept."""
    position = {
        opened: Position(ORIGINAL, Role.SELLER, 3, None, 1, opened) for opened in (True, False)
    }
    assert position[True].state == position[False].state
    as_opener = solve(ORIGINAL, Role.SELLER, 1.0, rule).action(position[True])
    as_responder = solve(ORIGINAL, Role.BUYER, 1.0, rule).action(position[False])
    assert ORIGINAL.action_label(as_opener) in {"4", "5"}
    if rule is TieBreak.ACCEPT:
        assert as_responder == ORIGINAL.accept
    else:
        assert as_responder != as_opener


HIDDEN = Scenario.of("hidden")


@pytest.mark.parametrize("price", [2, 3])
@pytest.mark.parametrize("rate", [0.99, 1.0])
def test_tables_that_insist_on_a_price_are_equilibria(price: int, rate: float) -> None:
    insisting = script("hidden_limits_findings").insisting
    seller, buyer = (greedy(HIDDEN, role, insisting(HIDDEN, role, price)) for role in Role)
    assert nash_conv(HIDDEN, seller, buyer, rate).total == 0
    assert expected_play(HIDDEN, seller, buyer).efficiency == pytest.approx(30 / 35)


@pytest.mark.slow
def test_a_pair_of_tables_without_gain_exists_in_a_small_game() -> None:
    hidden_limits = script("hidden_limits_findings")
    small = replace(hidden_limits.small_game([1, 2], [1, 2]), states=States.PUBLISHED)
    total, zeros, least = hidden_limits.exhaustive(small)
    assert total == (128 * 12) ** 2
    assert 0 < zeros < total
    assert least == 0


LEARNER = "learned:wolf-phc"


@pytest.mark.usefixtures("without_numba")
def test_a_training_of_the_script_is_a_row_of_a_sweep() -> None:
    learners = script("learner_findings")
    rows = learners.run_job((learners.Setting("wolf-phc", "published", cycles=4), 3))
    falls = Parameters.from_dict({**learners.WAYS[learners.STARTS], "cycles": 4})
    row = train_and_test(Run(Scenario.original(), falls, 3, (LEARNER, LEARNER)))
    assert rows[:, 0].tolist() == [100, 200, 300, 400]
    assert rows[-1, 1] == row["nash_conv"]
    assert 0 < rows[-1, 2:].sum() <= 1


@pytest.mark.parametrize(("rule", "share"), [("uniform", 0.5), ("accept", 0.6), ("reject", 0.5)])
@pytest.mark.usefixtures("without_numba")
def test_ties_decide_the_equilibrium_of_best_responses(rule: str, share: float) -> None:
    learners = script("learner_findings")
    name = f"best-response-dynamics:counts_as=1,tie_break={rule}"
    rows = learners.run_job((learners.Setting(name, cycles=12, episodes=1), 0))
    assert rows[-1, 1] < 1e-12
    assert rows[-1, 2] == pytest.approx(share)


@pytest.mark.slow
def test_one_agent_meets_a_frozen_market() -> None:
    market = script("market_findings")
    found = market.frozen(market.Frozen("learned"), 0)
    assert 0 < found["own"] <= found["best"]
    assert found["efficiency"] < found["best dealt"] <= 1


def test_the_best_response_to_one_who_takes_all_in_the_last_round() -> None:
    """It asks 3 twice; whoever asks 1 has a deal at once, and no gain."""
    market, role = script("market_findings"), Role.SELLER
    rules = {"prices": 3, "rounds": 2, "opener": "seller", "states": "opener-aware"}
    game = Scenario.from_dict(rules)
    buyer = strategy("boulware").remembering(game, Role.BUYER)
    assert buyer is not None
    others = np.array([buyer.probabilities])
    best = market.meet(game, role, others, np.ones(1), (), role, 50.0, None)
    assert best == pytest.approx([0.99, 0.99**2, 1])
    asks_1 = np.eye(game.n_actions)[np.zeros(game.n_states, int)]
    own = market.meet(game, role, others, np.ones(1), (), role, 50.0, asks_1)
    assert own == pytest.approx([0, 0.99, 1])


@pytest.mark.usefixtures("without_numba")
def test_one_training_gives_the_wallets_of_a_run_of_each_length() -> None:
    pytest.importorskip("matplotlib")
    wallets = runpy.run_path(str(DOCS / "first_trained.py"))
    counts, seed, first = (2, 3), 5, Role.BUYER
    rows = [
        train_and_test(Run(Scenario.original(), Parameters(cycles=n), seed, train_agent=first))
        for n in counts
    ]
    assert wallets["wallets"](wallets["Job"](range(1), counts), seed, first) == [
        (
            row["corrected_seller_wallet"],
            row["as_published_seller_wallet"] - row["last_cycle_seller_wallet"],
            row["last_cycle_seller_wallet"],
        )
        for row in rows
    ]
