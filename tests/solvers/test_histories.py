"""Players that remember the offers, and tables, against sums over all histories."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from negotiation_tui import BadInputError, Position, Role, Scenario, Strategy, strategy
from negotiation_tui.examination.reply import AutomatonPlay, fixed_reply, table_automaton
from negotiation_tui.solvers import histories
from negotiation_tui.solvers.belief_induction import TableAnswerer
from negotiation_tui.solvers.histories import WHOLE, Histories
from tests.support.lotteries import interim, lottery, stack
from tests.support.plans import Plan

TABLE = "a table"
SPECS = [
    TABLE,
    *("tit-for-tat", "tit-for-tat:delta=2", "random-tit-for-tat:largest=2"),
    *("averaged-tit-for-tat:gamma=2", "micro", "boulware:accept=combi"),
]


def plan_of(player: Strategy) -> Plan:
    def plan(at: Position) -> dict[int, float]:
        support = list(player.support(at))
        return {action: support.count(action) / len(support) for action in support}

    return plan


@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seed", range(4))
def test_values_are_sums_over_all_histories(spec: str, seed: int, known: bool) -> None:
    rng, rate = np.random.default_rng(seed), 0.9
    scenario, role = lottery(rng, 4, 3, known), Role(seed % 2)
    made: list[Callable[[bool], Histories | TableAnswerer]]
    if spec == TABLE:
        policy, plans = stack(scenario, role, rng)
        made = [partial(TableAnswerer, scenario, role.other, policy)]
    else:
        player = strategy(spec)
        plans = [plan_of(player)] * scenario.n_tables(role)
        kinds = {player.memory or WHOLE, WHOLE}
        made = [partial(Histories, scenario, role, player.support, kind) for kind in kinds]
    table, others = stack(scenario, role.other, rng)
    best = interim(scenario, role.other, plans, rate, None)
    own = interim(scenario, role, others, rate, plans)
    opposed = interim(scenario, role.other, plans, rate, others)
    for opener in Role:
        for make in made:
            opened = opener is role
            asked = make(not opened if spec == TABLE else opened)
            reply, most = fixed_reply(scenario, role, asked, rate, opened)
            earned = AutomatonPlay(reply, asked).values(role.other, rate)
            assert earned @ scenario.chances(role) == pytest.approx(best[opener], abs=1e-12)
            assert most == pytest.approx(best[opener], abs=1e-12)
            meeting = AutomatonPlay(table_automaton(scenario, role, asked, table, opened), asked)
            earned = meeting.values(role, rate)
            found = scenario.chances(role.other) @ earned
            assert found == pytest.approx(own[opener], abs=1e-12)
            earned = meeting.values(role.other, rate)
            assert earned @ scenario.chances(role) == pytest.approx(opposed[opener], abs=1e-12)


def test_a_memory_is_asked_once() -> None:
    """The key of its kind of memory makes a player answer fewer questions."""
    player, hidden = strategy("tit-for-tat"), Scenario.of("hidden")
    numbers = [
        Histories(hidden, Role.SELLER, player.support, kind, False).n_memories(4)
        for kind in (player.memory, WHOLE)
    ]
    assert numbers[0] < 100 < numbers[1]


def test_too_many_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "MAX_HISTORIES", 1000)
    with pytest.raises(BadInputError, match="at most 1,000 histories"):
        Histories(Scenario.of("fine"), Role.BUYER, strategy("micro").support, WHOLE, True)
