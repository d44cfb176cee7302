"""The examination of one player, for notebooks and scripts."""

from collections.abc import Iterable

from negotiation_tui.examination import examine as examination
from negotiation_tui.examination.defaults import ASK, MINUTES, OPPONENTS
from negotiation_tui.examination.examine import Examination
from negotiation_tui.examination.results import ExamSetup
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.learning.algorithms.base import Occupant

__all__ = ["Examination", "examine"]


def examine(
    player: Occupant | str,
    scenario: ScenarioLike = "original",
    role: Role | str | None = None,
    *,
    ask: int = ASK,
    minutes: float = MINUTES,
    seed: int = 0,
    discount_rate: float | None = None,
    against: Iterable[str] = OPPONENTS,
    cassette: str | None = None,
) -> Examination:
    """Examine a player, as `negotiation-tui examine` does; `role` None means both.

    `against` names the opponents of the regret. A program, `cmd:PROGRAM ARGUMENTS`, is asked `ask`
    times in each decision that it can reach, for at most some `minutes`; its lines are saved to
    `cassette`. The name of a cassette repeats its examination, with all settings. Any other player
    hands over its probabilities. If the scenario has talk, a program is also asked after words of
    the other side. Raises BadInputError if that takes longer, or for a program that
    gave too few answers.
    """
    roles = tuple(Role) if role is None else (Role.of(role),)
    game = Scenario.of(scenario)
    settings = roles, ask, minutes, seed, game.discount(discount_rate), tuple(against)
    setup = ExamSetup("", game, *settings)
    return examination.examine(player, setup, cassette)
