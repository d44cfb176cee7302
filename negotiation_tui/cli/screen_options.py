"""Options of the subcommands with a screen, and contests on the screen or printed."""

import re
import sys
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING, Any

from negotiation_tui.cli.options import add_workers, number_from
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError, BrokenOffError
from negotiation_tui.runtime.output import columns_of, notice
from negotiation_tui.runtime.text import quoted
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.negotiation.pace import NAMES
from negotiation_tui.tui.toolkit.canvas import bounded
from negotiation_tui.tui.toolkit.run_screen import Opened, RenderOptions, on_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from negotiation_tui.contest.contest import Contest, RunGrid
    from negotiation_tui.runtime.result_file import ResultFile, ResultRow
    from negotiation_tui.tui.negotiation.watch import Begin, Once

_LONGEST = 600  # the greatest length of a film in seconds
_PLAIN = str.maketrans("–×…±", "-x.~")


def add_screen(parser: Parser) -> None:
    pace = ENTRIES["pace"]
    meaning = f"{pace.meaning}: {', '.join(NAMES)} ({pace.default})"
    parser.choice("--pace", NAMES, meaning, metavar="PACE")
    add_appearance(parser)
    for name in ("paused", "advice"):
        parser.switch(f"--{name}", ENTRIES[name].meaning)


def begin_of(options: Options, pace: str | None = None) -> "Begin":
    """Return how a screen of two agents starts: at `pace`, unless the user chose another."""
    from negotiation_tui.tui.negotiation.watch import Begin

    configuration = read()
    paused, advice = (
        configuration.chosen(name, getattr(options, name)) for name in ("paused", "advice")
    )
    chosen = options.pace or configuration.entries.get("pace") or pace
    return Begin(NAMES.index(configuration.chosen("pace", chosen)), paused, advice)


def open_tour() -> Opened[Any]:
    from negotiation_tui.tui.tour.watch import opened

    return opened()


def moment_option(word: str) -> tuple[str, int, int]:
    """Return the word of a moment, its number of cycles and its number of games after them."""
    found = re.fullmatch(r"([0-9]{1,18})(?::([0-9]{1,18}))?", word)
    if not found:
        expected = "a cycle, or a cycle and a game, such as 12 or 12:40"
        raise ArgumentTypeError(f"expected {expected}, got {quoted(word)}")
    return word, int(found[1]), int(found[2] or 0)


def add_once(parser: Parser) -> None:
    parser.flag("--once", "print one frame as text after a cycle, then exit")
    parser.value("--svg", "with --once: write the frame to FILE, as a picture (SVG)", "FILE")
    parser.flag("--json", "with --once: print the facts of the frame as JSON")
    parser.value("--film", "write a film of the screen to FILE, as an animated SVG", "FILE")
    meaning = f"with --film: its greatest length, 1 to {_LONGEST} (30)"
    parser.value("--seconds", meaning, "S", number_from(1, _LONGEST))
    meaning = "with --once or --film: columns and rows, such as 100x30"
    parser.value("--size", meaning, "COLUMNSxROWS", _size)


def once_of(options: Options) -> "Once | None":
    """Return the options for one frame or for a film, None for the screen."""
    from negotiation_tui.tui.negotiation.watch import Once

    needs = {"svg": "--once", "json": "--once", "seconds": "--film", "size": "--once or --film"}
    given = {"--once": options.once, "--film": options.film is not None}
    if all(given.values()):
        raise BadInputError("--film makes a film in place of the frame; leave out --once")
    for name, needed in needs.items():
        is_given = getattr(options, name) not in {None, False}
        if is_given and not any(given[option] for option in needed.split(" or ")):
            raise BadInputError(f"--{name}: add {needed}")
    if not any(given.values()):
        return None
    once = Once(options.svg, options.json, options.film, size=options.size)
    return once if options.seconds is None else once._replace(seconds=options.seconds)


def _size(word: str) -> tuple[int, int]:
    columns, cross, rows = word.lower().replace("×", "x").partition("x")
    if not (cross and columns.isdecimal() and rows.isdecimal()):
        raise ArgumentTypeError(f"expected columns and rows, such as 100x30, got {quoted(word)}")
    width, height = int(columns), int(rows)
    if bounded(width, height) != (width, height) or not (width and height):
        raise ArgumentTypeError(f"expected at least 1x1 and at most 1000x400, got {quoted(word)}")
    return width, height


def add_appearance(parser: Parser) -> None:
    for name in ("theme", "color"):
        entry = ENTRIES[name]
        parser.choice(f"--{name}", entry.choices, f"{entry.meaning} ({entry.default})")
    for name in ("animation", "mouse", "speak", "ascii"):
        parser.switch(f"--{name}", ENTRIES[name].meaning)
    fps = ENTRIES["fps"]
    parser.value("--fps", f"{fps.meaning} ({fps.default:g})", kind=number_from(1, 30))


def appearance_of(options: Options) -> RenderOptions:
    configuration = read()
    names = (name for name in RenderOptions._fields if name != "keys")
    values = {name: configuration.chosen(name, getattr(options, name)) for name in names}
    return RenderOptions(**values, keys=configuration.keys)


def add_output(parser: Parser, job: str) -> None:
    meaning = f"output file, a row per {job}, .csv or .jsonl; resumed if it exists"
    parser.value("--out", meaning, "FILE")
    form, text = parser.add_mutually_exclusive_group(), "print the results, without the screen"
    form.add_argument("--text", action="store_true", help=text)
    form.add_argument("--json", action="store_true", help="print the results as JSON, without it")
    add_workers(parser)
    default = str(ENTRIES["paused"].default).lower()
    parser.switch("--paused", f"wait for a key before the first {job} ({default})")
    add_appearance(parser)


def shown(options: Options, grid: "RunGrid") -> "ResultFile | None":
    """Show runs on the screen until the user quits; return their file, None without a terminal."""
    appearance = appearance_of(options)
    if not on_terminal(appearance) or options.text or options.json:
        return None
    from negotiation_tui.tui.tournament.update import watch

    file, paused = grid.file(options.out), bool(read().chosen("paused", options.paused))
    try:
        watch(grid, file, options.workers, options.cluster, appearance, paused)
    except BrokenOffError:  # its line says how to go on
        file = grid.file()
        raise
    finally:
        if file.path and file.missing:
            notice(file.how_to_go_on)
    return file


def run_contest(options: Options, contest: "Contest") -> int:
    if file := shown(options, contest):
        return _status(contest, file.rows())
    from negotiation_tui.contest.contest import ASCII_SHADES, SHADES

    file, appearance = contest.file(options.out), appearance_of(options)
    rows = contest.rows(file, options.workers, options.cluster)
    if options.json:
        import json

        print(json.dumps(contest.to_dict(rows)))
        return _status(contest, rows)
    width = columns_of(sys.stdout)
    plain = appearance.ascii or not sys.stdout.encoding.lower().startswith("utf")
    text = contest.text(rows, width, ASCII_SHADES if plain else SHADES)
    print(text.translate(_PLAIN) if plain else text)
    return _status(contest, rows)


def _status(contest: "Contest", rows: "Sequence[ResultRow]") -> int:
    """Print a line per program that lost questions; return 1 if it, or nobody, could play."""
    from negotiation_tui.contest.contest import lost_text, none_played

    for text in filter(None, (lost_text(each, rows) for each in contest.entrants)):
        notice(text)
    return int(none_played(rows))
