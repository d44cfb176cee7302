"""`negotiation-tui replay`: recorded negotiations on the screen."""

from argparse import Namespace
from pathlib import Path

from negotiation_tui.cli.parser import Parser
from negotiation_tui.cli.screen_options import (
    add_once,
    add_screen,
    appearance_of,
    begin_of,
    once_of,
    open_tour,
)
from negotiation_tui.runtime.output import complain
from negotiation_tui.runtime.text import plural, quoted

EXAMPLES = (
    ("replay run.jsonl", "what --record wrote"),
    ("replay run.jsonl --pace 1 --paused", "slowly, after a key"),
)


def add_arguments(parser: Parser) -> None:
    parser.value("file", "transcripts that --record or w wrote", "FILE")
    add_screen(parser)
    add_once(parser)


def run(options: Namespace) -> int:
    """Show the transcripts of a file, up to its first damaged line."""
    from negotiation_tui.sessions import transcripts
    from negotiation_tui.sessions.replay_session import ReplaySession
    from negotiation_tui.tui.negotiation import watch

    appearance, begin, once = appearance_of(options), begin_of(options), once_of(options)
    recording = transcripts.read(Path(options.file))
    if recording.damage:
        complain(
            f"transcripts {quoted(options.file)}: {recording.damage};"
            f" playing the {plural(len(recording.entries), 'negotiation')} before it"
        )
    return watch.watch(ReplaySession(recording), appearance, begin, once, open_tour)
