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
    r"\bWho (opens (wins|will|gains)|can wait|only does)|makes the last offer too|It also allows"
    r"|Nobody can gain|Better plans, each alone|goes back move by move|learns now and tries"
    r"|The good costs|fixed rules haggle:|[Ff]rom nothing: at|half-way|gives the story back"
    r"|playing it all again|mark a negotiation|back from the what-if|nothing to decide here"
    r"|You buy\. |You sell\. |its distance from|you no longer play|of what they divide"
    r"|learn on, from|3 all depended|cycle less turns|the workers start|one number tells"
    r"|of what both could\b(?! if)|meets the other half|to [a-z]+ would have earned"
    r"|[Ww]ho opens gets|[Ww]ho opens, gets|could gain alone|gain, each alone|[Tt]he training waits"
    r"|it knows nothing|\bbegun in round|not learned:|\? several equal|– never decides|took this \""
    r"|by fixed rules, coins|money in training|switches the column|in practice (last|this) cycle"
    r"|turn 2 on|must judge|Better plans, each|of it from one negotiation|best response 1\b"
    r"|[0-9}] %( (of|to|lost|and|in|on|each)\b|[.,;:\"'])"
)
"""Phrases that an editor has replaced; a percentage has no blank."""
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
