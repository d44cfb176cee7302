"""`negotiation-tui replay`: transcripts on the screen."""

import argparse
import sys
from pathlib import Path

from negotiation_tui.cli.screen_arguments import add_screen, begin_of, look_of

EXAMPLES = (
    ("replay run.jsonl", "what --record wrote"),
    ("replay run.jsonl --pace 1 --paused", "slowly, from a key on"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    parser.add_argument("file", metavar="FILE", help="transcripts that --record or w wrote")
    add_screen(parser)
    parser.add_argument("--once", action="store_true", help="print one frame of text, and exit")


def run(options: argparse.Namespace) -> int:
    """Play what is whole of the file."""
    from negotiation_tui.sessions import transcript_reader
    from negotiation_tui.sessions.replay_session import ReplaySession
    from negotiation_tui.tui.negotiation import watch

    look, begin = look_of(options), begin_of(options)
    found = transcript_reader.read(Path(options.file))
    if found.damage:
        n = len(found.entries)
        print(
            f"negotiation-tui: transcripts {options.file!r}: {found.damage},"
            f" what is whole before it is played: {n:,} negotiation{'' if n == 1 else 's'}",
            file=sys.stderr,
        )
    return watch.watch(ReplaySession(found), look, begin, options.once)
