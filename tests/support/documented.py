"""The pages, and the command lines in their code blocks."""

import re
import shlex
from collections.abc import Iterator
from itertools import groupby, takewhile
from typing import NamedTuple

from tests.support.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = ("negotiation-tui", "python", "python3", "pip", "dask", "zensical", "twine", "py")
"""What a line of code begins with to be a command, apart from a folder before it."""
SHELLS = {"", "sh", "bash", "console", "shell"}


class Command(NamedTuple):
    """One command; a line that joins several by `&&` has several."""

    page: str
    program: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.page}: {shlex.join([self.program, *self.words])}"


def code(text: str) -> Iterator[str]:
    """The lines of the blocks that hold no other language, indented or fenced."""
    language: str | None = None
    for line in text.splitlines():
        fence = re.match(r" *```+ *(\w*)", line)
        if fence:
            language = fence[1] if language is None else None
        elif language in SHELLS or (language is None and line.startswith("    ")):
            yield line.strip().removeprefix("$ ")


def prose(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def commands() -> list[Command]:
    """Every command of every page, each once, with the first page that has it."""
    found: dict[tuple[str, ...], Command] = {}
    for page in PAGES:
        for line in code(page.read_text(encoding="utf-8")):
            if line.partition(" ")[0].rpartition("/")[2] not in PROGRAMS:
                continue
            for joins, part in groupby(shlex.split(line, comments=True), "&&".__eq__):
                if joins:
                    continue
                first, *words = takewhile(">".__ne__, part)  # the shell writes the output
                program = first.rpartition("/")[2]
                found.setdefault((program, *words), Command(page.name, program, tuple(words)))
    assert found
    return list(found.values())


def anchors(text: str) -> set[str]:
    """What a link to a page can lead to, as GitHub and the site name it."""
    titles = re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)
    bare = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.strip().replace(" ", "-") for title in bare}


def links(text: str) -> Iterator[tuple[str, str]]:
    """The target and the anchor of every link and picture that leads to a file here."""
    pattern = r"(?:\]\(|src(?:set)?=\"|href=\")([^)\"#\s]*)#?([^)\"\s]*)"
    for target, anchor in re.findall(pattern, prose(text)):
        if "://" not in target:
            yield target, anchor
