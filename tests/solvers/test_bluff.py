"""Bluffs, as tables of moves: a seller of limit 0, 1 or 2 asks 0 to 3, a buyer of 1 to 3 offers."""

import numpy as np
import pytest

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.solvers.beliefs import bluff

GAME = Scenario.from_dict(
    {
        "name": "bluffs",
        "prices": [0, 1, 2, 3],
        "rounds": 2,
        "seller": {"limits": [0, 1, 2]},
        "buyer": {"limits": [1, 2, 3]},
    }
)
EQUALLY = (1 / 3, 1 / 3, 1 / 3)
#         0    1    2    3  accept walk away
VALUES = {
    "asks 3": (0.1, 0.2, 0.3, 0.5, 0.4, 0.0),
    "asks 2 or 3": (0.1, 0.2, 0.5, 0.5, 0.4, 0.0),
    "accepts": (0.1, 0.2, 0.3, 0.4, 0.5, 0.0),
    "offers 0": (0.5, 0.4, 0.3, 0.2, 0.1, 0.0),
}
ASK_1, ASK_2, ASK_3, ACCEPT = 1, 2, 3, 4


def position(role: Role, own: int) -> Position:
    """The position of a role that answers 1 in round 1, with its own limit of this index."""
    game = GAME.drawn(own, own)
    return Position(game.seen_by(role), role, 0, None, 1, opened=False, offers=(1,))


def plays(*actions: int) -> np.ndarray:
    """The tables of three limits that each play one action."""
    return np.eye(6)[list(actions)]


@pytest.mark.parametrize(
    ("role", "own", "values", "moves", "held", "limits", "gain"),
    [
        (Role.SELLER, 0, "asks 3", (ASK_1, ASK_2, ASK_3), EQUALLY, (2,), 0.3),
        (Role.SELLER, 0, "asks 3", (ASK_1, ASK_3, ASK_3), EQUALLY, (1, 2), 0.3),
        (Role.SELLER, 0, "asks 3", (ACCEPT, ASK_2, ASK_3), (0.5, 0.0, 0.5), (2,), 0.1),
        (Role.SELLER, 1, "asks 3", (ASK_1, ASK_2, ASK_3), EQUALLY, (2,), 0.2),
        (Role.SELLER, 0, "asks 2 or 3", (ASK_1, ASK_2, ASK_3), EQUALLY, (1, 2), 0.3),
        (Role.BUYER, 2, "offers 0", (0, ASK_1, ASK_2), EQUALLY, (1,), 0.2),
    ],
)
def test_a_bluff_shows_stronger_limits(
    role: Role,
    own: int,
    values: str,
    moves: tuple[int, ...],
    held: tuple[float, ...],
    limits: tuple[int, ...],
    gain: float,
) -> None:
    found = bluff(position(role, own), np.array(VALUES[values]), plays(*moves), np.array(held))
    assert found is not None
    assert found.limits == limits
    assert found.gain == pytest.approx(gain)


@pytest.mark.parametrize(
    ("role", "own", "values", "moves", "held"),
    [
        pytest.param(Role.SELLER, 0, "asks 3", (ASK_3, ASK_3, ASK_3), EQUALLY, id="its own offer"),
        pytest.param(Role.SELLER, 0, "asks 3", (ASK_1, ASK_2, ASK_2), EQUALLY, id="nobody's"),
        pytest.param(Role.SELLER, 2, "asks 3", (ASK_3, ASK_3, ASK_2), EQUALLY, id="weaker limits'"),
        pytest.param(
            Role.SELLER, 0, "asks 3", (ASK_1, ASK_2, ASK_3), (0.5, 0.5, 0.0), id="ruled out"
        ),
        pytest.param(Role.SELLER, 0, "accepts", (ASK_1, ACCEPT, ACCEPT), EQUALLY, id="no offer"),
        pytest.param(
            Role.SELLER, 0, "asks 2 or 3", (ASK_2, ASK_3, ASK_3), EQUALLY, id="as good honestly"
        ),
        pytest.param(Role.BUYER, 0, "offers 0", (ASK_1, 0, 0), EQUALLY, id="a weaker buyer's"),
    ],
)
def test_any_other_best_action_is_none(
    role: Role, own: int, values: str, moves: tuple[int, ...], held: tuple[float, ...]
) -> None:
    at = position(role, own)
    assert bluff(at, np.array(VALUES[values]), plays(*moves), np.array(held)) is None


def test_without_hidden_limits_nobody_bluffs() -> None:
    at = Position(Scenario.original(), Role.SELLER)
    assert bluff(at, np.arange(7.0), np.ones((1, 7)), np.ones(1)) is None
