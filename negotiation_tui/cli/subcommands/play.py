"""`negotiation-tui play`: negotiate yourself."""

from argparse import ArgumentTypeError
from pathlib import Path

from negotiation_tui.cli import screen_options as screen
from negotiation_tui.cli.options import add_course, add_scenario, add_talk, run_of, seat
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.runtime.files import new_files
from negotiation_tui.runtime.output import notice
from negotiation_tui.runtime.text import quoted, visible
from negotiation_tui.tui.toolkit.run_screen import on_terminal

EXAMPLES = """\
play # as the buyer
play --as seller --against boulware # a tough opponent
play --as anna:seller # with a name
play --scenario legacy --against midpoint
play --scenario hidden # limits are hidden
play --advice # with advice shown"""


def add_arguments(parser: Parser) -> None:
    add_scenario(parser)
    add_talk(parser)
    meaning = "your role, or the name in whose transcript your games are written, or both"
    names = "ROLE|NAME|NAME:ROLE"
    parser.value("--as", f"{meaning} (%(default)s)", names, _person, "buyer", dest="person")
    who = "learned or learned:LEARNER (trained first), a strategy, or a file of saved tables"
    parser.value("--against", f"your opponent: {who} (%(default)s)", "NAME|FILE", seat, LEARNED)
    add_course(parser)
    parser.value("--record", "write every negotiation to FILE, for replay", "FILE")
    screen.add_screen(parser)


def run(options: Options) -> int:
    from negotiation_tui.sessions.commands import Sit
    from negotiation_tui.sessions.recorder import record_to
    from negotiation_tui.sessions.training_session import TrainingSession
    from negotiation_tui.tui.negotiation import watch
    from negotiation_tui.tui.negotiation.preparation import trained

    appearance, begin = screen.appearance_of(options), screen.begin_of(options)
    if not on_terminal(appearance):
        raise BadInputError("play needs a terminal for input and output; play --speak does not")
    (name, role), opponent = options.person, options.against
    beside = opponent if learns(opponent) else LEARNED  # it learned against its like
    players = (beside, opponent) if role is Role.SELLER else (opponent, beside)
    training = TrainingSession(run_of(options, players))
    if learns(opponent) and not trained(training.training(), appearance):
        return 0  # the user left
    record = options.record
    if name and record is None:
        with new_files(name, "games", ".jsonl") as stem:
            record = f"{stem}.jsonl"
    if record is not None:
        record_to(training, Path(record))
    training.handle(Sit(role, name))
    status = watch.watch(training, appearance, begin, tour=screen.open_tour)
    training.tell_lost()
    if name:
        notice(f"the games of {name} are in {record}")
    return status


def _person(word: str) -> tuple[str, Role]:
    """Return the name and the role of a person; the name is empty if there is none."""
    name, _, role = word.rpartition(":")
    if role.lower() not in map(str, Role):
        name, role = word, "buyer"
    if visible(word) != word or not word.strip():
        raise ArgumentTypeError(f"expected a name or a role, got {quoted(visible(word))}")
    return name, Role.of(role)
