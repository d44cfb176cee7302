"""Change the tour's model with each message, and draw its screen and panel. Pure."""

from dataclasses import replace
from typing import Any

from negotiation_tui.sessions.tour_session import Keep, Open, TourSnapshot
from negotiation_tui.tui.toolkit.boxes import (
    draw_footer_line,
    draw_message,
    draw_title_line,
    draw_too_small,
    filled,
    wrapped_parts,
)
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.keys import Hint
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Mouse, Published, Resized
from negotiation_tui.tui.toolkit.paned import choose_pane, key_of
from negotiation_tui.tui.tour.lesson import Step, takes_keys
from negotiation_tui.tui.tour.model import TOUR_HEIGHT, TOUR_WIDTH, TourModel
from negotiation_tui.tui.widgets.words import percent

_MARGIN = 2  # blank columns at either side of the text
StyledText = tuple[str, str]  # a text and its style


def render(model: TourModel, canvas: Canvas | None = None) -> Canvas:
    canvas = canvas or Canvas(model.width, model.height, model.options.ascii)
    if model.width < TOUR_WIDTH or model.height < TOUR_HEIGHT:
        draw_too_small(canvas, TOUR_WIDTH, TOUR_HEIGHT, model.keys)
    else:
        if not model.opening:
            inner = replace(model.inner, guesses=model.hides_theory, message="")
            model.lesson.screen.render(inner, canvas.rows(0, inner.height))
        draw_panel(canvas.rows(model.height - model.panel_height, model.height), model)
    return canvas


def draw_panel(canvas: Canvas, model: TourModel) -> None:
    """Draw the panel: the lesson and the score, the text of the step, and the keys."""
    lesson, (right, asked) = model.lesson, model.score
    name = f"Lesson {model.place + 1} of {len(model.lessons)}: {lesson.title}"
    score = f"{right} of {asked} predictions right"
    step = "the end" if model.ended else f"step {model.step + 1} of {len(lesson.steps)}"
    draw_title_line(canvas, step, ((name, score) if asked else (name,), (name,)))
    lines = panel_lines(model)
    canvas.tell("event", " ".join(text for text, style in lines if style != "key"))
    for n, choice in enumerate(model.open_question, 1):
        canvas.tell("event", f"{n}: {model.written(choice)}")
    for y, (text, style) in enumerate(lines[: canvas.height - 2], 1):
        canvas.write(y, _MARGIN, text, style)
    if said := model.hint or model.inner.message:
        draw_message(canvas, said)
    else:
        draw_footer_line(canvas.rows(canvas.height - 1, canvas.height), hints(model))


def panel_lines(model: TourModel) -> list[StyledText]:
    """Return the lines of the panel between its heading and its keys, wrapped."""
    width = model.width - 2 * _MARGIN
    step, answer = model.present, model.answers.get(model.step)
    if model.opening:
        return [("The lesson is being opened …", "faint")]
    if answer is not None:
        return wrapped_parts(_verdict(model, step, answer), width)
    text = model.written(step.text)
    if text is None:
        return [(_computing(model), "faint")]
    lines: list[StyledText] = [(text, "normal")]
    if step.choices:
        choices = [f"{n} {model.written(choice)}" for n, choice in enumerate(step.choices, 1)]
        shown = [(line, "key") for line in filled(choices, width, "    ")]
        return [*wrapped_parts(lines, width), *shown]
    if model.did:
        lines.append(("Done.", "bold"))
    return wrapped_parts(lines, width)


def hints(model: TourModel) -> list[Hint]:
    """Return the keys that work in the panel, each with a word."""
    if model.ended:
        return [("Enter", "leaves"), ("<", "lesson again")]
    choices = model.open_question
    first = (f"1-{len(choices)}", "answers") if choices else ("Enter", "goes on")
    steps = [first] * (not model.held_back) + [("Backspace", "back")]
    steps = [] if model.playing else steps
    always = ((">", "next"), ("<", "before"), (model.keys["quit"], "leaves"))
    return [*steps, *always, (model.keys["help"], "keys")]


def _verdict(model: TourModel, ask: Step, answer: int) -> list[StyledText]:
    """Return the lines after an answer: the verdict and the reveal."""
    said, right = model.written(ask.choices[answer]), model.right(model.step)
    if right is None:
        return [(f"You say: {said}.", "bold"), (_computing(model), "faint")]
    facts = model.facts or {}
    verdict = f"Right: {said}." if right else f"You said {said}. The answer is {facts[ask.right]}."
    return [(verdict, "bold"), (model.written(ask.reveal) or "", "normal")]


def _computing(model: TourModel) -> str:
    return f"The program works this out: {percent(model.latest.share)} …"


GO_ON, BACK, NEXT, BEFORE = "enter", "backspace", ">", "<"
"""The keys of the panel, beside digits for answers."""


