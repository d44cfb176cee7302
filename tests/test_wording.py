"""Words that need no reader to judge: a docstring names its subject, and "per" is written out."""

import re

from tests.support.paths import DOCS, ROOT

HEADLESS = re.compile(r'"""((What|Who|Whose|Where|Whether|Which|How|When|Why)(ever)?\b[^\n"]*)')
"""A docstring that begins with a question word."""
A_FOR_PER = re.compile(
    r"\b(\d|one|two|three) ([a-z]+s|[kM]i?B|entry|line|row) an? "
    r"(action|agent|cell|cycle|day|decision|game|minute|negotiation|ply|price|role|round|row|run"
    r"|second|seed|side|state|step|tick|training|turn)\b"
)
"""Such as "one row a run", also over the end of a line."""
SOURCES = [
    *sorted((ROOT / "negotiation_tui").rglob("*.py")),
    *(ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))),
]


def test_words() -> None:
    faults = []
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        head, per = HEADLESS.findall(text), A_FOR_PER.findall(" ".join(text.split()))
        found = [(line, f"a verb or a noun, such as Return, not {word}") for line, word, _ in head]
        found += [(" ".join(each), f"per {each[-1]}") for each in per]
        faults += [f"{source}: {words!r}: write {better}" for words, better in found]
    assert not faults, "\n".join(faults)
