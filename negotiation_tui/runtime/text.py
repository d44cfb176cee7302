"""Format names, numbers and tables as text. Pure functions."""

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

_INVISIBLE = "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]"
LEAST_COST = 0.005  # the least share of what there is to divide that waiting costs, if it is told


def printable(text: str) -> str:
    r"""Escape what a terminal would obey or hide instead of showing it, all but line feed and tab.

    So control characters, marks of direction and undecodable bytes of a file name. The escape
    `\u009b` is read by JSON and TOML.
    """
    if text.isprintable():
        return text
    lines = text.split("\n")
    return "\n".join(line if line.isprintable() else "".join(map(_escape, line)) for line in lines)


def one_line(text: object) -> str:
    return " ".join(str(text).split())


def cleaned(text: object, most: int) -> str:
    """Return a text of strangers in one line of at most `most` characters, safe for a terminal."""
    line = printable(one_line(text))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def visible(text: str) -> str:
    """Show by its code each letter and mark that looks like nothing or a blank."""
    return re.sub(_INVISIBLE, lambda found: f"\\u{ord(found[0]):04x}", text)


@lru_cache(maxsize=4096)
def cells_of(character: str) -> int:
    """Return the number of a terminal's cells that a character fills: 0 for a mark on a letter."""
    from unicodedata import category, east_asian_width

    if category(character) in {"Mn", "Me"} or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if east_asian_width(character) in {"W", "F"} else 1


def cells(text: str) -> int:
    return len(text) if text.isascii() else sum(map(cells_of, text))


def quoted(name: str | os.PathLike[str]) -> str:
    """Return a name in quotes, such as that of a file; a backslash stays one, to be copied."""
    return repr(os.fspath(name)).replace("\\\\", "\\")


def duration(seconds: float) -> str:
    """Return a time in its largest unit, such as `40 s` or `3 min`."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.0f} s"


def clip(text: str, width: int) -> str:
    if cells(text) <= width:
        return text
    text = text[: max(0, width - 1)]
    while text and cells(text) >= width:
        text = text[:-1]
    return text + "…"


def shortened(text: str, width: int) -> str:
    """Cut text to at most `width` characters, after a whole word if there is one."""
    if len(text) <= width:
        return text
    words = text[: max(0, width - 1)].rpartition(" ")[0].rstrip(" ·,:;")
    return f"{words} …" if words.strip() else clip(text, width)


def abbreviate(name: str, width: int) -> str:
    """Shorten a name to `width` characters; its end stays: `reinforce-12` to `reinf…-12`."""
    if len(name) <= width:
        return name
    _, dash, number = name.rpartition("-")
    end = min(width - 1, len(dash + number) if number.isdigit() else width // 3)
    return f"{name[: width - 1 - end]}…{name[len(name) - end :]}"


def distinct(names: Sequence[str], width: int) -> list[str]:
    """Cut names to `width` characters; different names stay different, from 3 characters on.

    `random-tit-for-tat` and `random-walk` become `rand…t` and `rand…k`.
    """
    cut = [clip(name, width) for name in names]
    for end in range(1, max(1, width - 1)):
        alike = {text for text in cut if cut.count(text) > 1}
        if not alike:
            break
        for n, name in enumerate(names):
            if cut[n] in alike and "…" in cut[n]:
                cut[n] = f"{name[: width - 1 - end]}…{name[-end:]}"
    return cut


def split_width(width: int, first: int, second: int) -> tuple[int, int]:
    """Share a width between two texts of these lengths: half each, or what the other leaves."""
    width_of_first = min(first, max(width // 2, width - second))
    return width_of_first, min(second, width - width_of_first)


def plural(number: int, thing: str) -> str:
    """Return a number with its noun: `1 run`, `1,000 runs`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def fitting(parts: Iterable[str], width: int) -> str:
    """Join parts with dots; those that would make it longer than `width` are left out."""
    line = ""
    for part in filter(None, parts):
        longer = f"{line} · {part}" if line else part
        if len(longer) <= width:
            line = longer
    return line


def first_fitting(texts: Iterable[str], width: int, otherwise: str = "") -> str:
    """Return the first text of at most `width` characters, `otherwise` if there is none."""
    return next((text for text in texts if len(text) <= width), otherwise)


def between(least: float, most: float, digits: int) -> str:
    """Return two bounds as text, once if they look equal: `0.12`, `0.12 to 0.15`."""
    low, high = f"{least:.{digits}f}", f"{most:.{digits}f}"
    return high if low == high else f"{low} to {high}"


def either(things: Sequence[str], word: str = "or") -> str:
    """Return things as text: `a, b or c`."""
    *most, last = map(str, things)
    return f"{', '.join(most)} {word} {last}" if most else last


def joined(things: Sequence[str]) -> str:
    return either(things, "and")


def table(rows: Iterable[Sequence[str]], *columns: str, width: int | None = None) -> list[str]:
    """Return one line per row, in aligned columns that are two spaces apart.

    A column is `<` (left) or `>` (right), or has a minimum width such as `>12`; all further ones
    are as the last. Lines longer than `width` give up the minimum widths, then the second space.
    """
    rows, sides = list(rows), [column[0] for column in columns]
    for each, gap in ((columns, "  "), (sides, "  "), (sides, " ")):
        lines = _aligned(rows, each, gap)
        if width is None or max(map(cells, lines), default=0) <= width:
            break
    return lines


def _aligned(rows: Sequence[Sequence[str]], columns: Sequence[str], gap: str) -> list[str]:
    aligned = []
    for n, texts in enumerate(zip(*rows, strict=True)):
        column = columns[min(n, len(columns) - 1)]
        width = max(int(column[1:] or 0), *map(cells, texts))
        padded = ((text, " " * (width - cells(text))) for text in texts)
        aligned.append([text + pad if column[0] == "<" else pad + text for text, pad in padded])
    return [gap.join(texts).rstrip() for texts in zip(*aligned, strict=True)]


def _escape(character: str) -> str:
    if character.isprintable() or character == "\t":
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def money(amount: float) -> str:
    """Write an amount in the money of the price: 4, 2.5, −1."""
    return f"{amount:z.1f}".removesuffix(".0").replace("-", "−")


def coins(amount: float) -> str:
    text = money(amount)
    return f"{text} coin{'s' * (text not in {'1', '−1'})}"


def waiting_cost(lost: float, whole: float, whom: object = "them") -> str:
    """Say which share of `whole`, in coins, waiting cost; empty if `lost`, that share, is none."""
    cost = f"waiting cost {whom} {lost * 100:.0f}% of the {coins(whole)}"
    return cost if lost >= LEAST_COST else ""
