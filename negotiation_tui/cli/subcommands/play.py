"""`negotiation-tui play`: take a seat yourself."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.arguments import add_scenario, scenario_of, seat, seed_of
from negotiation_tui.cli.screen_arguments import add_screen, begin_of, look_of
from negotiation_tui.cli.training_arguments import add_course, parameters_of
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.tui.toolkit.run_screen import on_terminal

if TYPE_CHECKING:
    from negotiation_tui.sessions.session import Session

EXAMPLES = (
    ("play", "as the buyer"),
    ("play --as seller --against boulware", "against a hard one"),
    ("play --scenario legacy --against midpoint", ""),
    ("play --advice", "with advice shown"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add_scenario(parser)
    add = parser.add_argument
    roles = tuple(map(str, Role))
    add("--as", dest="role", choices=roles, default="buyer", help="your seat (%(default)s)")
    add(
        "--against",
        type=seat,
        default=LEARNED,
        metavar="NAME|FILE",
        help="learned (trained first), a strategy, or tables that train --save wrote (%(default)s)",
    )
    add_course(parser)
    add("--record", metavar="FILE", help="write every negotiation to FILE, for replay")
    add_screen(parser)


def run(options: argparse.Namespace) -> int:
    """Sit down at the table."""
    from negotiation_tui.sessions.commands import Sit
    from negotiation_tui.sessions.recorder import Recorder
    from negotiation_tui.sessions.training_session import TrainingSession
    from negotiation_tui.tui.negotiation import watch

    if not on_terminal():
        raise BadInputError("play needs a terminal for input and output")
    look, begin = look_of(options), begin_of(options)
    scenario, role = scenario_of(options), Role.of(options.role)
    opponent = None if options.against == LEARNED else options.against
    trainer = TrainingSession(
        scenario,
        parameters_of(options, scenario),
        seed_of(options),
        (None, opponent) if role is Role.SELLER else (opponent, None),
        None if options.opener is None else Opener(options.opener),
    )
    if opponent is None:
        trainer.train()
    worker: Session = trainer
    if options.record is not None:
        worker = Recorder(worker, Path(options.record))
    worker.handle(Sit(role))
    return watch.watch(worker, look, begin)
