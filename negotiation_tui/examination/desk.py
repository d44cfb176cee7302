"""A desk: one table of several players, made of the cassettes of their examinations.

Figures are rounded before they are compared: the same files give the same desk on any machine. A
player is ranked only before those that lie apart from it, among all pairs. There is no total.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from itertools import combinations, product
from math import erfc, fsum, hypot, inf, sqrt
from pathlib import PurePath
from typing import Any

from negotiation_tui.errors import BadInputError, NoAnswerError
from negotiation_tui.examination.defaults import SENTENCES
from negotiation_tui.examination.examine import replayed
from negotiation_tui.examination.results import ExamSetup, Marks
from negotiation_tui.examination.talk import Moved
from negotiation_tui.game.roles import Role
from negotiation_tui.players.haggle import STATED
from negotiation_tui.players.spec import short_name
from negotiation_tui.runtime.estimate import NORMAL_95, Estimate
from negotiation_tui.runtime.records import replace, sealed
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.text import between, cleaned, joined, table

RANKED = ("exploitability", "regret")  # the less, the better
_FIGURES = ("exploitability", "exploitability_rank", "regret", "regret_rank", "talk", "bits")
"""The columns with two values, the least and the most, or None."""
_MANNERS = (
    "questions",
    "good",
    "refused",
    "failures",
    "kinds",
    "reachable",
    "asked",
    "alike",
    "alike_p",
)
_ABOUT = ("program", *STATED)
_LEVEL = 0.05  # of all ranks together
_DIGITS, _CERTAIN = 3, 9  # digits of a figure; digits that do not depend on the machine
_LONGEST = 100  # characters of a name
_OVERLAP = "A rank is a range where intervals overlap: no order is known there."
_SAMPLE = "Nothing is known of a player that was asked a sample of its decisions."


@sealed(frozen=True, eq=False)
class Desk:
    """The marks of several players in one game. `str` gives the table."""

    setup: ExamSetup  # of one of the players
    rows: tuple[ResultRow, ...]  # one per player and role, the least exploitability first
    unjudged: tuple[str, ...]  # a line per player without marks

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `--json` prints them."""
        game, known = self.setup.to_dict(), ("scenario", "discount_rate", "against")
        return {**{key: game[key] for key in known}, "rows": [*self.rows]}

    def flat(self) -> list[ResultRow]:
        """Return the rows with two columns in the place of each pair, as `--csv` prints them."""
        return [
            {name: each for key, value in row.items() for name, each in _columns(key, value)}
            for row in self.rows
        ]

    def __str__(self) -> str:
        lines = [_game(self.setup), "Bounds and 95% intervals. " + _OVERLAP]
        lines += [_SAMPLE] if any(row["asked"] < row["reachable"] for row in self.rows) else []
        for role in dict.fromkeys(row["role"] for row in self.rows):
            own = [row for row in self.rows if row["role"] == role]
            lines += ["", f"as the {role}", *_section(_FIGURES, own), "", *_section(_MANNERS, own)]
        players = [*{row["player"]: row for row in self.rows}.values()]
        return "\n".join([*lines, "", *_section(_ABOUT, players, "<")])


def desk(paths: Sequence[str]) -> Desk:
    """Judge the players of cassettes again. Raises BadInputError if their games differ."""
    paths, setups, rows = sorted(paths), dict[str, ExamSetup](), list[ResultRow]()
    unjudged, lines = list[BadInputError](), list[str]()
    stems = [PurePath(path).stem for path in paths]
    for path, name in zip(paths, stems if len({*stems}) == len(stems) else paths, strict=True):
        try:
            examination = replayed(path)
        except BadInputError as error:
            unjudged.append(error)
            lines.append(str(error) if path in str(error) else f"{path}: {error}")
            continue
        setup = setups[path] = examination.setup
        first = next(iter(setups))
        if _rules(setup) != _rules(setups[first]):
            expected = f"expected the scenario, γ and opponents of {first}"
            raise BadInputError(f"{path}: {expected}, got others: {_game(setup)}")
        rows += [_row(cleaned(name, _LONGEST), setup, each) for each in examination.marks]
    if not setups:
        alike = all(isinstance(each, NoAnswerError) for each in unjudged)
        raise (NoAnswerError if alike else BadInputError)("; ".join(lines))
    for role, key in product(map(str, Role), RANKED):
        some = [row for row in rows if row["role"] == role]
        for row, rank in zip(some, ranks([each[key] for each in some]), strict=True):
            row[f"{key}_rank"] = rank
    rows.sort(
        key=lambda row: (Role.of(row["role"]), row["exploitability_rank"] or [inf], row["player"])
    )
    return Desk(setups[first], tuple(rows), tuple(lines))


def _game(setup: ExamSetup) -> str:
    rate, against = f"γ = {setup.discount_rate:g}", joined(setup.against)
    return f"{setup.scenario.name}, {rate}; regret is the mean against {against}"


