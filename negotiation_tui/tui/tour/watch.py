"""Run the tour on a terminal, or list its lessons."""

from functools import partial
from pathlib import Path

from negotiation_tui.errors import BadInputError
from negotiation_tui.sessions import tour_progress as files
from negotiation_tui.sessions.tour_progress import Progress
from negotiation_tui.sessions.tour_session import Open, TourSession
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, Screen, run_screen
from negotiation_tui.tui.tour.lessons import LESSONS
from negotiation_tui.tui.tour.model import TourModel
from negotiation_tui.tui.tour.update import render, update


def watch(options: RenderOptions, number: int | None = None) -> None:
    """Show the tour from a lesson on, by default the first that is not finished."""
    run_screen(opened(number), options)


def opened(number: int | None = None) -> Opened[TourModel]:
    """Return the tour as a screen, from a lesson or from its first unfinished lesson on."""
    path = files.progress_path()
    progress, trouble = saved_progress(path)
    unfinished = (n for n, lesson in enumerate(LESSONS) if lesson.name not in progress)
    place = next(unfinished, 0) if number is None else number - 1
    lesson = LESSONS[place]
    session = TourSession(Open(lesson.session, lesson.work), partial(files.write, path))
    model = TourModel(session.snapshot, LESSONS, place, progress=progress, trouble=trouble)
    return Opened(session, Screen(update, render), model)


def saved_progress(path: Path | None) -> tuple[Progress, str | None]:
    """Return the progress in a file and None; or an empty one and the trouble with the file."""
    try:
        return files.read(path), None
    except BadInputError as error:
        return {}, str(error)


def listing(progress: Progress) -> str:
    """Return a line per lesson: its number, its result if it is finished, and its goal."""
    lines = []
    for number, lesson in enumerate(LESSONS, 1):
        result = progress.get(lesson.name)
        done = "" if result is None else f"done, {result.right} of {result.asked} right"
        lines.append(f"{number}  {lesson.title:<24}  {done:<18}  {lesson.goal}".rstrip())
    return "\n".join(lines)
