"""`negotiation-tui play`: negotiate yourself."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.arguments import add_scenario, scenario_of, seat, seed_of
from negotiation_tui.cli.screen_arguments import add_screen, appearance_of, begin_of, open_tour
from negotiation_tui.cli.training_arguments import add_course, parameters_of
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.tui.toolkit.run_screen import on_terminal

if TYPE_CHECKING:
    from negotiation_tui.sessions.session import Session

EXAMPLES = (
    ("play", "as the buyer"),
    ("play --as seller --against boulware", "a tough opponent"),
    ("play --scenario legacy --against midpoint", ""),
    ("play --scenario hidden", "limits are hidden"),
    ("play --advice", "with advice shown"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    add_scenario(parser)
    add = parser.add_argument
    roles = tuple(map(str, Role))
    add("--as", dest="role", choices=roles, default="buyer", help="your role (%(default)s)")
    add(
        "--against",
        type=seat,
        default=LEARNED,
        metavar="NAME|FILE",
        help="your opponent: learned or learned:LEARNER (trained first), a strategy, or a file of"
        " saved tables (%(default)s)",
    )
    add_course(parser)
    add("--record", metavar="FILE", help="write every negotiation to FILE, for replay")
    add_screen(parser)


def run(options: argparse.Namespace) -> int:
    """Let the user negotiate on the screen."""
    from negotiation_tui.sessions.commands import Sit
    from negotiation_tui.sessions.saving import Recorder
    from negotiation_tui.sessions.training_session import TrainingSession
    from negotiation_tui.tui.negotiation import watch

    if not on_terminal():
        raise BadInputError("play needs a terminal for input and output")
    appearance, begin = appearance_of(options), begin_of(options)
    scenario, role = scenario_of(options), Role.of(options.role)
    learned, opponent = learns(options.against), options.against
    beside = opponent if learned else None  # it learned against its like
    training = TrainingSession(
        scenario,
        parameters_of(options, scenario),
        seed_of(options),
        (beside, opponent) if role is Role.SELLER else (opponent, beside),
        None if options.opener is None else Opener(options.opener),
    )
    if learned:
        training.train()
    session: Session = training
    if options.record is not None:
        session = Recorder(training, Path(options.record))
    session.handle(Sit(role))
    return watch.watch(session, appearance, begin, tour=open_tour)
