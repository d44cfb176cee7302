"""The recording in docs: what anybody who plays it sees."""

import json

from tests.support.paths import DOCS
from tests.support.pty_session import Emulator, Stream

CAST = DOCS / "demo.cast"
SEEN = (
    "The price divides 5 coins",
    "10,000 negotiations/s",
    "past: cycle 74",
    "Why the seller asks 4",
    "▸rules",
    "You buy. It is worth 5 to you.",
    "DEAL at",
    "Your score",
)


def test_the_recording_is_small_and_plays() -> None:
    """Version 2 of asciinema's format: a line about it, then [seconds, "o", output]."""
    head, *events = map(json.loads, CAST.read_text(encoding="utf-8").splitlines())
    assert head["version"] == 2
    assert CAST.stat().st_size < 100_000
    times = [seconds for seconds, _, _ in events]
    assert times == sorted(times)
    assert 15 < times[-1] < 40
    screen = Emulator(head["width"], head["height"])
    stream, seen = Stream(screen), set()
    for _, kind, output in events:
        assert kind == "o"
        stream.feed(output.encode())
        text = "\n".join(screen.display)
        seen |= {words for words in SEEN if words in text}
    assert seen == set(SEEN)
