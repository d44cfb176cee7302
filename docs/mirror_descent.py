"""Make the figures on mirror descent in docs/findings.md: `python docs/mirror_descent.py`.

Lets `mmd` play itself in `hidden` and in 20 other games with hidden limits, with two magnets, and
judges it exactly at each strength α. Prints tables with 95% intervals over the games. Runs on one
processor: about eleven minutes of its time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.solvers.payoffs import ceiling, first_best
from negotiation_tui.strategies.matchup import tables_of

STRONGEST, WEAKEST, FALLS = 0.02, 0.002, 8
UNIFORM, BIASED = MAGNETS = "uniform", "biased"
BIAS = {UNIFORM: "accepting=0", BIASED: "accepting=-3,greed=-2"}
REST = 1_250  # iterations before each fall of α in `hidden`
SHORTER = 600  # in the other games
RATE = 0.99
SEEDS = 20
NEAR = 0.01


Floats = NDArray[np.float64]


class Judged(NamedTuple):
    """Two policies at one strength of the magnet."""

    nash_conv: float
    efficiency: float
    of_ceiling: float  # efficiency as a share of the undiscounted ceiling
    round: float  # the mean round of deals


def game(seed: int) -> Scenario:
    """Draw a game: its prices, rounds, limits and their weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 7))

    def limits(lowest: int) -> dict[str, list[int]]:
        among = np.arange(lowest, lowest + n - 1)
        found = rng.choice(among, rng.integers(3, n), replace=False)
        weights = rng.integers(1, 5, len(found))
        return {"limits": np.sort(found).tolist(), "weights": weights.tolist()}

    return Scenario.from_dict(
        {
            "name": f"game {seed}",
            "prices": {"min": 0, "max": n - 1},
            "rounds": int(rng.integers(2, 6)),
            "states": "opener-aware",
            "seller": limits(0),
            "buyer": limits(1),
        }
    )


def path(scenario: Scenario, magnet: str, rest: int) -> Iterator[Judged]:
    """Yield what both policies reach at each strength of the magnet, the strongest first."""
    spec = (
        f"learned:mmd:counts_as=1,strongest={STRONGEST},weakest={WEAKEST},falls={FALLS},"
        f"iterations={rest},{BIAS[magnet]}"
    )
    parameters = Parameters(cycles=rest * (FALLS + 1), episodes=1, discount_rate=RATE)
    training = ConcurrentTraining(scenario, parameters, seller=learner(spec), buyer=learner(spec))
    best = first_best(scenario)
    most = ceiling(scenario) / best
    while not training.finished:
        training.run(rest)
        tables = tables_of(scenario, *(training.policy(role) for role in Role))
        assert tables
        play = expected_play(scenario, *tables)
        share = play.efficiency
        judged = nash_conv(scenario, *tables, RATE)
        yield Judged(judged.total, share, share / most, mean_round(play))


def mean_round(play: ExpectedPlay) -> float:
    """Return the mean round of deals, undiscounted."""
    deals = play.deals[Role.SELLER].sum(axis=-1).mean(axis=0)  # limit, ply
    chances = play.scenario.chances(Role.SELLER) @ deals
    return float(np.average(np.arange(len(chances)) // 2 + 1, weights=chances))


def strengths() -> Floats:
    """Return α after each number of falls."""
    return STRONGEST * (WEAKEST / STRONGEST) ** (np.arange(FALLS + 1) / FALLS)


def shown(values: Floats) -> str:
    """Return a mean with its 95% interval."""
    found = Estimate.of(values)
    return f"{found.mean:.3f} ± {found.error:.3f}"


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table."""
    print(f"{title}\n")
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def written(judged: Judged) -> tuple[str, str, str]:
    """Return the cells of a game."""
    return f"{judged.nash_conv:.4f}", f"{judged.efficiency:.3f}", f"{judged.round:.1f}"


def print_hidden() -> None:
    """Print the path in `hidden` per magnet, which draws nothing."""
    scenario = replace(Scenario.of("hidden"), states=States.OPENER_AWARE)
    paths = [list(path(scenario, magnet, REST)) for magnet in MAGNETS]
    rows = [
        [f"{alpha:.4f}", *(text for judged in at for text in written(judged))]
        for alpha, *at in zip(strengths(), *paths, strict=True)
    ]
    columns = (
        f"{magnet}: {what}" for magnet in MAGNETS for what in ("NashConv", "efficiency", "round")
    )
    table("hidden", ["α", *columns], rows)


def print_games() -> None:
    """Print the means over the other games at each strength."""
    games = [game(seed) for seed in range(SEEDS)]
    found = np.array(
        [[list(path(each, magnet, SHORTER)) for magnet in MAGNETS] for each in games]
    )  # game, magnet, falls, field of Judged
    print(f"ceiling: {shown(np.array([ceiling(each) / first_best(each) for each in games]))}\n")
    rows = []
    for number, alpha in enumerate(strengths()):
        rows.append([f"{alpha:.4f}"])
        for of_magnet in found[:, :, number].swapaxes(0, 1):
            conv, _, of_ceiling, _ = of_magnet.T
            close = f"{shown(conv)} ({(conv <= NEAR).sum()} of {len(conv)})"
            rows[-1] += [close, shown(of_ceiling)]
    columns = (f"{magnet}: {what}" for magnet in MAGNETS for what in ("NashConv", "of ceiling"))
    table(f"{SEEDS} games", ["α", *columns], rows)


def main() -> None:
    """Print all tables."""
    print_hidden()
    print_games()


if __name__ == "__main__":
    run(main)
