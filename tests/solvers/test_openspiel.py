"""NashConv equals that of OpenSpiel (Lanctot et al. 2019), with and without hidden limits."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Opener, Position, Role, Scenario, TabularPolicy
from negotiation_tui.game.roles import pair
from negotiation_tui.solvers.best_response import best_response, nash_conv
from tests.support.lotteries import lottery, stack

pyspiel = pytest.importorskip("pyspiel")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
spiel_policy = pytest.importorskip("open_spiel.python.policy")

EXACT = 1e-12


class Tree:
    """The rules as a tree in Gambit's format, for one opener; the seller is player 1.

    With hidden limits the first two moves are chance's, the limits of both roles.
    """

    def __init__(self, scenario: Scenario, opener: Role, rate: float) -> None:
        self.scenario, self.opener, self.rate = scenario, opener, rate
        self._ends, self._sets = count(1), {role: dict[object, int]() for role in Role}
        self.positions = dict[tuple[int, int], Position]()  # by player and information set
        heading = 'EFG 2 R "negotiation" { "seller" "buyer" }'
        self.game = pyspiel.load_efg_game("\n".join([heading, *self._nodes([], [])]))

    def _nodes(self, limits: list[int], moves: list[int]) -> Iterator[str]:
        if self.scenario.hidden and len(limits) < len(Role):
            chances = self.scenario.chances(Role(len(limits))).tolist()
            drawn = " ".join(f'"{limit}" {chance}' for limit, chance in enumerate(chances))
            yield f'c "" {len(limits) + 1} "" {{ {drawn} }} 0'
            for limit in range(len(chances)):
                yield from self._nodes([*limits, limit], moves)
            return
        game = self.scenario.drawn(*limits) if limits else self.scenario
        if moves and moves[-1] >= game.accept:
            seller, buyer = self._rewards(game, moves)
            yield f't "" {next(self._ends)} "" {{ {seller}, {buyer} }}'
            return
        at = Position.after(game, self.opener, tuple(game.prices[move] for move in moves))
        role, seen = at.role, (*limits[at.role : at.role + 1], *moves)
        number = self._sets[role].setdefault(seen, len(self._sets[role]) + 1)
        self.positions[role, number] = at
        labels = " ".join(f'"{role:d} {number} {action}"' for action in at.legal)
        yield f'p "" {role + 1} {number} "" {{ {labels} }} 0'
        for action in at.legal:
            yield from self._nodes(limits, [*moves, action])

    def _rewards(self, game: Scenario, moves: list[int]) -> list[float]:
        if moves[-1] > game.accept:
            return [0.0, 0.0]
        price, n = game.prices[moves[-2]], len(moves)
        made = {self.opener: (n + 1) // 2, self.opener.other: n // 2}
        return [self.rate ** (made[r] - 1) * game.seen_by(r).reward(r, price, n - 2) for r in Role]

    def played_by(self, policies: list[TabularPolicy]) -> Any:
        def chances(state: Any) -> dict[int, float]:
            found = {}
            for action in state.legal_actions():
                role, number, ours = map(int, state.action_to_string(action).split())
                policy, position = policies[role], self.positions[role, number]
                found[action] = float(policy.probabilities[policy.row(position), ours])
            return found

        return spiel_policy.tabular_policy_from_callable(self.game, chances)


@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
@pytest.mark.parametrize("seed", range(30))
def test_open_spiel_finds_the_same(seed: int, known: bool) -> None:
    """With unequal δ from seed 10 on."""
    rng = np.random.default_rng(seed)
    scenario, rate = lottery(rng, 3, 2, known), float(rng.choice([1.0, 0.99]))
    if seed >= 10:
        unequal = rng.choice([1.0, 0.9, 0.7, 0.3], 2, replace=False)
        scenario = replace(scenario, delta=pair(unequal.tolist()))
    (seller, buyer), totals = (stack(scenario, role, rng)[0] for role in Role), []
    for opener in Role:
        tree = Tree(scenario, opener, rate)
        both = tree.played_by([seller, buyer])
        # Their nash_conv is the sum of these gains, from best responses found once more.
        theirs = [exploitability.best_response(tree.game, both, int(role)) for role in Role]
        gains = [best["nash_conv"] for best in theirs]
        ours = nash_conv(replace(scenario, opener=Opener.of(opener)), seller, buyer, rate)
        assert ours.exploitability == pytest.approx(tuple(gains), abs=EXACT)
        for role, best in zip(Role, theirs, strict=True):
            found = best_response(scenario, role, (seller, buyer)[role.other], rate).values[opener]
            assert found == pytest.approx(best["best_response_value"], abs=EXACT)
            assert ours.values[role] == pytest.approx(best["on_policy_value"], abs=EXACT)
        totals.append(sum(gains))
    ours = nash_conv(replace(scenario, opener=Opener.ALTERNATE), seller, buyer, rate)
    assert ours.total == pytest.approx(np.mean(totals), abs=EXACT)
