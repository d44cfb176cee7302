"""`negotiation-tui desk`: one table of several players, from the cassettes of examinations."""

import json

from negotiation_tui.cli.listing import add_forms, print_csv
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.runtime.output import notice

EXAMPLES = """\
desk a.cassette b.cassette # written by examine --cassette
desk *.cassette --csv # for a spreadsheet"""


def add_arguments(parser: Parser) -> None:
    meaning = "cassettes of examinations of the same game"
    parser.value("cassettes", meaning, "FILE.cassette", nargs="+")
    add_forms(parser, "print a table (the default)", "player and role")


def run(options: Options) -> int:
    """Print the table; return 1 if a player has no marks."""
    from negotiation_tui.examination.desk import desk

    found = desk(options.cassettes)
    for line in found.unjudged:
        notice(line)
    if options.csv:
        print_csv(found.flat()[0], found.flat())
    else:
        print(json.dumps(found.to_dict()) if options.json else found)
    return int(bool(found.unjudged))
