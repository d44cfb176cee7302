"""The updates of a game: they end at the bits of the tables, and their sums add up."""

from dataclasses import replace

import pytest

from negotiation_tui import LEARNERS, Role, Scenario, States
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.population import TabularPlayer
from negotiation_tui.learning.updates import Teller, Update
from negotiation_tui.players.resolve import player_from_spec
from tests.support.game import ORIGINAL, some
from tests.support.hidden import HIDDEN

TELLING = (
    *("q-learning", "sarsa", "expected-sarsa", "double-q", "lenient", "hysteretic", "boltzmann"),
    *("q-lambda", "monte-carlo", "wolf-phc"),
)
AWARE = replace(ORIGINAL, states=States.OPENER_AWARE)
CASES: dict[str, tuple[Scenario, str, str, str]] = {
    **{name: (AWARE, f"learned:{name}", f"learned:{name}", "published") for name in TELLING},
    "two that draw": (AWARE, "learned:lenient:schedule=together", "learned:double-q", "published"),
    "the mean of all returns": (AWARE, "learned:monte-carlo:average=true", "learned", "published"),
    "expected updates": (AWARE, "learned", "random", "exploring-starts"),
    "random starts": (AWARE, "learned", "learned:sarsa", "reverse-curriculum"),
    "a memory": (AWARE, "learned", "tit-for-tat", "corrected"),
    "hidden limits": (HIDDEN["narrowed"], "learned", "learned:sarsa", "exploring-starts"),
    "time costs": (replace(AWARE, delta=(0.9, 0.6)), "learned", "learned:hysteretic", "corrected"),
}


def check(update: Update) -> None:
    """Check that the step from the old number leads to the new one."""
    how = update.how
    assert how is not None
    step = how.rate * (how.factor * update.amount - update.old)
    moved = update.after - update.before
    assert min(abs(moved - step), abs(moved - step / 2)) < 1e-12, "half of it in a mean of two"


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("games", [400, pytest.param(5000, marks=pytest.mark.slow)])
def test_updates_end_at_the_table(case: str, games: int) -> None:
    scenario, seller, buyer, recipe = CASES[case]
    parameters = replace(RECIPES[recipe](scenario), cycles=100, episodes=50)
    players = player_from_spec(seller), player_from_spec(buyer)
    training, told = ConcurrentTraining(scenario, parameters, 7, True, Role.SELLER, *players), 0
    for _ in range(games):
        teller = Teller(training)
        training.run_episodes(1)
        updates = teller.updates()
        for role, tables in teller.tables.items():
            player = training.learning[role]
            assert isinstance(player, TabularPlayer)
            assert [table.ravel().tolist() for table in player.tables] == tables
        played = some(training.last_negotiation)
        assert all(update.decision <= update.turn < len(played.turns) for update in updates)
        assert [*map(check, updates)].count(None) == len(updates)
        told += len(updates)
    assert told > games / 2


def test_it_is_told_when_it_is_settled() -> None:
    sarsa = player_from_spec("learned:sarsa")
    training = ConcurrentTraining(ORIGINAL, Parameters(), 7, seller=sarsa)
    while True:
        teller = Teller(training)
        training.run_episodes(1)
        updates = teller.updates()
        if len(updates) > 1:
            break
    first, *_, last = updates
    assert (first.turn, last.turn) == (
        first.decision + 2,
        len(some(training.last_negotiation).turns) - 1,
    )
    assert some(first.how).amount == "what it does next:"
    assert some(last.how).amount == ""


@pytest.mark.parametrize("name", sorted({*LEARNERS} - {*TELLING}))
def test_others_tell_nothing(name: str) -> None:
    player = player_from_spec(f"learned:{name}")
    game = Scenario.from_dict({"prices": 3, "rounds": 2, "states": "opener-aware"})
    training = ConcurrentTraining(game, seed=7, seller=player, buyer=player)
    teller = Teller(training)
    training.run_episodes(1)
    assert teller.updates() == ()
