"""`negotiation-tui tour`: lessons on the screen."""

from negotiation_tui.cli.options import positive
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.cli.screen_options import add_appearance, appearance_of
from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.output import complain
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.tui.toolkit.run_screen import on_terminal

EXAMPLES = """\
tour # from the first lesson that is not finished
tour --list # all lessons, and those that you have finished
tour 3 # from lesson 3"""


def add_arguments(parser: Parser) -> None:
    parser.value("lesson", "number of the first lesson", "LESSON", positive, nargs="?")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="list the lessons and the progress")
    what.add_argument("--restart", action="store_true", help="forget the progress first")
    add_appearance(parser)


def run(options: Options) -> int:
    from negotiation_tui.sessions import tour_progress
    from negotiation_tui.tui.tour import watch
    from negotiation_tui.tui.tour.lessons import LESSONS

    path = tour_progress.progress_path()
    if options.list:
        if options.lesson is not None:
            raise refusal("lesson", options.lesson, "none beside --list")
        done, trouble = watch.saved_progress(path)
        print(watch.listing(done))
        if trouble:
            complain(trouble)
        return 0
    if options.lesson is not None and options.lesson > len(LESSONS):
        raise refusal("lesson", options.lesson, f"1 to {len(LESSONS)}")
    appearance = appearance_of(options)
    if not on_terminal(appearance):
        hint = "tour --list and tour --speak do not"
        raise BadInputError(f"tour needs a terminal for input and output; {hint}")
    if options.restart:
        tour_progress.forget(path)
    watch.watch(appearance, options.lesson)
    return 0
