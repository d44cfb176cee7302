"""Lists of what can play or learn: all entries, or one with its settings."""

import json
from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from negotiation_tui.cli.parser import Parser

if TYPE_CHECKING:
    from negotiation_tui.runtime.settings_text import Setting


class Entry(NamedTuple):
    """A strategy or a learner."""

    summary: str
    source: str
    settings: "list[Setting]"

    def to_dict(self) -> dict[str, object]:
        return {**self._asdict(), "settings": [setting._asdict() for setting in self.settings]}

    def __str__(self) -> str:
        """Return the summary, the source, and a table of the settings."""
        from negotiation_tui.runtime.text import table

        head = ("setting", "default", "values", "meaning")
        rows = table([head, *self.settings], "<") if self.settings else ["It has no settings."]
        return "\n".join([self.summary, f"source: {self.source or 'none'}", "", *rows])


def add_name(parser: Parser, kind: str) -> None:
    """Add the optional argument that names one entry, called as its kind, and `--json`."""
    parser.value(kind, f"the {kind} to show with settings", "NAME", nargs="?")
    parser.flag("--json", "print as JSON")


def chosen(options: Namespace, kind: str, entries: Mapping[str, Entry]) -> str | None:
    """Return the text of the entry that was named, or of all as JSON; None if neither is wanted.

    Raises BadInputError for an unknown name.
    """
    from negotiation_tui.runtime.validate import known_name

    name: str | None = getattr(options, kind)
    if name is not None:
        entry = entries[known_name(kind, name, tuple(entries))]
        return json.dumps(entry.to_dict()) if options.json else str(entry)
    if options.json:
        return json.dumps({name: entry.to_dict() for name, entry in entries.items()})
    return None
