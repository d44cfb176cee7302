"""Call a strategy in many positions, and describe the positions and its answers."""

import operator
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import product

import numpy as np

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.external_policy import ExternalPolicy
from negotiation_tui.players.resolve import strategy_from_spec
from negotiation_tui.players.saved_table import SavedTable
from negotiation_tui.players.user_strategy import UserStrategy, failure, file_of, line_of
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.solvers.subgame_perfect import DISCOUNT
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.registry import STRATEGIES

SAMPLES = 8
"""Positions per role, opener and number of offers in a short scenario."""
MAX_SAMPLES = 160
"""Approximate number of positions per role and opener in a long scenario."""
Support = Callable[[Position], Sequence[int]]
Answer = tuple[int, ...] | str
"""The actions returned, or the error."""


def positions(scenarios: Sequence[Scenario], seed: int) -> list[Position]:
    """Return positions of both roles in each scenario, after random offers inside the ranges.

    With hidden limits there are some for each limit of the role.
    """
    rng = np.random.default_rng(seed)
    sampled = []
    for scenario in scenarios:
        plies = 2 * scenario.rounds
        times = SAMPLES if plies * SAMPLES <= MAX_SAMPLES else max(1, MAX_SAMPLES // plies)
        for role in Role:
            views = scenario.views[role]
            each = max(1, times // len(views))
            for view, n in product(views, range(plies)):
                offers = _offers(view, role, n, each if n else 1, rng)
                sampled += [_position(view, role, actions) for actions in offers]
    return sampled


def _offers(
    scenario: Scenario, role: Role, n: int, times: int, rng: np.random.Generator
) -> list[list[int]]:
    """Draw `times` sequences of `n` actions; the other role makes the last offer of each."""
    actions = [scenario.offers(mover) for mover in (role, role.other)]
    ranges = [actions[(n - k) % 2] for k in range(n)]
    low, high = [each.start for each in ranges], [each.stop for each in ranges]
    sequences: list[list[int]] = rng.integers(low, high, (times, n)).tolist()
    return sequences


def _position(scenario: Scenario, role: Role, actions: Sequence[int]) -> Position:
    """Return a role's position after these offers."""
    offers, n = tuple(scenario.prices[action] for action in actions), len(actions)
    own, standing = (offers[-2] if n > 1 else None), (offers[-1] if n else None)
    return Position(scenario, role, max(0, n - 1) // 2, own, standing, n % 2 == 0, offers)


def rule_of(spec: str) -> Strategy:
    """Return the strategy of a spec. Raise BadInputError for the learner."""
    strategy = strategy_from_spec(spec)
    if strategy is None:
        raise refusal("strategy", spec, "a strategy with a rule")
    return strategy


def unguarded(strategy: Strategy) -> Strategy:
    """Return the user's own strategy inside a `UserStrategy`; any other as it is."""
    return strategy.strategy if isinstance(strategy, UserStrategy) else strategy


def support_of(rule: Strategy) -> Support:
    """Return the `support` of a strategy, or of its response to random play if it needs one."""
    if not rule.needs_opponent:
        return rule.support
    players: dict[tuple[Scenario, Role], ReadyPlayer] = {}

    def support(position: Position) -> Sequence[int]:
        scenario, role = position.scenario.origin, position.role
        if (scenario, role) not in players:
            players[scenario, role] = rule.ready(scenario, role, STRATEGIES["random"], DISCOUNT)
        return players[scenario, role].support(position)

    return support


def answer(rule: Strategy, support: Support, position: Position) -> Answer:
    """Return the actions played in a position, or the error in one line.

    Raises BadInputError if a saved table does not fit the scenario: its actions are not at fault.
    """
    try:
        return tuple(operator.index(action) for action in support(position))
    except (Exception, SystemExit) as error:
        if isinstance(rule, SavedTable):
            raise
        if isinstance(rule, ExternalPolicy):
            return str(error)
        return str(failure(error, file_of(rule), line_of(rule, "support")))


def position_text(position: Position) -> str:
    """Describe a position."""
    offers = " ".join(map(str, position.offers)) or "no offer"
    origin = position.scenario.origin
    limit = f" with the limit {position.limit}" if origin.limits[position.role] else ""
    return f"the {position.role}{limit} in {origin.name} after {offers}"


def answer_text(position: Position, answer: Answer) -> str:
    """Describe an answer."""
    if isinstance(answer, str):
        return answer
    n, label = position.scenario.n_actions, position.scenario.action_label
    return "|".join(label(a) if 0 <= a < n else str(a) for a in answer) or "no action"


def fingerprint(job: tuple[str, tuple[Scenario, ...], int]) -> str:
    """Return the digest of the answers of a spec's strategy; the job is (spec, scenarios, seed)."""
    spec, scenarios, seed = job
    rule = unguarded(rule_of(spec))
    support = support_of(rule)
    return digest([answer(rule, support, position) for position in positions(scenarios, seed)])


def digest(answers: list[Answer]) -> str:
    """Return a hash of the answers that is equal in every process."""
    return sha256(repr(answers).encode()).hexdigest()
