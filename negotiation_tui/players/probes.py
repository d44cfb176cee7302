"""Asking a strategy in many positions, and putting into words where and what it chose."""

import operator
from collections.abc import Callable, Sequence
from hashlib import sha256

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.external_policy import ExternalPolicy
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.players.user_strategy import UserStrategy, failure, file_of, line_of
from negotiation_tui.solvers.subgame_perfect import DISCOUNT
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.registry import STRATEGIES

SAMPLES = 8
"""Positions of each role, opener and number of offers in a short scenario."""
MOST = 160
"""Positions of each role and opener in a long one, about."""
Asked = Callable[[Position], Sequence[int]]
Answer = tuple[int, ...] | str
"""What was chosen, or in words why nothing was."""


def positions(scenarios: Sequence[Scenario], seed: int) -> list[Position]:
    """Positions of both roles in each scenario, after offers inside the ranges."""
    rng = np.random.default_rng(seed)
    found = []
    for scenario in scenarios:
        plies = 2 * scenario.rounds
        times = SAMPLES if plies * SAMPLES <= MOST else max(1, MOST // plies)
        for role in Role:
            for n in range(plies):
                drawn = _offers(scenario, role, n, times if n else 1, rng)
                found += [_position(scenario, role, actions) for actions in drawn]
    return found


def _offers(
    scenario: Scenario, role: Role, n: int, times: int, rng: np.random.Generator
) -> list[list[int]]:
    """So many times n offers, drawn at once, the last by the other role."""
    actions = [scenario.offers(mover) for mover in (role, role.other)]
    ends = [actions[(n - k) % 2] for k in range(n)]
    drawn = rng.integers([held.start for held in ends], [held.stop for held in ends], (times, n))
    found: list[list[int]] = drawn.tolist()
    return found


def _position(scenario: Scenario, role: Role, drawn: Sequence[int]) -> Position:
    """A role's position after the offers that these actions are."""
    offers, n = tuple(scenario.prices[action] for action in drawn), len(drawn)
    own, on_table = (offers[-2] if n > 1 else None), (offers[-1] if n else None)
    return Position(scenario, role, max(0, n - 1) // 2, own, on_table, n % 2 == 0, offers)


def held_in(words: str) -> Strategy:
    """The strategy that words describe; BadInputError for the learner."""
    held = strategy_from_spec(words)
    if held is None:
        raise BadInputError("strategy 'learned' learns and has no rule: name another")
    return held


def asker(rule: Strategy) -> Asked:
    """How to ask a strategy; a best response is asked what it answers a random player."""
    if not rule.needs_opponent:
        return rule.support
    formed: dict[tuple[Scenario, Role], ReadyPlayer] = {}

    def choices(position: Position) -> Sequence[int]:
        scenario, role = position.scenario, position.role
        if (scenario, role) not in formed:
            formed[scenario, role] = rule.ready(scenario, role, STRATEGIES["random"], DISCOUNT)
        return formed[scenario, role].support(position)

    return choices


def answer(rule: Strategy, asked: Asked, position: Position) -> Answer:
    """What it chooses there, the error in a line where it fails.

    Raises BadInputError where a saved table cannot say: that is no fault of its choices.
    """
    try:
        return tuple(operator.index(action) for action in asked(position))
    except (Exception, SystemExit) as error:
        if isinstance(rule, SavedTable):
            raise
        if isinstance(rule, ExternalPolicy):
            return str(error)
        return str(failure(error, file_of(rule), line_of(rule, "support")))


def where(position: Position) -> str:
    """A position in words."""
    offers = " ".join(map(str, position.offers)) or "no offer"
    return f"the {position.role} in {position.scenario.name} after {offers}"


def told(position: Position, answer: Answer) -> str:
    """An answer in words."""
    if isinstance(answer, str):
        return answer
    n, label = position.scenario.n_actions, position.scenario.action_label
    return "|".join(label(a) if 0 <= a < n else str(a) for a in answer) or "no action"


def fingerprint(job: tuple[str, tuple[Scenario, ...], int]) -> str:
    """What words answer in the positions of some scenarios and a seed, in short."""
    words, scenarios, seed = job
    held = held_in(words)
    rule = held.within if isinstance(held, UserStrategy) else held
    ask = asker(rule)
    return digest([answer(rule, ask, position) for position in positions(scenarios, seed)])


def digest(found: list[Answer]) -> str:
    """Answers in short, the same in every process."""
    return sha256(repr(found).encode()).hexdigest()
