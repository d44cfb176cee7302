"""`negotiation-tui play`: negotiate yourself."""

from pathlib import Path

from negotiation_tui.cli import screen_options as screen
from negotiation_tui.cli.options import add_course, add_scenario, run_of, seat
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.tui.toolkit.run_screen import on_terminal

EXAMPLES = """\
play # as the buyer
play --as seller --against boulware # a tough opponent
play --scenario legacy --against midpoint
play --scenario hidden # limits are hidden
play --advice # with advice shown"""


def add_arguments(parser: Parser) -> None:
    add_scenario(parser)
    parser.choice("--as", Role, "your role (%(default)s)", dest="role", default="buyer")
    who = "learned or learned:LEARNER (trained first), a strategy, or a file of saved tables"
    parser.value("--against", f"your opponent: {who} (%(default)s)", "NAME|FILE", seat, LEARNED)
    add_course(parser)
    parser.value("--record", "write every negotiation to FILE, for replay", "FILE")
    screen.add_screen(parser)


def run(options: Options) -> int:
    from negotiation_tui.sessions.commands import Sit
    from negotiation_tui.sessions.saving import record_to
    from negotiation_tui.sessions.training_session import TrainingSession
    from negotiation_tui.tui.negotiation import watch
    from negotiation_tui.tui.negotiation.preparation import trained

    if not on_terminal():
        raise BadInputError("play needs a terminal for input and output")
    appearance, begin = screen.appearance_of(options), screen.begin_of(options)
    role, opponent = Role.of(options.role), options.against
    beside = opponent if learns(opponent) else LEARNED  # it learned against its like
    players = (beside, opponent) if role is Role.SELLER else (opponent, beside)
    training = TrainingSession(run_of(options, players))
    if learns(opponent) and not trained(training.training(), appearance):
        return 0  # the user left
    if options.record is not None:
        record_to(training, Path(options.record))
    training.handle(Sit(role))
    status = watch.watch(training, appearance, begin, tour=screen.open_tour)
    training.tell_lost()
    return status
