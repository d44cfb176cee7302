"""Players that remember the offers, against sums over all histories."""

import numpy as np
import pytest

from negotiation_tui import BadInputError, Position, Role, Scenario, Strategy, strategy
from negotiation_tui.examination.reply import AutomatonPlay, fixed_reply, table_automaton
from negotiation_tui.solvers import histories
from negotiation_tui.solvers.histories import WHOLE, Histories
from tests.support.lotteries import interim, lottery, stack
from tests.support.plans import Plan

SPECS = [
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
@pytest.mark.parametrize("seed", range(3))
def test_values_are_sums_over_all_histories(spec: str, seed: int, known: bool) -> None:
    rng, player = np.random.default_rng(seed), strategy(spec)
    scenario, role, rate = lottery(rng, 4, 3, known), Role(seed % 2), 0.9
    plans = [plan_of(player)] * scenario.n_tables(role)
    table, others = stack(scenario, role.other, rng)
    best = interim(scenario, role.other, plans, rate, None)
    own = interim(scenario, role, others, rate, plans)
    for opener in Role:
        for kind in {player.memory or WHOLE, WHOLE}:
            opened = opener is role
            asked = Histories(scenario, role, player.support, kind, opened)
            reply, most = fixed_reply(scenario, role, asked, rate, opened)
            earned = AutomatonPlay(reply, asked).values(role.other, rate)
            assert earned @ scenario.chances(role) == pytest.approx(best[opener], abs=1e-12)
            assert most == pytest.approx(best[opener], abs=1e-12)
            meeting = AutomatonPlay(table_automaton(scenario, role, asked, table, opened), asked)
            earned = meeting.values(role, rate)
            found = scenario.chances(role.other) @ earned
            assert found == pytest.approx(own[opener], abs=1e-12)


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
