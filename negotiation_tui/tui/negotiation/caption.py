"""The sentence below the price bar: words of players, a person's score, a fact, or the state. Pure.

`time_travel` chooses a fact and asks for it by `Tell`; the session's `Narrator` notes it, and
forgets it when `TrainingSession` takes other players or more cycles.
"""

import textwrap

from negotiation_tui.runtime.text import fitting, shortened
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.tui.negotiation.human_controls import running
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.learning import summary
from negotiation_tui.tui.negotiation.words import said
from negotiation_tui.tui.toolkit.canvas import Canvas


def caption(model: Model) -> Fact | None:
    """Return the fact that the game shown tells, or one of its cycle; None without, or what if."""
    snapshot, shown = model.snapshot, model.playback.negotiation if model.playback else None
    story, past = snapshot.story, model.past.shown is not None
    if model.origin or shown is None:
        return None
    if story.caption is not None and story.number == shown.number:
        return story.caption
    if None not in snapshot.seating.strategies or not (past or shown.test):
        return None
    found = (fact for fact in story.found if fact.cycle > story.others and not fact.at_first)
    return next((fact for fact in found if fact.cycle == model.cycle), None)


def draw_words(canvas: Canvas, model: Model) -> None:
    """Draw what was said last, on as many lines as there are."""
    if model.playback and (spoken := said(model.playback.shown)):
        role, words = spoken
        text, room = f"{role}: {words}", canvas.width - 2
        canvas.tell("event", text)
        lines = textwrap.wrap(text, room, max_lines=canvas.height, placeholder=" …")
        for y, line in enumerate(lines):
            canvas.write(y, 1, line, str(role))


def draw_caption(canvas: Canvas, model: Model) -> None:
    """Draw what a program said, the score of a person, the newest fact, or else the state."""
    room = canvas.width - 4
    above = "words" in model.layout().lines
    if not above and model.playback and (spoken := said(model.playback.shown)):
        role, words = spoken
        canvas.tell("event", f"{role}: {words}")
        canvas.write(0, 1, shortened(f"{role}: {words}", canvas.width - 2), str(role))
        return
    if model.latest.score is not None and model.in_present:
        canvas.write(0, 1, "▸", "focus")
        canvas.write(0, 3, text := fitting(running(model, room), room), "bold")
        canvas.tell("score", text)
        return
    fact = caption(model)
    if fact is None:
        canvas.write(0, 1, text := fitting(summary(model), canvas.width - 2))
        canvas.tell("state", text)
        return
    pages = model.pages_of(fact)
    canvas.tell("event", *(page.replace("\n", " ") for page in pages))
    page = page_of_caption(model) if fact is snapshot_caption(model) else 0
    canvas.write(0, 1, "▸", "focus")
    for y, line in enumerate(pages[page].splitlines()):
        canvas.write(y, 3, line, "bold")


def snapshot_caption(model: Model) -> Fact | None:
    return model.snapshot.story.caption


def page_of_caption(model: Model) -> int:
    """Return the page of the caption that is told; a slow turn shows its own pages, in turn."""
    playback, last = model.playback, len(model.caption_pages) - 1
    if playback is None:
        return 0
    if not (playback.reads and playback.visible) or playback.over:
        return min(playback.page, last)
    passed = (playback.now - playback.since) / playback.reads[playback.visible - 1]
    return min(last, max(0, int(passed * (last + 1))))
