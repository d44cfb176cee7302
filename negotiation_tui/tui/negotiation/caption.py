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
    if model.parent or shown is None:
        return None
    if snapshot.told or None not in snapshot.seating.strategies or (model.live and not shown.test):
        return snapshot.told
    story = snapshot.story
    found = (fact for fact in story.found if fact.cycle > story.others and not fact.at_first)
    return next((fact for fact in found if fact.cycle == snapshot.cycle), None)


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
    if model.human_playing:
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
    page = min(page_of_caption(model), len(pages) - 1)
    canvas.write(0, 1, "▸", "focus")
    for y, line in enumerate(pages[page].splitlines()):
        canvas.write(y, 3, line, "bold")


def page_of_caption(model: Model) -> int:
    return model.playback.page if model.playback else 0
