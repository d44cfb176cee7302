"""Ways out of a restricted folder in each option with a value: one line, and nothing is touched.

The options are those of the parsers, so that a new one is covered.
"""

import os
from argparse import Action
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from negotiation_tui.cli.main import RESTRICTED, SUBCOMMANDS, parser
from tests.support.confined import FEW, contents, run_confined, two_folders

if os.name == "nt":
    raise ImportError("needs Unix")
SMALL, LONG = 1, 120
LINES = 30  # command lines of a case
BASE = {
    "watch": f"--once {FEW} | {FEW}",
    "train": f"{FEW} --no-verbose",
    "replay": "run.jsonl --once",
    "test": "tables.npz --negotiations 2",
    "reproduce": "delay --runs 2 --workers 1 | --runs 2 --workers 1",
    "sweep": "--set cycles=2 --set episodes=2 --runs 1 --workers 1",
    "tournament": "boulware micro --text --negotiations 1 --workers 1",
    "league": "--text --learners sarsa --games 2x1 --seeds 2 --episodes 10 --workers 1",
    "market": "--text --limit steps=1",
    "results": ".",
    "examine": "boulware --role buyer --against linear",
    "desk": "run.jsonl",
    "check": "boulware --minutes 0.01",
}
"""Other words of a subcommand, which make it end soon; or others, if an option needs them."""
THERE_NOT = "secret", "secres"  # the name of a file and of none
PLACES = (
    *(
        "OUT/NAME",
        "OUT/NAME.toml",
        "OUT/NAME.jsonl",
        "OUT/NAME.csv",
        "OUT/NAME.npz",
        "OUT/NAME.svg",
    ),
    *("OUT/tables.npz", "OUT/config.toml", "OUT/evil.py", "OUT", "../outside/NAME", "way/NAME"),
    *("way/tables.npz", "way", "link.npz", "dangling.npz", "hard.npz", "pipe", ".ssh/NAME"),
    *("/dev/zero", "/proc/self/environ", "/etc/passwd", "OUT/NAME.cassette", "evil.py"),
)
FORMS = (
    *("{}",) * 8,
    *("learned:{}", "learned:evil.py", "cmd:cat {}", "cmd:touch OUT/NAME", "negmas:evil.make"),
    *("x={}", "seller={}", "learner={}", "scenario={}", "{}:seller", "{},{}", "tcp://127.0.0.1:9"),
    *("boulware:{}", "evil.py:Boulware", "evil:make", "file://{}", "x={},{}"),
)


def attack(random: Random) -> None:
    place = two_folders(Path.cwd())
    before = contents(place)
    chosen = [way_out(random, str(place / "outside")) for _ in range(LINES)]
    lines = [
        [word.replace("NAME", name) for word in words] for words in chosen for name in THERE_NOT
    ]
    first = [RESTRICTED, str(place / "inside"), *lines[0]]
    results = run_confined([first, *lines[1:]])
    after = contents(place)
    for words, (status, out, err) in zip(lines, results, strict=True):
        said = f"{words}: {status}, {out[:300]!r}, {err!r}"
        name = words[-1]
        odd = "/" not in name and str(place / "inside" / name) not in before  # no way out
        assert status == 2 or (status == 0 and odd), said
        assert status == 0 or (not out and err.count("\n") == 1), said
        assert not [word for word in ("the secret", "Traceback", "root:") if word in out + err], (
            said
        )
    for words, there, absent in zip(chosen, results[::2], results[1::2], strict=True):
        if "NAME" in words[-1]:
            assert there[2].replace(*THERE_NOT) == absent[2], f"{words}: {there[2]}, {absent[2]}"
    assert before.items() <= after.items(), f"files have changed after one of {chosen}"
    outside = str(place / "outside")
    assert not [name for name in {*after} - {*before} if name.startswith(outside)], chosen


def way_out(random: Random, outside: str) -> list[str]:
    command, option = random.choice(options())
    value = random.choice(FORMS).replace("{}", random.choice(PLACES)).replace("OUT", outside)
    words = random.choice(BASE.get(command, "").split(" | ")).split()
    if option:
        return [command, *words, option, value]
    return [command, value, *words[bool(words and words[0][0] != "-") :]]


@cache
def options() -> list[tuple[str, str]]:
    """Return each subcommand with each option that takes any text; empty for the first argument."""
    return [
        (name, (each.option_strings or [""])[-1]) for name in SUBCOMMANDS for each in taken(name)
    ]


def taken(name: str) -> Iterator[Action]:
    choices: Any = next(each.choices for each in parser([name])._actions if each.choices)
    for each in choices[name]._actions:
        if each.nargs != 0 and not each.choices:
            yield each
