"""Check any player of the user's, for the command line and for tests of the user's own."""

from collections.abc import Iterator, Sequence
from functools import partial

from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.players.checks import CheckResult
from negotiation_tui.players.checks.learner import check_learner
from negotiation_tui.players.checks.program import check_program
from negotiation_tui.players.checks.strategy import check_strategy
from negotiation_tui.players.defaults import CHECK_MINUTES
from negotiation_tui.players.resolve import is_learner, spec_of_player
from negotiation_tui.players.spec import is_program


def results_of(
    spec: str, scenarios: Sequence[Scenario] = (), seed: int = 0, minutes: float = CHECK_MINUTES
) -> Iterator[CheckResult]:
    """Yield the result of each check of a player, when it is done."""
    run = check_learner if is_learner(spec) else check_strategy
    if is_program(spec):
        run = partial(check_program, minutes=minutes)
    yield from run(spec, scenarios, seed)


def check(
    player: Occupant | str,
    scenario: ScenarioLike | None = None,
    *,
    seed: int = 0,
    minutes: float = CHECK_MINUTES,
) -> tuple[CheckResult, ...]:
    """Return the result of each check, as `negotiation-tui check` prints them.

    Raises AssertionError with those that fail, and how to mend each. `minutes` bounds the checks of
    a program. Raises BadInputError if there is no such player.
    """
    spec = player if isinstance(player, str) else spec_of_player(player)
    games = () if scenario is None else (Scenario.of(scenario),)
    found = tuple(results_of(spec, games, seed, minutes))
    if failed := [str(each) for each in found if each.broken]:
        raise AssertionError("\n".join([f"{spec}:", *failed]))
    return found
