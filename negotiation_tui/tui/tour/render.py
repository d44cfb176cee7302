"""Draw the tour: the lesson's screen, and the panel below it. Pure."""

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
from negotiation_tui.tui.tour.lesson import Ask
from negotiation_tui.tui.tour.model import MIN_HEIGHT, MIN_WIDTH, TourModel
from negotiation_tui.tui.widgets.words import percent

MARGIN = 2
"""Blank columns at either side of the text."""
Line = tuple[str, str]
"""A text and its style."""


def render(model: TourModel) -> Canvas:
    """Draw the whole screen, in the model's width and height."""
    canvas = Canvas(model.width, model.height)
    if model.width < MIN_WIDTH or model.height < MIN_HEIGHT:
        draw_too_small(canvas, MIN_WIDTH, MIN_HEIGHT, model.keys)
    else:
        canvas.paste(model.lesson.screen.render(model.inner) if not model.opening else Canvas(0, 0))
        draw_panel(canvas.rows(model.height - model.panel_height, model.height), model)
    if model.options.ascii:
        canvas.to_ascii()
    return canvas


def draw_panel(canvas: Canvas, model: TourModel) -> None:
    """Draw the panel: the lesson and the score, the text of the step, and the keys."""
    lesson, (right, asked) = model.lesson, model.score
    name = f"Lesson {model.place + 1} of {len(model.lessons)}: {lesson.title}"
    score = f"{right} of {asked} predictions right"
    step = "the end" if model.ended else f"step {model.step + 1} of {len(lesson.steps)}"
    draw_title_line(canvas, step, ((name, score) if asked else (name,), (name,)))
    for y, (text, style) in enumerate(panel_lines(model)[: canvas.height - 2], 1):
        canvas.write(y, MARGIN, text, style)
    if model.hint:
        draw_message(canvas, model.hint)
    else:
        draw_footer_line(canvas.rows(canvas.height - 1, canvas.height), hints(model))


def panel_lines(model: TourModel) -> list[Line]:
    """Return the lines of the panel between its heading and its keys, wrapped."""
    width = model.width - 2 * MARGIN
    step, answer = model.present, model.answers.get(model.step)
    if model.opening:
        return [("The lesson is being opened …", "faint")]
    if isinstance(step, Ask) and answer is not None:
        return wrapped_parts(_verdict(model, step, answer), width)
    text = model.written(step.text)
    if text is None:
        return [(_computing(model), "faint")]
    lines: list[Line] = [(text, "normal")]
    if isinstance(step, Ask):
        return [*wrapped_parts(lines, width), *_choices(model, step, width)]
    if model.did:
        lines.append(("Done.", "bold"))
    return wrapped_parts(lines, width)


def hints(model: TourModel) -> list[Hint]:
    """Return the keys that work in the panel, each with a word."""
    if model.ended:
        return [("Enter", "leaves"), ("<", "lesson again")]
    ask = model.open_question
    first = (f"1-{len(ask.choices)}", "answers") if ask else ("Enter", "goes on")
    steps = [first] * (not model.held_back) + [("Backspace", "back")]
    steps = [] if model.playing else steps
    always = ((">", "next"), ("<", "before"), (model.keys["quit"], "leaves"))
    return [*steps, *always, (model.keys["help"], "keys")]


def _verdict(model: TourModel, ask: Ask, answer: int) -> list[Line]:
    """Return the lines after an answer: the verdict and the reveal."""
    said, right = model.written(ask.choices[answer]), model.right(model.step)
    if right is None:
        return [(f"You say: {said}.", "bold"), (_computing(model), "faint")]
    facts = model.facts or {}
    verdict = f"Right: {said}." if right else f"You said {said}. It is {facts[ask.right]}."
    return [(verdict, "bold"), (model.written(ask.reveal) or "", "normal")]


def _computing(model: TourModel) -> str:
    return f"The program works this out: {percent(model.latest.share)} …"


def _choices(model: TourModel, ask: Ask, width: int) -> list[Line]:
    """Return the choices, as many in a line as fit."""
    texts = [f"{n} {model.written(choice)}" for n, choice in enumerate(ask.choices, 1)]
    return [(line, "key") for line in filled(texts, width, "    ")]
