"""`negotiation-tui watch`: two agents learn and negotiate on the screen."""

from argparse import ArgumentTypeError, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.cli.options import add_parameter, add_trained, add_training, run_of, seed
from negotiation_tui.cli.parser import Parser
from negotiation_tui.cli.screen_options import (
    add_once,
    add_screen,
    appearance_of,
    begin_of,
    once_of,
    open_tour,
    session_of,
)
from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.tui.toolkit.run_screen import RenderOptions

if TYPE_CHECKING:
    from negotiation_tui.players.run import Run
    from negotiation_tui.sessions.side_by_side_session import CountingSession

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
    *("run", "seed", "pace", "paused", "advice", "once", "svg", "json", "record"),
    *RenderOptions._fields,
}
"""Options that are neither about the game nor about the training."""


def add_arguments(parser: Parser) -> None:
    add_training(parser)
    for name in ("cycles", "episodes"):
        add_parameter(parser, name)
    add_trained(parser)
    add_screen(parser)
    add_once(parser)
    parser.value("--record", "write every negotiation shown to FILE, for replay", "FILE")
    meaning = (
        "show beside it the same training from another seed, the training of saved tables"
        " (.npz), or a recording (.jsonl)"
    )
    parser.value("--versus", meaning, "SEED|FILE")


def run(options: Namespace) -> int:
    from negotiation_tui.tui.negotiation import watch

    bare, once = is_bare(options), once_of(options)
    if bare:
        options.states, options.recipe = STORY
    appearance, begin = appearance_of(options), begin_of(options, "story" if bare else None)
    run = run_of(options)
    if options.versus is not None:
        if options.record is not None or once:
            raise BadInputError("--versus shows two trainings; leave out --record and --once")
        name, other = _other(options.versus, run)
        left = f"seed {run.seed}, {run.train_agent} first"
        return watch.watch_both(session_of(run), other, (left, name), appearance, begin)
    training = session_of(run)
    if options.record is not None:
        from negotiation_tui.sessions.saving import Recorder

        recorder = Recorder(training, Path(options.record))
        return watch.watch(recorder, appearance, begin, once, open_tour)
    return watch.watch(training, appearance, begin, once, open_tour)


def is_bare(options: Namespace) -> bool:
    """True if no option is about the game or the training."""
    return all(value is None for name, value in vars(options).items() if name not in LOOKS)


def _other(versus: str, run: "Run") -> tuple[str, "CountingSession"]:
    """Return the name and the session of what `--versus` asks for beside a run."""
    if Path(versus).suffix == ".npz":
        from negotiation_tui.learning.checkpoint import load_tables
        from negotiation_tui.players.run import Run

        saved = load_tables(versus)
        seller, buyer = (spec or LEARNED for spec in saved.specs)
        training = saved.scenario, saved.parameters, saved.seed, (seller, buyer)
        run = Run(*training, saved.train_both, saved.train_agent)
        return f"{Path(versus).stem}: seed {run.seed}, {run.train_agent} first", session_of(run)
    if Path(versus).suffix == ".jsonl":
        from negotiation_tui.sessions import transcripts
        from negotiation_tui.sessions.replay_session import ReplaySession

        recording = transcripts.read(Path(versus))
        return f"{recording.name}, recorded", ReplaySession(recording)
    try:
        run = replace(run, seed=seed(versus))
    except ArgumentTypeError:
        expected = "a seed, saved tables (.npz) or a recording (.jsonl)"
        raise refusal("--versus", versus, expected) from None
    return f"seed {run.seed}, {run.train_agent} first", session_of(run)
