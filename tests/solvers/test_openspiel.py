"""NashConv equals that of OpenSpiel (Lanctot et al. 2019), with and without hidden limits."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, untrained_policy
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.subgame_perfect import DISCOUNT
from tests.support.mixed import random_policy

pyspiel = pytest.importorskip("pyspiel")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")
spiel_policy = pytest.importorskip("open_spiel.python.policy")


def side(low: int, high: int, reservation: int | None = None) -> dict[str, object]:
    stated = {} if reservation is None else {"reservation": reservation}
    return {"min": low, "max": high, **stated}


# Prices, rounds, seller and buyer.
KNOWN = [
    ([1, 2], 1, side(1, 2), side(1, 2)),
    ([2, 3, 5, 9], 2, side(3, 9, 2), side(2, 5, 7)),
    ([1, 2, 3], 2, side(2, 3), side(1, 1)),  # apart
    ([1, 2, 3], 2, side(1, 3, 2), side(1, 2, 3)),  # losses
]
HIDDEN = [
    ([1, 2, 3], 2, {"limits": [0, 1], "weights": [2, 1]}, {"limits": [2, 3]}),
    ([1, 2], 2, {"limits": [0, 2]}, {"limits": [1, 2, 3]}),
    ([2, 4], 3, {"limits": [1, 4]}, side(0, 4)),
    ([1, 2, 3], 1, {"limits": [2, 3]}, {"limits": [1, 2]}),
]
KINDS = "untrained", "random", "ties", "weights"


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
        elif moves and moves[-1] >= self.scenario.n_prices:
            seller, buyer = self._rewards(limits, moves)
            yield f't "" {next(self._ends)} "" {{ {seller}, {buyer} }}'
        else:
            role = self.opener if len(moves) % 2 == 0 else self.opener.other
            seen, legal = (*limits[role : role + 1], *moves), self._legal(role, limits, moves)
            number = self._sets[role].setdefault(seen, len(self._sets[role]) + 1)
            self.positions[role, number] = self._position(role, limits, moves)
            labels = " ".join(f'"{role:d} {number} {action}"' for action in legal)
            yield f'p "" {role + 1} {number} "" {{ {labels} }} 0'
            for action in legal:
                yield from self._nodes(limits, [*moves, action])

    def _view(self, role: Role, limits: list[int]) -> Scenario:
        return self.scenario.views[role][limits[role]] if limits else self.scenario

    def _legal(self, role: Role, limits: list[int], moves: list[int]) -> list[int]:
        offers = self._view(role, limits).offers(role)
        found = list(offers) if len(moves) < 2 * self.scenario.rounds - 1 else []
        if moves:
            found += [self.scenario.n_prices] if moves[-1] in offers else []
            found += [self.scenario.n_prices + 1]
        return found

    def _rewards(self, limits: list[int], moves: list[int]) -> list[float]:
        if moves[-1] > self.scenario.n_prices:
            return [0.0, 0.0]
        price, n = self.scenario.prices[moves[-2]], len(moves)
        made = {self.opener: (n + 1) // 2, self.opener.other: n // 2}
        return [
            self.rate ** (made[role] - 1) * self._view(role, limits).reward(role, price)
            for role in Role
        ]

    def _position(self, role: Role, limits: list[int], moves: list[int]) -> Position:
        """Return the position of the mover; own earlier offers do not matter to its table."""
        price = self.scenario.prices[moves[-1]] if moves else None
        time, opened = max(0, len(moves) - 1) // 2, role is self.opener
        return Position(self._view(role, limits), role, time, None, price, opened)

    def played_by(self, policies: list[TabularPolicy]) -> Any:
        """Return both policies as one of OpenSpiel's."""

        def chances(state: Any) -> dict[int, float]:
            found = {}
            for action in state.legal_actions():
                role, number, ours = map(int, state.action_to_string(action).split())
                policy, position = policies[role], self.positions[role, number]
                found[action] = float(policy.probabilities[policy.row(position), ours])
            return found

        return spiel_policy.tabular_policy_from_callable(self.game, chances)


def policy(scenario: Scenario, role: Role, kind: str) -> TabularPolicy:
    """A policy of a kind; of the weights some are 0."""
    rng = np.random.default_rng(len(kind) + scenario.n_prices + role)
    shape = scenario.n_rows(role), scenario.n_actions
    match kind:
        case "weights":
            return random_policy(scenario, role, rng)
        case "ties":
            return greedy(scenario, role, rng.integers(0, 2, shape) / 2)
        case "random":
            return greedy(scenario, role, rng.normal(size=shape))
    return untrained_policy(scenario, role)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("states", States)
@pytest.mark.parametrize("rate", [1.0, DISCOUNT])
@pytest.mark.parametrize("rules", [*KNOWN, *HIDDEN])
def test_open_spiel_finds_the_same(
    rules: tuple[list[int], int, dict[str, object], dict[str, object]],
    rate: float,
    states: States,
    kind: str,
) -> None:
    names = "prices", "rounds", "seller", "buyer"
    scenario = Scenario.from_dict({**dict(zip(names, rules, strict=True)), "states": states})
    (seller, buyer), totals = (policy(scenario, role, kind) for role in Role), []
    for opener in Role:
        tree = Tree(scenario, opener, rate)
        both = tree.played_by([seller, buyer])
        # Their nash_conv is the sum of these gains, from best responses found once more.
        theirs = [exploitability.best_response(tree.game, both, int(role)) for role in Role]
        gains = [best["nash_conv"] for best in theirs]
        ours = nash_conv(replace(scenario, opener=Opener.of(opener)), seller, buyer, rate)
        assert ours.total == pytest.approx(sum(gains), abs=1e-9)
        assert ours.exploitability == pytest.approx(tuple(gains), abs=1e-9)
        for role, best in zip(Role, theirs, strict=True):
            found = best_response(scenario, role, (seller, buyer)[role.other], rate).values[opener]
            assert found == pytest.approx(best["best_response_value"], abs=1e-9)
            assert ours.values[role] == pytest.approx(best["on_policy_value"], abs=1e-9)
        totals.append(sum(gains))
    ours = nash_conv(replace(scenario, opener=Opener.ALTERNATE), seller, buyer, rate)
    assert ours.total == pytest.approx(np.mean(totals), abs=1e-9)
