"""`negotiation-tui results`: how people played, from their transcripts and tours."""

import json
from dataclasses import asdict

from negotiation_tui.cli.listing import add_forms, print_csv
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.cli.screen_options import add_appearance, appearance_of
from negotiation_tui.errors import BadInputError
from negotiation_tui.tui.toolkit.run_screen import on_terminal

EXAMPLES = """\
results files # of all folders below
results anna ben --csv # for a spreadsheet
results files --csv --games # for marks"""


def add_arguments(parser: Parser) -> None:
    meaning = "folders with transcripts that play --as NAME wrote, and with results of the tour"
    parser.value("folders", meaning, "FOLDER", nargs="+")
    add_forms(parser, "print a table, without the screen", "person, role, opponent and scenario")
    parser.flag("--games", "with --csv: a row per game, for marks")
    add_appearance(parser)


def run(options: Options) -> int:
    from negotiation_tui.contest.contest import leaderboard_text
    from negotiation_tui.sessions.results_session import COLUMNS, GAME_COLUMNS, ResultsSession
    from negotiation_tui.tui.results.screen import watch

    if options.games and not options.csv:
        raise BadInputError("--games: expected --csv beside it, got none")
    appearance, session = appearance_of(options), ResultsSession(options.folders)
    found = session.snapshot
    rows = [asdict(each) for each in found.people]
    if options.json:
        print(json.dumps({"all": asdict(found.whole), "people": rows}))
    elif options.games:
        print_csv(GAME_COLUMNS, found.games())
    elif options.csv:
        print_csv(asdict(found.whole), rows)
    elif options.text or not on_terminal(appearance):
        print(f"{leaderboard_text(found.people, COLUMNS)}\n\n{found}")
    else:
        watch(session, appearance)
    return 0
