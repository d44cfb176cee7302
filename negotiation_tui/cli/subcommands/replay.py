"""`negotiation-tui replay`: a recorded run on the screen, played again."""

from pathlib import Path

from negotiation_tui.cli import screen_options as screen
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.runtime.output import complain
from negotiation_tui.runtime.text import quoted
from negotiation_tui.runtime.validate import refusal

EXAMPLES = """\
replay run.jsonl # what --record wrote
replay run.jsonl --pace 1 --paused # slowly, after a key
replay run.jsonl --at 12:40 # at a moment
replay run.jsonl --film film.svg # as an animated picture"""


def add_arguments(parser: Parser) -> None:
    parser.value("file", "transcripts that --record or w wrote", "FILE")
    meaning = "open it, paused, after a cycle, and a game of the next; w names both"
    parser.value("--at", meaning, "CYCLE[:GAME]", screen.moment_option)
    screen.add_screen(parser)
    screen.add_once(parser)


def run(options: Options) -> int:
    from negotiation_tui.sessions import transcripts
    from negotiation_tui.sessions.training_session import TrainingSession
    from negotiation_tui.tui.negotiation import watch

    appearance, begin = screen.appearance_of(options), screen.begin_of(options)
    once = screen.once_of(options)
    recording = transcripts.read(Path(options.file))
    session = TrainingSession(recording.run, recording)
    for said in recording.notices:
        complain(f"transcripts {quoted(options.file)}: {said}")
    if options.at is not None:
        word, cycles, games = options.at
        per = recording.run.parameters.episodes
        if (number := cycles * per + games) > recording.last:
            cycle, game = divmod(recording.last, per)
            raise refusal("--at", word, f"a moment of the recording, 0 to {cycle}:{game}")
        moment = session.timeline.moment_of(number)
        begin = begin._replace(moment=moment, paused=True)
    return watch.watch(session, appearance, begin, once, screen.open_tour)
