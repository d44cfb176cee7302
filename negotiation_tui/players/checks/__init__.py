"""Check that a player honours its contract; each failure says how to fix it."""

from collections.abc import Iterator, Sequence

from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.checks.check import Check
from negotiation_tui.players.checks.learner import check_learner
from negotiation_tui.players.checks.program import check_program
from negotiation_tui.players.checks.strategy import check_strategy
from negotiation_tui.players.program import is_program
from negotiation_tui.players.resolve import is_learner


def check_player(spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0) -> Iterator[Check]:
    """Run every check of a program, a learner or a strategy, by what the spec names."""
    kinds = (is_program, check_program), (is_learner, check_learner)
    check = next((check for named, check in kinds if named(spec)), check_strategy)
    return check(spec, scenarios, seed)
