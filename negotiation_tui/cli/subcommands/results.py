"""`negotiation-tui results`: how people played, from their transcripts and tours."""

import csv
import json
import sys
from dataclasses import asdict

from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.cli.screen_options import add_appearance, appearance_of
from negotiation_tui.tui.toolkit.run_screen import on_terminal

EXAMPLES = """\
results files # of all folders below
results anna ben --csv # for a spreadsheet"""


def add_arguments(parser: Parser) -> None:
    meaning = "folders with transcripts that play --as NAME wrote, and with results of the tour"
    parser.value("folders", meaning, "FOLDER", nargs="+")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--text", action="store_true", help="print a table, without the screen")
    forms.add_argument("--json", action="store_true", help="print the results as JSON")
    forms.add_argument("--csv", action="store_true", help="print a row per person as CSV")
    add_appearance(parser)


def run(options: Options) -> int:
    from negotiation_tui.contest.contest import leaderboard_text
    from negotiation_tui.sessions.results_session import COLUMNS, ResultsSession
    from negotiation_tui.tui.results.screen import watch

    appearance, session = appearance_of(options), ResultsSession(options.folders)
    found = session.snapshot
    rows = [asdict(each) for each in found.people]
    if options.json:
        print(json.dumps({"all": asdict(found.whole), "people": rows}))
    elif options.csv:
        table = csv.DictWriter(sys.stdout, asdict(found.whole), lineterminator="\n")
        table.writeheader()
        table.writerows({**row, "name": _harmless(row["name"])} for row in rows)
    elif options.text or not on_terminal():
        print(f"{leaderboard_text(found.people, COLUMNS)}\n\n{found}")
    else:
        watch(session, appearance)
    return 0


def _harmless(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in {"=", "+", "-", "@"} else name
