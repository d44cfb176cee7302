"""Make the figures on impatience in docs/time.md: `python docs/time_findings.py`.

Trains Q-learners with equal and unequal δ, 20 seeds each, and sets what they end at beside the
equilibrium and the share without a deadline. Takes about ten seconds of processor time.
"""

import numpy as np

from negotiation_tui.experiments.claims.alternating_offers import (
    learned,
    one_surplus,
    published_share,
)
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.runtime.text import table
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve

SEEDS = 20
PATIENT = 0.9  # δ of the seller
BUYERS = 0.9, 0.8, 0.6, 0.4


def row(delta: float) -> list[str]:
    """Return the seller's share, a mean over openers: published, in equilibrium, and learned."""
    game = one_surplus(20, 10, PATIENT, delta)
    opens, responds = published_share(PATIENT, delta), 1 - published_share(delta, PATIENT)
    ends = [
        np.mean([solve(game, opener, tie_break=rule).values[Role.SELLER] for opener in Role])
        for rule in TieBreak
    ]
    plays = (learned("q-learning", game, seed) for seed in range(SEEDS))
    found = Estimate.of(np.array([np.mean(play.returns(Role.SELLER)) for play in plays]))
    low, high = sorted(ends)
    exact = f"{low:.3f} to {high:.3f}"
    return [
        f"{delta:g}",
        f"{(opens + responds) / 2:.3f}",
        exact,
        f"{found.mean:.3f} ± {found.error:.3f}",
    ]


def main() -> None:
    titles = ["δ of the buyer", "published", "equilibrium", "`q-learning`"]
    print("\n".join(table([titles, *map(row, BUYERS)], "<")))


if __name__ == "__main__":
    run(main)
