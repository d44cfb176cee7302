"""The chapters of the story: the sentences so far, each of a moment to go back to. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.tui.negotiation import time_travel
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit.timeline import ALL, stop

CHAPTERS = "chapters"  # name of the box
_NONE = "no sentence of the story yet"


class Chapter(NamedTuple):
    """A sentence of the story, its moment, and the game that told it if the bar remembers it."""

    fact: Fact
    moment: int
    shown: Snapshot | None


def chapters(model: Model) -> tuple[Chapter, ...]:
    """Return the chapters in their order; the opening has those alone that the bar remembers."""
    latest = model.latest
    told = {each.told: each for each in model.history.entries if each.told}
    every = (
        Chapter(fact, min(fact.cycle * latest.parameters.episodes, latest.negotiations), shown)
        for fact in latest.story.found
        for shown in [told.get(fact)]
    )
    untold = latest.story.news if model.pace.directed else ()
    return tuple(
        each for each in every if each.shown or not (each.fact.at_first or each.fact in untold)
    )


def marks(model: Model) -> Sequence[int]:
    """Return the moments of the sentences that the training told, for the time line."""
    story, per = model.latest.story, model.latest.parameters.episodes
    news = story.news if model.pace.directed else ()
    told = (each for each in story.found if not (each.at_first or each in news))
    return sorted({each.cycle * per for each in told})


def open_chapters(model: Model) -> Model:
    """Open or close the list, with the newest chapter marked up to the moment on the screen."""
    if model.modal == CHAPTERS:
        return replace(model, modal=None)
    found, at = chapters(model), model.here.course.now
    if not found:
        return model.with_message(_NONE)
    passed = sum(each.moment <= at for each in found)
    return replace(stop(model), modal=CHAPTERS, modal_row=max(0, passed - 1))


def chapter_lines(model: Model) -> tuple[str, ...]:
    course = model.latest.course
    lines = ((course.named(each.moment), " ".join(each.fact.says)) for each in chapters(model))
    return tuple(f"{when:<10}  {sentence}" for when, sentence in lines)


def go_to_chapter(model: Model) -> Model:
    """Go to the moment of the marked chapter."""
    found = chapters(model)
    chosen, model = found[min(model.modal_row, len(found) - 1)], replace(model, modal=None)
    if chosen.shown is None:
        return replace(time_travel.go_to(model, chosen.moment), message="")  # the sentence stands
    return replace(model, wish=None).arrive(chosen.shown, ALL)
