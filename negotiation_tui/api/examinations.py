"""The examination of one player, for notebooks and scripts."""

from collections.abc import Iterable

from negotiation_tui.examination import examine as examination
from negotiation_tui.examination.cassette import SUFFIX
from negotiation_tui.examination.defaults import ASK, MINUTES, OPPONENTS
from negotiation_tui.examination.examine import Examination
from negotiation_tui.examination.results import Setup
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.runtime.validate import integer, number
from negotiation_tui.solvers.subgame_perfect import DISCOUNT

__all__ = ["Examination", "examine"]


def examine(
    player: Occupant | str,
    scenario: ScenarioLike = "original",
    role: Role | str | None = None,
    *,
    ask: int = ASK,
    minutes: float = MINUTES,
    seed: int = 0,
    discount_rate: float = DISCOUNT,
    against: Iterable[str] = OPPONENTS,
    cassette: str | None = None,
) -> Examination:
    """Examine a player, as `negotiation-tui examine` does; `role` None means both.

    `against` names the opponents of the regret. A program, `cmd:PROGRAM ARGUMENTS`, is asked `ask`
    times in each decision that it can reach, for at most some `minutes`; its lines are saved to
    `cassette`. The name of a cassette repeats its examination, with all settings. Any other player
    hands over its probabilities.
    """
    if isinstance(player, str) and player.endswith(SUFFIX):
        return examination.examine_cassette(player)
    roles = tuple(Role) if role is None else (Role.of(role),)
    number("minutes", minutes, 0, 10**6)
    number("discount_rate", discount_rate, 0, 1)
    settings = integer("ask", ask, 2, 10**9), minutes, integer("seed", seed, 0), discount_rate
    setup = Setup("", Scenario.of(scenario), roles, *settings, tuple(against))
    return examination.examine(player, setup, cassette)
