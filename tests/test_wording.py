"""Docstrings, comments, messages and pages avoid what readers were seen to stumble over."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.support.paths import DOCS, ROOT

HEADLESS = re.compile(
    r"(What|Who|Whoever|Whose|Where|Wherever|Whether|Which|How|When|Why|That|The same|So many"
    r"|Some of|As (it|they|the)|It|They|These|Those|One of)\b"
)
"""First words of a docstring that leave its subject out."""

_COUNTED = (
    "actions?|agents?|bytes|bars?|cells?|columns?|cycles?|deals?|decisions?|draws|entry|entries"
    "|episodes?|frames?|jobs?|kB|lines?|MB|moves?|names?|negotiations?|numbers?|offers?|panes?"
    "|ply|plies|prices?|rounds?|rows?|runs?|seconds?|seeds?|states?|steps?|tables?|ticks?|times"
    "|trades|trainings?|turns?|values?|words?"
)
_UNITS = (
    "action|agent|call|cell|column|count|cycle|day|decision|entry|episode|frame|game|job|line"
    "|minute|negotiation|offer|pair|pairing|player|ply|price|process|role|round|row|run|screen"
    "|seat|second|seed|side|state|step|strategy|team|thread|tick|training|turn|week|worker"
)
A_FOR_PER = re.compile(rf"\b({_COUNTED}) an? ({_UNITS})\b")
"""Such as "one row a run": plain English says "one row per run"."""

MODULES = sorted((ROOT / "negotiation_tui").rglob("*.py"))
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))]


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for statement in body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str):
                    yield statement.lineno, text


def texts(source: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in {tokenize.STRING, tokenize.COMMENT}:
            yield token.start[0], " ".join(token.string.split())


def prose(page: str) -> str:
    """A page without its blocks of code; inline code stays, as it is read in the sentence."""
    return re.sub(r"(?s)```.*?```", lambda block: "\n" * block[0].count("\n"), page)


def found(lines: list[tuple[int, str]], file: Path) -> list[str]:
    return [
        f"{file.relative_to(ROOT)}:{line}: {match[0]!r}"
        for line, text in lines
        if (match := A_FOR_PER.search(text))
    ]


def test_code() -> None:
    for file in MODULES:
        source = file.read_text(encoding="utf-8")
        headless = [
            f"{file.relative_to(ROOT)}:{line}: {text.split(chr(10))[0]!r}"
            for line, text in docstrings(ast.parse(source))
            if HEADLESS.match(text.lstrip())
        ]
        assert not headless
        if A_FOR_PER.search(" ".join(source.split())):  # to take a module apart takes long
            assert not found(list(texts(source)), file)


def test_pages() -> None:
    for file in PAGES:
        lines = list(enumerate(prose(file.read_text(encoding="utf-8")).splitlines(), 1))
        assert not found(lines, file)
