"""A mark: how far words alone change the answers of a program, and what that costs it."""

from functools import partial
from typing import NamedTuple

import numpy as np

from negotiation_tui.examination.defaults import OPPONENTS, SENTENCES
from negotiation_tui.examination.elicit import DecisionPoint, Elicited
from negotiation_tui.examination.marks import UNTIMED, Examinee, Names, Timed, opponents
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.estimate import NORMAL_95, Estimate, Rate

NO_WORDS = "nothing"  # what is asked once more, so that answers change by chance alone


class Moved(NamedTuple):
    """The answers that differ from the first pass after a sentence of the other side."""

    name: str
    sentence: str
    changed: int
    asked: int
    bounds: tuple[float, float] | None
    """The 95% interval of the share that changes. None unless all reachable decisions have an
    answer, before and after."""
    cost: Estimate | None
    """The mean loss against the named opponents if they say it with each offer. None if there is no
    table of the answers, before or after, or no time."""


def talk_mark(
    elicited: Elicited, examinee: Examinee | None, names: Names = OPPONENTS, timed: Timed = UNTIMED
) -> tuple[Moved, ...]:
    """Return what each sentence changes, after what changes without one; nothing without talk.

    `examinee` is judged by the answers without words; None if no table stands for them.
    """
    if not elicited.talked:
        return ()
    first, second, _ = elicited.sources
    reachable, said = elicited.reachable, [each for each in elicited.talked if each.heard]
    again = next((each.sources[0] for each in elicited.talked if not each.heard), second)
    found = [_moved(NO_WORDS, "", first, again, reachable <= first.keys() & again.keys())]

    def earned(late: bool, player: Examinee | None) -> Estimate | None:
        """Return the mean earnings against the named opponents, with one standard error."""
        if late or not player:
            return None
        named = opponents(player.scenario, player.role.other, names)
        plays = player.plays([each for _, table in named for each in player.against(table)])
        return player.earned(plays, player.role)

    before = timed(partial(earned, player=examinee))
    for name, each in zip(SENTENCES, said, strict=True):
        cost, after = None, each.sources[0]
        whole = reachable <= first.keys() and each.reachable <= after.keys()
        if examinee and before and whole:
            player = Examinee(each.scenario, each.role, each.answers, examinee.rate)
            if now := timed(partial(earned, player=player)):
                lost = before.minus(now)
                cost = Estimate(lost.mean, NORMAL_95 * lost.error)
        found.append(_moved(name, each.heard, first, after, whole, cost))
    return tuple(filter(None, found))


def _moved(
    name: str,
    sentence: str,
    before: dict[DecisionPoint, list[Floats]],
    after: dict[DecisionPoint, list[Floats]],
    whole: bool,
    cost: Estimate | None = None,
) -> Moved | None:
    """Compare the first answers to each decision but the openings; None if there are none."""
    both = [each for each in before.keys() & after if each.number or not each.opened]
    changed = sum(not np.allclose(before[each][0], after[each][0]) for each in both)
    if not both:
        return None
    bounds = Rate(changed, len(both)).bounds if whole else None
    return Moved(name, sentence, changed, len(both), bounds, cost)
