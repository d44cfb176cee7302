"""`negotiation-tui watch`: the screen."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.arguments import add_parameter, scenario_of, seed, seed_of
from negotiation_tui.cli.screen_arguments import add_screen, begin_of, look_of
from negotiation_tui.cli.training_arguments import (
    add_game,
    add_trained,
    parameters_of,
    strategies_of,
)
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener

if TYPE_CHECKING:
    from negotiation_tui.sessions.side_by_side_session import CountingSession
    from negotiation_tui.sessions.training_session import TrainingSession

EXAMPLES = (
    ("watch", "two learners"),
    ("--scenario fine --pace flat", "as fast as it goes"),
    ("--seller boulware --buyer conceder", "two known strategies"),
    ("--seed 7 --versus 8", "two side by side"),
    ("--record run.jsonl", "write down what is shown"),
    ("--theme light --no-animation", "on a light ground, calm"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add_game(parser)
    for name in ("cycles", "episodes"):
        add_parameter(parser, name)
    add_trained(parser)
    add_screen(parser)
    add = parser.add_argument
    add("--once", action="store_true", help="print one frame of text after a cycle, and exit")
    add("--record", metavar="FILE", help="write every negotiation shown to FILE, for replay")
    add(
        "--versus",
        metavar="SEED|FILE",
        help="beside it the same training from another seed, the training that tables were saved"
        " from (.npz), or a recording (.jsonl)",
    )


def run(options: argparse.Namespace) -> int:
    """Show the screen until it is left."""
    from negotiation_tui.tui.negotiation import watch

    look, begin = look_of(options), begin_of(options)
    options.seed = seed_of(options)
    trainer = _trainer(options, options.seed)
    if options.versus is not None:
        if options.record is not None or options.once:
            raise BadInputError("--versus shows two: leave out --record and --once")
        name, other = _other(options)
        left = f"seed {options.seed}, {options.train_agent} first"
        return watch.watch_both(trainer, other, (left, name), look, begin)
    if options.record is not None:
        from negotiation_tui.sessions.recorder import Recorder

        recorder = Recorder(trainer, Path(options.record))
        return watch.watch(recorder, look, begin, options.once)
    return watch.watch(trainer, look, begin, options.once)


def _trainer(options: argparse.Namespace, chosen: int) -> "TrainingSession":
    from negotiation_tui.sessions.training_session import TrainingSession

    scenario = scenario_of(options)
    return TrainingSession(
        scenario,
        parameters_of(options, scenario),
        chosen,
        strategies_of(options),
        None if options.opener is None else Opener(options.opener),
        options.train_both,
        options.train_agent,
    )


def _other(options: argparse.Namespace) -> tuple[str, "CountingSession"]:
    """What is shown beside, and its name."""
    word = options.versus
    if Path(word).suffix == ".npz":
        return _saved(word)
    if Path(word).suffix == ".jsonl":
        from negotiation_tui.sessions import transcript_reader
        from negotiation_tui.sessions.replay_session import ReplaySession

        found = transcript_reader.read(Path(word))
        return f"{found.name}, recorded", ReplaySession(found)
    try:
        chosen = seed(word)
    except argparse.ArgumentTypeError:
        raise BadInputError(
            f"--versus {word!r} cannot be used: give a seed, tables (.npz) or a recording (.jsonl)"
        ) from None
    return f"seed {chosen}, {options.train_agent} first", _trainer(options, chosen)


def _saved(word: str) -> tuple[str, "CountingSession"]:
    """The training that a file was saved from, from its beginning."""
    from negotiation_tui.learning.checkpoint import load_tables
    from negotiation_tui.sessions.training_session import TrainingSession

    tables = load_tables(word)
    trainer = TrainingSession(
        tables.scenario,
        tables.parameters,
        tables.seed,
        tables.strategies,
        train_both=tables.train_both,
        train_agent=tables.train_agent,
    )
    return f"{Path(word).stem}: seed {tables.seed}, {tables.train_agent} first", trainer
