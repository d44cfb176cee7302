"""The sentence below the price bar: words of players, a person's score, a fact, or the state. Pure.

`time_travel` chooses a fact and asks for it by `Tell`; the session's `Narrator` notes it, and
forgets it when `TrainingSession` takes other players or more cycles.
"""

import textwrap

from negotiation_tui.runtime.text import coins, fitting, money, shortened
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.tui.negotiation.human_controls import running
from negotiation_tui.tui.negotiation.model import BY_RULES, Model
from negotiation_tui.tui.negotiation.panes.learning import summary
from negotiation_tui.tui.negotiation.words import said
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.words import deed

_NEXT = "Next: {toggle} rules or learned · {test} test · {sit} play it yourself"


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
    if fact is None and (update := model.update):
        canvas.tell("event", update.replace("\n", " "))
        for y, line in enumerate(update.splitlines()):
            canvas.write(y, 1, line, "normal" if y else "bold")
        return
    if fact is None:
        text = what_if_line(model) or rules_line(model)
        text = text or fitting(summary(model), canvas.width - 2)
        canvas.write(0, 1, text)
        canvas.tell("state", text)
        canvas.tell("field", "state", f"{model.snapshot.negotiations}")
        return
    pages = model.pages_of(fact)
    canvas.tell("field", "caption", fact.kind, f"{fact.cycle}", "rules" * fact.rules)
    canvas.tell("event", *(page.replace("\n", " ") for page in pages))
    page = min(page_of_caption(model), len(pages) - 1)
    canvas.write(0, 1, "▸", "focus")
    lines = pages[page].splitlines()
    for y, line in enumerate(lines):
        canvas.write(y, 3, line, "bold")
    if model.live and model.latest.finished:
        _draw_next(canvas, model, len(lines), 3 + len(lines[-1]))


def _draw_next(canvas: Canvas, model: Model, rows: int, end: int) -> None:
    """Draw the keys that lead on at the end of a training, below or beside its last sentence."""
    text = model.keys.format(_NEXT)
    y = min(rows, canvas.height - 1)
    if y >= rows or end + 2 + len(text) < canvas.width:
        canvas.write_right(y, f"{text} ", "faint")
        canvas.tell("keys", text)


def plays_rules(model: Model) -> bool:
    """True if two fixed rules sit that are no programs, and a learner can take a seat."""
    latest, seating = model.latest, model.latest.seating
    others = latest.only_games or seating.has_program or latest.score
    return None not in seating.strategies and not others


def rules_line(model: Model) -> str:
    """Say that nobody learns, and which key lets both learn; empty if somebody does."""
    if not (plays_rules(model) and model.live):
        return ""
    return model.keys.format(BY_RULES)


def what_if_line(model: Model) -> str:
    """Compare the end of the what-if on the bar with that of the real game; empty before."""
    playback, parent = model.playback, model.parent
    departs = playback.negotiation.what_if if playback else None
    if playback is None or departs is None or not (parent and playback.over):
        return ""
    shown, real = playback.shown, parent.here.negotiation
    assert real is not None
    turn, played = shown.turns[departs], real.transcript
    outcome = f"{coins(shown.gains[turn.role])} for the {turn.role}"
    if played.over:  # a person may still be at it
        outcome += f"; really: {money(played.gains[turn.role])}"
    return f"If the {turn.role} {deed(turn, shown.scenario)}: {outcome}."


def page_of_caption(model: Model) -> int:
    return model.playback.page if model.playback else 0
