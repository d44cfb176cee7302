"""The answers of players without a table, counted by decision as a session sees them."""

from dataclasses import replace

import numpy as np

from negotiation_tui.examination.answers import Answers
from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.spec import Specs
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

    Actions of the table in place of the player do not count.
    """
    aware = scenario.with_opener

    def after(role: Role) -> Answers | None:
        if not has_no_table(specs[role]):
            return None
        none = np.zeros((2, aware.n_rows(role), aware.n_actions), np.int64)
        counted = before[role] or Answers(aware, role, none)
        if played is None:
            return counted
        game = aware.drawn(*map(played.scenario.limit_index, Role)) if aware.hidden else aware
        halves, transcript = counted.halves.copy(), replace(played, scenario=game)
        for n, turn in enumerate(transcript.turns):
            position = transcript.first(n).position
            if position and turn.role is role and turn.state != NO_STATE and not turn.failed:
                halves[0, position.row, turn.action] += 1
        return replace(counted, halves=halves)

    return pair(map(after, Role))