def update(model: TourModel, message: Message) -> TourModel:
    model = model if model.inner else start(model)
    match message:
        case Published(snapshot):
            return _published(model, snapshot)
        case Resized(width, height):
            if (width, height) == (model.width, model.height):
                return model
            return _fitted(replace(model, width=width, height=height))
        case KeyPressed(key, _):
            return _press(replace(model, hint=""), key, message)
        case Mouse("press", y, x) if y >= model.height - model.panel_height:
            key = key_of(render(model).hit(y, x))
            return update(model, KeyPressed(key, model.inner.now)) if key else model
        case _:
            return _passed(model, message)


def _published(model: TourModel, snapshot: TourSnapshot) -> TourModel:
    is_new = model.latest.opened != snapshot.opened
    model = replace(model, latest=snapshot)
    if is_new and not model.opening:
        return start(model)
    same = snapshot.inner is model.inner.latest
    return model if same else _passed(model, Published(snapshot.inner))


def start(model: TourModel) -> TourModel:
    """Return the model with the screen of a session that was just opened."""
    lesson = model.lesson
    inner = lesson.first(model.latest.inner, lesson.pace).drawn_with(model.options)
    return _focused(_fitted(_with_inner(model, inner)))


def _fitted(model: TourModel) -> TourModel:
    """Give the lesson's screen the room above the panel."""
    height = max(0, model.height - model.panel_height + 1)  # the panel covers its keys
    return _passed(model, Resized(model.width, height))


def _passed(model: TourModel, message: Message) -> TourModel:
    """Pass a message to the lesson's screen."""
    if model.opening:
        return model
    inner = model.lesson.screen.update(model.inner, message)
    return model if inner is model.inner else _with_inner(model, inner)


def _with_inner(model: TourModel, inner: Any) -> TourModel:
    """Return the model with another state of its screen, and that screen's commands."""
    if inner.commands:
        model = replace(model, commands=(*model.commands, *inner.commands))
        inner = replace(inner, commands=())
    if inner.quit:  # chosen in the help
        model, inner = replace(model, quit=True), replace(inner, quit=False)
    step = model.present
    did = model.did or (step.check is not None and step.check(inner))
    return replace(model, inner=inner, did=did)


def _focused(model: TourModel) -> TourModel:
    pane = model.present.pane
    if pane is None or model.opening:
        return model
    return replace(model, inner=choose_pane(model.inner, pane, (pane,)))


def _press(model: TourModel, key: str, message: KeyPressed) -> TourModel:
    command = model.keys.commands.get(key)
    if not model.opening and takes_keys(model.inner):
        return _passed(model, message)
    if command == "quit":
        return replace(model, quit=True)
    if command == "tour":
        return replace(model, hint="this is the tour")
    done = _at_panel(model, key)
    return _passed(model, message) if done is None else done


def _at_panel(model: TourModel, key: str) -> TourModel | None:
    """Carry out a key of the panel; return None for any other key."""
    digits = [str(n + 1) for n in range(len(model.open_question))]
    if key in {NEXT, BEFORE}:
        return _to_lesson(model, model.place + (1 if key == NEXT else model.ended - 1))
    if model.opening or model.playing:
        return model if model.opening else None
    if key == BACK:
        return _to_step(model, model.step - 1)
    if key in digits:
        return replace(model, answers={**model.answers, model.step: digits.index(key)})
    return _on(model) if key == GO_ON else None


def _on(model: TourModel) -> TourModel:
    if model.ended:
        return replace(model, quit=True)
    choices, hint = model.open_question, ""
    if choices:
        hint = f"a digit, 1 to {len(choices)}, answers; > skips the lesson"
    elif model.held_back:
        hint = "do this first, the next question is about it; > skips the lesson"
    elif model.step in model.answers and model.facts is None:
        hint = "the program still computes the answer"
    if hint:
        return replace(model, hint=hint)
    if model.step + 1 < len(model.lesson.steps):
        return _to_step(model, model.step + 1)
    progress = {**model.progress, model.lesson.name: model.result}
    model = replace(model, progress=progress, commands=(*model.commands, Keep(progress)))
    if model.place + 1 < len(model.lessons):
        return _to_lesson(model, model.place + 1)
    return replace(model, step=model.step + 1)


def _to_step(model: TourModel, step: int) -> TourModel:
    if step < 0:
        return replace(model, hint="this is the first step; < opens the lesson before")
    return _focused(_with_inner(replace(model, step=step, did=False), model.inner))


def _to_lesson(model: TourModel, place: int) -> TourModel:
    """Return the model at the first step of a lesson, whose session is asked for."""
    if not 0 <= place < len(model.lessons):
        return replace(model, hint=f"this is lesson {model.place + 1} of {len(model.lessons)}")
    opened = Open(model.lessons[place].session, model.lessons[place].work)
    model = replace(model, place=place, step=0, did=False, answers={}, hint="")
    return replace(model, opened=model.opened + 1, commands=(*model.commands, opened))
