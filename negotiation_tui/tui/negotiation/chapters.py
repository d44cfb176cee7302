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
    found = latest.story.found
    return tuple(
        Chapter(fact, _moment(model, fact), told.get(fact))
        for fact in found
        if fact in told or _passed(model, fact)
    )


def marks(model: Model) -> Sequence[int]:
    """Return the moments of the sentences that the training told, for the time line."""
    found = model.latest.story.found
    return sorted({_moment(model, fact) for fact in found if _passed(model, fact)})


def _moment(model: Model, fact: Fact) -> int:
    latest = model.latest
    return min(fact.cycle * latest.parameters.episodes, latest.negotiations)


def _passed(model: Model, fact: Fact) -> bool:
    """True if a fact of the training was told, or passed untold at a fast pace."""
    return not (fact.at_first or (model.pace.directed and fact in model.latest.story.news))


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
