"""`negotiation-tui replay`: recorded negotiations on the screen."""

from math import inf
from pathlib import Path

from negotiation_tui.cli import screen_options as screen
from negotiation_tui.cli.options import integer_from
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.runtime.output import complain
from negotiation_tui.runtime.text import plural, quoted
from negotiation_tui.runtime.validate import refusal

EXAMPLES = """\
replay run.jsonl # what --record wrote
replay run.jsonl --pace 1 --paused # slowly, after a key
replay run.jsonl --at 37 # at a moment
replay run.jsonl --film film.svg # as an animated picture"""


def add_arguments(parser: Parser) -> None:
    parser.value("file", "transcripts that --record or w wrote", "FILE")
    meaning = "open it, paused, at this line, which the time line counts and w names"
    parser.value("--at", meaning, "LINE", integer_from(0, inf))
    screen.add_screen(parser)
    screen.add_once(parser)


def run(options: Options) -> int:
    from negotiation_tui.sessions import transcripts
    from negotiation_tui.sessions.replay_session import ReplaySession
    from negotiation_tui.tui.negotiation import watch

    appearance, begin = screen.appearance_of(options), screen.begin_of(options)
    once = screen.once_of(options)
    recording = transcripts.read(Path(options.file))
    if recording.damage:
        rest = f"playing the {plural(len(recording.entries), 'negotiation')} before it"
        complain(f"transcripts {quoted(options.file)}: {recording.damage}; {rest}")
    last = len(recording.entries)
    if options.at is not None and options.at > last:
        raise refusal("--at", options.at, f"a line of the recording, 0 to {last:,}")
    session = ReplaySession(recording, options.at or 0)
    return watch.watch(session, appearance, begin, once, screen.open_tour)
