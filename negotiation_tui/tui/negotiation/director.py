"""The director of the pace `story`: it chooses what the screen shows next. Pure.

Slow while there is something to tell: a fact becomes the caption, and one negotiation shows it. On
a narrow screen a caption has pages, one after the other.
Cycles without news pass quickly, and the last negotiation stays on the bar.
"""

from collections.abc import Iterable
from dataclasses import replace

from negotiation_tui.sessions.commands import Play, PlayCycle, Tell
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.widgets.motion import reading

QUICK = 0.25
"""Seconds for cycles without news."""
LATE = 5
"""Cycles after which a caption makes room, of trainings whose cycles pass one at a time."""
AT_ONCE = 10_000
"""Negotiations of the longest cycle that passes at once; others leave time for keys."""
QUICKEST = 120
"""Cycles of the longest training whose cycles without news pass one at a time."""


def directs(model: Model) -> bool:
    """True if the director chooses what comes next in the present."""
    learns = None in model.latest.strategies and not model.latest.recording
    return model.pace.directed and model.live and learns


def direct(model: Model) -> Model:
    """Ask for what comes next, once the last negotiation was shown for long enough."""
    latest, playback = model.latest, model.playback
    if model.waiting:
        return model
    page = playback.page + 1 if playback else 0
    if playback and page < len(model.caption_pages):
        hold = model.now + reading(model.caption_pages[page])
        return replace(model, playback=replace(playback, page=page, hold=hold))
    later = replace(model, playback=playback and replace(playback, hold=model.now + QUICK))
    if latest.per_second is not None:  # a long cycle is played in steps
        return later
    fact = next((fact for fact in latest.news if fact.cycle == _cycles(latest)), None)
    if fact is not None or latest.finished or playback is None:
        return replace(model.send(Tell(fact) if fact else Play()), reveal=1)
    long, several = latest.parameters.episodes > AT_ONCE, latest.parameters.cycles // QUICKEST
    cycles = [PlayCycle(in_steps=True)] if long else [PlayCycle()] * max(1, several)
    return later.send(*cycles)


def caption(model: Model) -> Fact | None:
    """Return the fact that the caption tells, in the past the newest of then; None without."""
    if model.past.shown:
        found = [fact for fact in model.latest.found if fact.cycle <= _cycles(model.past.shown)]
        if passed := _still_true(model, found):
            return next(fact for fact in passed if fact.cycle == passed[-1].cycle)
    if None not in model.snapshot.strategies:
        return None
    told = next(iter(_still_true(model, filter(None, [model.snapshot.caption]))), None)
    news = _still_true(model, model.snapshot.news)
    if not news:
        return told
    present = told is not None and told.cycle == news[0].cycle
    return told if directs(model) and (model.running or present) else news[0]


def _still_true(model: Model, facts: Iterable[Fact]) -> list[Fact]:
    return [fact for fact in facts if not (fact.at_first and model.snapshot.negotiations)]


def is_late(model: Model, fact: Fact) -> bool:
    """True if a fact is of cycles ago, so that the state of the training says more."""
    late = max(LATE, model.latest.parameters.cycles // QUICKEST * LATE)
    return model.live and _cycles(model.snapshot) - fact.cycle > late


def _cycles(snapshot: Snapshot) -> int:
    return snapshot.negotiations // snapshot.parameters.episodes
