"""How names and numbers are written, on the screen and off it. Pure."""

from collections.abc import Iterable, Sequence


def clip(text: str, width: int) -> str:
    """Text in at most so many characters."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def abbreviate(name: str, width: int) -> str:
    """A name in at most so many characters; the end, which tells it from others, stays.

    `reinforc…-12`: of an agent that has a number this is its number.
    """
    if len(name) <= width:
        return name
    _, dash, number = name.rpartition("-")
    end = min(width - 1, len(dash + number) if number.isdigit() else width // 3)
    return f"{name[: width - 1 - end]}…{name[len(name) - end :]}"


def split_width(width: int, one: int, other: int) -> tuple[int, int]:
    """How much of a width two texts that are so long get: half each, or what the other leaves."""
    first = min(one, max(width // 2, width - other))
    return first, min(other, width - first)


def plural(number: int, thing: str) -> str:
    """So many things."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def either(words: Sequence[str]) -> str:
    """The words as alternatives: `a, b or c`."""
    *most, last = map(str, words)
    return f"{', '.join(most)} or {last}" if most else last


def table(rows: Iterable[Sequence[str]], *columns: str) -> list[str]:
    """Return one line per row, in aligned columns that are two spaces apart.

    A column is `<` (left) or `>` (right), or with a least width such as `>12`. The last one given
    also serves all columns after it.
    """
    aligned = []
    for n, cells in enumerate(zip(*rows, strict=True)):
        column = columns[min(n, len(columns) - 1)]
        width = max(int(column[1:] or 0), *map(len, cells))
        aligned.append([c.ljust(width) if column[0] == "<" else c.rjust(width) for c in cells])
    return ["  ".join(cells).rstrip() for cells in zip(*aligned, strict=True)]
