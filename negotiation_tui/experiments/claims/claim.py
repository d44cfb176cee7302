"""A claim of the literature, and the answer of this program."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Any

import numpy as np

from negotiation_tui.experiments.sweep import Sweep
from negotiation_tui.game.roles import Opener, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.records import sealed

RUNS, SEED = (60, 1000)  # runs of each setting of a claim about trainings, and the first seed


class Verdict(StrEnum):
    """The relation of our figure to the published one."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNKNOWN = "cannot be told"


@sealed(frozen=True, slots=True)
class ClaimAnswer:
    """The figure of this program, in words with its interval or `exact`, and as numbers by name."""

    ours: str
    verdict: Verdict
    reason: str
    figures: Mapping[str, float]


@sealed(frozen=True, slots=True)
class Claim:
    """A published claim, with its figure in words, and how this program settles it."""

    name: str
    source: str
    published: str
    settle: Callable[..., ClaimAnswer]
    """Takes the number of seeds, if the claim has some."""
    try_player: Callable[[str], ClaimAnswer] | None = None
    """Settles a claim about players for one of them, by its spec; None for all other claims."""
    seeds: int = 0  # of each training that settles the claim, as on the pages

    def answer(self, player: str | None, runs: int | None) -> ClaimAnswer:
        """Settle the claim, for a player if it is about players, by some runs of trainings."""
        if player is None or self.try_player is None:
            return self.settle(runs or self.seeds) if self.seeds else self.settle()
        return self.try_player(player)

    def to_dict(self, answer: ClaimAnswer | None = None) -> dict[str, Any]:
        """Return plain values of the claim, and of its answer if there is one."""
        plain = {"name": self.name, "source": self.source, "published": self.published}
        return plain | asdict(answer) if answer else plain


def swept(values: Mapping[str, Sequence[str]], runs: int, *columns: str) -> Floats:
    """Return columns of a sweep of `original`, shape (combinations of values, runs, columns)."""
    rows = Sweep.of(Scenario.original(), values, runs, SEED).rows()
    found = np.array([[row[name] for name in columns] for row in rows], np.float64)
    return found.reshape(-1, runs, len(columns))


def no_change(change: Estimate) -> Verdict:
    """Judge the claim that nothing changes, which runs can refute but never prove."""
    return Verdict.DIFFERS if abs(change.mean) > change.error else Verdict.UNKNOWN


def uniform(n: int, opener: Opener = Opener.ALTERNATE) -> Scenario:
    """Return the game of one round with the equally likely limits 0 … n − 1 of both roles.

    With 11 limits per role it is one round of `bazaar`, in units of 10.
    """
    prices = {"min": 0, "max": n - 1}
    sides = {"seller": {"limits": prices}, "buyer": {"limits": prices}}
    rules = {"rounds": 1, "opener": str(opener), "states": str(States.OPENER_AWARE)}
    return Scenario.from_dict({"name": f"{n} limits", "prices": prices, **rules, **sides})


def continuum(share: Callable[[int], float], published: float) -> tuple[float, Verdict]:
    """Return the share for limits without gaps, and whether it is the published one.

    It is extrapolated from the shares for 25 and for 50 limits per role, whose error falls as 1/n.
    """
    fine = 2 * share(50) - share(25)
    return fine, Verdict.AGREES if abs(fine - published) < 1e-3 else Verdict.DIFFERS
