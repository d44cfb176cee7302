"""Frames of one moment: 20 random keys on a screen of two agents, or of a market."""

from random import Random

from tests.support.one_moment_keys import CASES, SIZES, drive

SMALL, LONG = 1, 500  # 10,000 keys
KEYS = 20


def attack(random: Random) -> None:
    case, size = random.choice([*CASES]), random.choice(SIZES)
    judge = drive(case, size, KEYS, random.randrange(1 << 30))
    assert not judge.found, f"{case} {size}: {judge.summary}"
