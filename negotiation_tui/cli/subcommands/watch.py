"""`negotiation-tui watch`: two agents learn and negotiate on the screen."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli import training_arguments
from negotiation_tui.cli.arguments import add_parameter, scenario_of, seed, seed_of
from negotiation_tui.cli.screen_arguments import (
    add_once,
    add_screen,
    appearance_of,
    begin_of,
    once_of,
    open_tour,
)
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.tui.toolkit.run_screen import RenderOptions

if TYPE_CHECKING:
    from negotiation_tui.sessions.side_by_side_session import CountingSession
    from negotiation_tui.sessions.training_session import TrainingSession

EXAMPLES = (
    ("watch", "a training as a story"),
    ("--recipe published", "as the original"),
    ("--scenario fine --pace flat", "as fast as it goes"),
    ("--seller boulware --buyer conceder", "two known strategies"),
    ("--seed 7 --versus 8", "two side by side"),
    ("--record run.jsonl", "save what is shown"),
    ("--theme light --no-animation", "light, and no motion"),
)


STORY = "opener-aware", "reverse-curriculum"
"""The states and the recipe of the bare command: of those that converge, the one that tells best
(docs/story.md)."""
LOOKS = {
    "run",
    "seed",
    "pace",
    "paused",
    "advice",
    "once",
    "svg",
    "json",
    "record",
    *RenderOptions._fields,
}
"""Options that are neither about the game nor about the training."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    training_arguments.add_game(parser)
    for name in ("cycles", "episodes"):
        add_parameter(parser, name)
    training_arguments.add_trained(parser)
    add_screen(parser)
    add = parser.add_argument
    add_once(parser)
    add("--record", metavar="FILE", help="write every negotiation shown to FILE, for replay")
    add(
        "--versus",
        metavar="SEED|FILE",
        help="show beside it the same training from another seed, the training of saved tables"
        " (.npz), or a recording (.jsonl)",
    )


def run(options: argparse.Namespace) -> int:
    """Show the screen until the user leaves it."""
    from negotiation_tui.tui.negotiation import watch

    bare, once = is_bare(options), once_of(options)
    if bare:
        options.states, options.recipe = STORY
    appearance, begin = appearance_of(options), begin_of(options, "story" if bare else None)
    options.seed = seed_of(options)
    training = _training(options, options.seed)
    if options.versus is not None:
        if options.record is not None or once:
            raise BadInputError("--versus shows two trainings; leave out --record and --once")
        name, other = _other(options)
        _, agent = training_arguments.trained_of(options)
        left = f"seed {options.seed}, {agent} first"
        return watch.watch_both(training, other, (left, name), appearance, begin)
    if options.record is not None:
        from negotiation_tui.sessions.saving import Recorder

        recorder = Recorder(training, Path(options.record))
        return watch.watch(recorder, appearance, begin, once, open_tour)
    return watch.watch(training, appearance, begin, once, open_tour)


def is_bare(options: argparse.Namespace) -> bool:
    """True if no option is about the game or the training."""
    return all(value is None for name, value in vars(options).items() if name not in LOOKS)


def _training(options: argparse.Namespace, chosen_seed: int) -> "TrainingSession":
    from negotiation_tui.sessions.training_session import TrainingSession

    scenario = scenario_of(options)
    return TrainingSession(
        scenario,
        training_arguments.parameters_of(options, scenario),
        chosen_seed,
        training_arguments.players_of(options),
        None if options.opener is None else Opener(options.opener),
        *training_arguments.trained_of(options),
    )


def _other(options: argparse.Namespace) -> tuple[str, "CountingSession"]:
    """Return the name and the session of what `--versus` asks for."""
    versus = options.versus
    if Path(versus).suffix == ".npz":
        return _saved(versus)
    if Path(versus).suffix == ".jsonl":
        from negotiation_tui.sessions import transcripts
        from negotiation_tui.sessions.replay_session import ReplaySession

        recording = transcripts.read(Path(versus))
        return f"{recording.name}, recorded", ReplaySession(recording)
    try:
        chosen = seed(versus)
    except argparse.ArgumentTypeError:
        expected = "a seed, saved tables (.npz) or a recording (.jsonl)"
        raise refusal("--versus", versus, expected) from None
    _, agent = training_arguments.trained_of(options)
    return f"seed {chosen}, {agent} first", _training(options, chosen)


def _saved(path: str) -> tuple[str, "CountingSession"]:
    """Return the training that tables were saved from, restarted."""
    from negotiation_tui.learning.checkpoint import load_tables
    from negotiation_tui.sessions.training_session import TrainingSession

    tables = load_tables(path)
    training = TrainingSession(
        tables.scenario,
        tables.parameters,
        tables.seed,
        tables.specs,
        train_both=tables.train_both,
        train_agent=tables.train_agent,
    )
    return f"{Path(path).stem}: seed {tables.seed}, {tables.train_agent} first", training
