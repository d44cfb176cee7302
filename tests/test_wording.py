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
REPLACED = re.compile(
    r"\bWho (opens (wins|will|gains|gets)|can wait|only does)|who opens gets|: it makes the last offer"
    r"|Nobody can gain by another plan|Better plans, each alone|goes back move by move"
    r"|learns now and tries|The good costs|fixed rules haggle:|from nothing: at first"
    r"|half-way|gives the story back|playing it all again|mark a negotiation to go|back from the what"
    r"|nothing to decide here|You buy\. It|You sell\.|earns its distance|you no longer play"
    r"|costs them \{?[^ ]* ?% of what they|both learn on|lesson 3 all depended|one cycle less turns"
    r"|the workers start|It also allows|[0-9}] %[ .,;\"']"
)
"""Phrases and patterns that an editor has replaced; a percentage has no blank."""
SOURCES = [
    *sorted((ROOT / "negotiation_tui").rglob("*.py")),
    *(ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("*.md"))),
]


def test_words() -> None:
    faults = []
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        flat = " ".join(text.split())
        head, per = HEADLESS.findall(text), A_FOR_PER.findall(flat)
        found = [(line, f"a verb or a noun, such as Return, not {word}") for line, word, _ in head]
        found += [(" ".join(each), f"per {each[-1]}") for each in per]
        found += [(each[0], "as an editor would") for each in REPLACED.finditer(flat)]
        faults += [f"{source}: {words!r}: write {better}" for words, better in found]
    assert not faults, "\n".join(faults)
