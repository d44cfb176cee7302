"""A simulated class: transcripts of people who play at random, and files of some who misbehave."""

import os
from pathlib import Path

import numpy as np

from negotiation_tui import Role, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from tests.support.game import some
from tests.support.trainings import new_session

SEATS = ("boulware", "midpoint")
ORIGINAL = Scenario.original()


def play(
    path: Path, name: str, games: int, seed: int = 0, scenario: Scenario = ORIGINAL, seat: int = 1
) -> None:
    """Write the transcript of a person."""
    path.parent.mkdir(parents=True, exist_ok=True)
    session = record_to(new_session(scenario, Parameters(), seed, SEATS), path)
    session.handle(do.Sit(Role(seat), name))
    rng = np.random.default_rng(seed)
    for n in range(games):
        if n:
            session.handle(do.Play())
        while (position := some(session.snapshot.negotiation).transcript.position) is not None:
            session.handle(do.Act(int(rng.choice(np.array(position.legal)))))


def misbehave(top: Path) -> dict[str, tuple[str, int, int]]:
    """Write five folders; return their names with the person, the games and what is not read."""
    play(top / "damaged/games.jsonl", "dora", 4)
    lines = (top / "damaged/games.jsonl").read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"deal"', b'"Deal"')
    (top / "damaged/games.jsonl").write_bytes(b"".join([*lines, b"{}\n", lines[1][:-9]]))
    play(top / "huge/games.jsonl", "hugo", 2)
    os.truncate(top / "huge/games.jsonl", 80_000_000)  # zeros, which take no room on a disk
    play(top / "escapes/games.jsonl", "\x1b[2J\x1b]0;taken\x07eve\n", 3)
    (top / "binary").mkdir()
    (top / "binary/games.jsonl").write_bytes(np.random.default_rng(0).bytes(5000))
    (top / "link").mkdir()
    (top / "link/games.jsonl").symlink_to("/dev/zero")
    return {
        "damaged": ("dora", 3, 3),
        "huge": ("hugo", 2, 2),
        "escapes": ("\\u001b[2J\\u001b]0;taken\\u0007eve", 3, 0),
        "binary": ("binary", 0, (top / "binary/games.jsonl").read_bytes().count(b"\n") + 1),
        "link": ("link", 0, 1),
    }
