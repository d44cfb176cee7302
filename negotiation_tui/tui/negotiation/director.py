"""The director of the story: what is asked of the session next. Pure.

When it may be asked for is in the timetable of the negotiation on the bar (`playback.timetable`).
"""

from negotiation_tui.sessions.commands import Play, PlayCycle, Tell
from negotiation_tui.sessions.snapshot import Snapshot

AT_ONCE = 10_000
"""Negotiations of the longest cycle that passes at once; others leave time for keys."""
QUICKEST = 120  # cycles of the longest training whose cycles without news pass one at a time


def next_of(latest: Snapshot, skips: bool = False) -> tuple[Tell | Play | PlayCycle, ...]:
    """Return the commands for the story's next game, or for the cycles without news before it.

    The opening is left out if it `skips`.
    """
    parameters, begun = latest.parameters, skips or latest.negotiations > 0
    cycle = latest.negotiations // parameters.episodes
    news = (fact for fact in latest.story.news if not (fact.at_first and begun))
    fact = next((fact for fact in news if fact.cycle == cycle), None)
    if fact is not None:
        return (Tell(fact),)
    learns = latest.opens or None in latest.seating.strategies
    if latest.finished or not learns or latest.seating.has_program:
        return (Play(),)
    if parameters.episodes > AT_ONCE:
        return (PlayCycle(in_steps=True),)
    return (PlayCycle(),) * max(1, parameters.cycles // QUICKEST)