def _rules(setup: ExamSetup) -> tuple[Any, ...]:
    """Return what must be alike in a desk; the marks but that of talk are asked without talk."""
    return replace(setup.scenario, talk=False), setup.discount_rate, setup.against


def _row(name: str, setup: ExamSetup, marks: Marks) -> ResultRow:
    found, answered = marks.exploitability, marks.answered
    assert answered is not None  # a cassette is of a program
    manners, compared = answered.manners, answered.consistency
    alike = compared.consistent and (answered.asked == answered.reachable or None)
    bits = _mean([each.bits for each in marks.disclosures], len(setup.against))
    stated = {key: ", ".join(manners.stated.get(key, ())) for key in STATED}
    return {
        "player": name,
        "role": str(marks.role),
        "exploitability": _pair(found.least, found.most) if found else None,
        "exploitability_rank": None,
        "regret": _mean([each.regret for each in marks.regrets], len(setup.against)),
        "regret_rank": None,
        "talk": _talk(marks.talk),
        "bits": bits and [max(0.0, each) for each in bits],
        "questions": manners.questions,
        "good": manners.questions - manners.lost,
        "refused": manners.refused,
        "failures": manners.failures,
        "kinds": manners.by_kind,
        "asked": answered.asked,
        "reachable": answered.reachable,
        "alike": alike,
        "alike_p": _rounded(compared.chance) if compared.decisions else None,
        "program": cleaned(short_name(setup.spec), _LONGEST),
        **{key: cleaned(text, _LONGEST) for key, text in stated.items()},
    }


def _mean(estimates: Iterable[Estimate | None], n: int) -> list[float] | None:
    """Return the interval of the mean of n estimates, whatever their correlation; None if fewer."""
    found = [each for each in estimates if each]
    if not found or len(found) < n:
        return None
    mean, error = (fsum(each) / n for each in zip(*map(astuple, found), strict=True))
    return _pair(mean - error, mean + error)


def _talk(moved: Sequence[Moved]) -> list[float] | None:
    """Return the share of answers that a sentence changes, above what changes without one."""
    bounds = [each.bounds for each in moved if each.bounds]
    if len(bounds) <= len(SENTENCES):
        return None
    (fewest, most), *said = bounds
    low, high = (fsum(each) / len(said) for each in zip(*said, strict=True))
    return _pair(low - most, high - fewest)


def _pair(least: float | None, most: float | None) -> list[float] | None:
    return None if least is None or most is None else [_rounded(least), _rounded(most)]


def _rounded(value: float) -> float:
    """Round a figure: first to digits that are certain, so that a tie is one on every machine."""
    return round(round(value, _CERTAIN), _DIGITS) + 0.0


def ranks(intervals: Sequence[list[float] | None]) -> list[list[int] | None]:
    """Return the first and the last rank that each can have, by the pairs that lie apart.

    The intervals of such a pair do not overlap. Its difference is significant among those of all
    pairs too, by the correction of Holm.
    """
    known = sorted((each, n) for n, each in enumerate(intervals) if each)
    pairs = sorted((_chance(low, high), m, n) for (low, m), (high, n) in combinations(known, 2))
    by_number = {n: each for each, n in known}
    better, worse = Counter[int](), Counter[int]()
    for left, (chance, m, n) in zip(range(len(pairs), 0, -1), pairs, strict=True):
        if chance * left > _LEVEL:
            break
        apart = by_number[m][1] < by_number[n][0]
        better[n], worse[m] = better[n] + apart, worse[m] + apart
    return [
        [1 + better[n], len(known) - worse[n]] if each else None for n, each in enumerate(intervals)
    ]


def _chance(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the chance of a difference as large between players with equal marks."""
    apart = abs(one[0] + one[1] - other[0] - other[1])
    error = hypot(one[1] - one[0], other[1] - other[0]) / NORMAL_95
    return erfc(apart / error / sqrt(2)) if error else float(not apart)


def _columns(key: str, value: Any) -> Iterable[tuple[str, Any]]:
    if key not in _FIGURES:
        return [(key, value)]
    return zip((f"{key}_least", f"{key}_most"), value or (None, None), strict=True)


def _section(columns: Sequence[str], rows: Sequence[ResultRow], side: str = ">") -> list[str]:
    """Return the lines of the columns that are not empty, behind the names of the players."""
    cells = [(key.rpartition("_")[2], *(_cell(row[key]) for row in rows)) for key in columns]
    known = [each for each in cells if {*each[1:]} != {"–"}]
    return table(zip(("player", *(row["player"] for row in rows)), *known, strict=True), "<", side)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return between(value[0], value[1], 0 if isinstance(value[0], int) else _DIGITS)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value in {None, ""} else f"{value:g}" if isinstance(value, float) else str(value)
