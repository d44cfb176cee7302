"""Lists of what can play or learn: all entries, or one with its settings; and tables as CSV."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from negotiation_tui.cli.parser import Options, Parser

if TYPE_CHECKING:
    from negotiation_tui.runtime.settings_text import Setting

    SettingsOf = Callable[[Any], list[Setting]]


def add_name(parser: Parser, kind: str) -> None:
    """Add the optional argument that names one entry, called as its kind, and `--json`."""
    parser.value(kind, f"the {kind} to show with settings", "NAME", nargs="?")
    parser.flag("--json", "print as JSON")


def chosen(
    options: Options, kind: str, entries: Mapping[str, Any], settings_of: "SettingsOf"
) -> str | None:
    """Return the text of the entry that was named, or of all as JSON; None if neither is wanted."""
    from negotiation_tui.runtime.text import table
    from negotiation_tui.runtime.validate import one_of

    def as_dict(name: str) -> dict[str, object]:
        each = entries[name]
        settings = [setting._asdict() for setting in settings_of(each)]
        return {"summary": each.summary, "source": each.source, "settings": settings}

    name: str | None = getattr(options, kind)
    if name is None:
        return json.dumps({each: as_dict(each) for each in entries}) if options.json else None
    entry = entries[one_of(kind, name, tuple(entries))]
    if options.json:
        return json.dumps(as_dict(name))
    settings = settings_of(entry)
    head = ("setting", "default", "values", "meaning")
    rows = table([head, *settings], "<") if settings else ["It has no settings."]
    return "\n".join([entry.summary, f"source: {entry.source or 'none'}", "", *rows])


def add_forms(parser: Parser, text: str, row: str) -> None:
    """Add the options of the form of a table; `text` is the meaning of the first."""
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--text", action="store_true", help=text)
    forms.add_argument("--json", action="store_true", help="print the results as JSON")
    forms.add_argument("--csv", action="store_true", help=f"print a row per {row} as CSV")


def print_csv(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Print rows as CSV; no spreadsheet takes a cell with text for a formula."""
    table = csv.DictWriter(sys.stdout, [*columns], lineterminator="\n")
    table.writeheader()
    table.writerows({key: _harmless(cell) for key, cell in row.items()} for row in rows)


def _harmless(cell: object) -> object:
    formula = isinstance(cell, str) and cell[:1] in {"=", "+", "-", "@"}
    return f"'{cell}" if formula else cell
