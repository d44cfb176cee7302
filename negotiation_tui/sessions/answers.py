"""The answers of players without a table, counted by decision as a session sees them."""

from dataclasses import replace

import numpy as np

from negotiation_tui.examination.answers import Answers
from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role, States, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.checkpoint import Specs
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.strategies.registry import STRATEGIES

AnswersOfBoth = tuple[Answers | None, Answers | None]


def has_no_table(spec: str | None) -> bool:
    """True for a program and any other player whose answers may depend on the history."""
    rule = STRATEGIES.get((spec or PERSON).partition(":")[0])
    return spec not in {None, PERSON} and (rule is None or "history" in rule.depends_on)


def answers_after(
    before: AnswersOfBoth, scenario: Scenario, specs: Specs, played: Transcript | None = None
) -> AnswersOfBoth:
    """Return the answers of each player without a table, with those of a negotiation.

    Actions of the table in place of a player are no answers. States also tell who opened.
    """
    asked = [role for role in Role if has_no_table(specs[role])]
    if not asked:
        return None, None
    aware = replace(scenario, states=States.OPENER_AWARE)
    if played:
        limits = map(played.scenario.limit_index, Role)
        played = replace(played, scenario=aware.drawn(*limits) if aware.hidden else aware)

    def of(role: Role) -> Answers | None:
        if role not in asked:
            return None
        shape, counted = (2, aware.n_rows(role), aware.n_actions), before[role]
        halves = np.zeros(shape, np.int64) if counted is None else counted.halves.copy()
        for n, turn in enumerate(played.turns if played else ()):
            if played and turn.role is role and turn.state != NO_STATE and not turn.failed:
                position = played.first(n).position
                assert position is not None
                halves[0, position.row, turn.action] += 1
        return Answers(aware, role, halves)

    return pair(map(of, Role))
