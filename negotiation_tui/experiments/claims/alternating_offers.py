"""Alternating offers where each refusal costs, exactly and as agents learn them.

Rubinstein has no deadline and any price. Here T rounds and a grid of prices stay. The opener also
has the last word, which is worth δ²ᵀ⁻¹ of its published share if both have one δ: a share x of the
mover and 1 − δ·x of the other, from x = 1 at the end, come to (1 + δ²ᵀ⁻¹)/(1 + δ) at the start.
Each refusal moves the price by less than one step s of the grid, together less than s/(1 − δ).
"""

import numpy as np

from negotiation_tui.experiments.claims.claim import Claim, ClaimAnswer, Verdict
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import headless
from negotiation_tui.learning.spec import PREFIX
from negotiation_tui.players.run import Run, training_of
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from negotiation_tui.strategies.matchup import require_table

EQUAL_RATES = 0.5, 0.8, 0.9, 0.95, 0.99
UNEQUAL = (0.9, 0.5), (0.5, 0.9)  # of the opener, and of the other
_STEPS, _ROUNDS = 1000, 100
_SEEDS = 20
SUITED = {"q-learning": "reverse-curriculum", "sarsa": "annealing", "monte-carlo": "annealing"}
"""Learners, and the recipe that suits each."""


def one_surplus(steps: int, rounds: int, *deltas: float) -> Scenario:
    """Return the game of one surplus, of equal steps, with δ of the seller and of the buyer."""
    sides = {"seller": {"reservation": 0}, "buyer": {"reservation": steps}}
    rules = {"prices": steps, "rounds": rounds, "delta": deltas, "states": States.OPENER_AWARE}
    return Scenario.from_dict({"name": f"{steps} steps", **rules, **sides})


_LEARNED = one_surplus(20, 10, 0.9)


def published_share(opener: float, other: float) -> float:
    """Return the opener's share by Rubinstein, with δ of both."""
    return (1 - other) / (1 - opener * other)


def exact(opener: float, other: float, rounds: int = _ROUNDS) -> float:
    """Return the opener's share in equilibrium with a deadline; who is indifferent accepts."""
    return solve(one_surplus(_STEPS, rounds, opener, other), Role.SELLER).values[Role.SELLER]


def left_by_deadline(opener: float, other: float, rounds: int = _ROUNDS) -> float:
    """Return the share that the last word adds to the opener's, without a grid."""
    share = published_share(opener, other)
    return float((opener * other) ** (rounds - 1) * (1 - share))


def learned(name: str, game: Scenario, seed: int) -> ExpectedPlay:
    """Return how a learner plays with itself after the training that suits it."""
    training = training_of(Run.by_recipe(game, SUITED[name], seed, (PREFIX + name,) * 2))
    headless.train(training)
    seller, buyer = (require_table(role, training.policy(role)) for role in Role)
    return expected_play(game, seller, buyer)


def learned_share(name: str, seeds: int) -> Estimate:
    """Return the share that the opener gets from learners, a mean over openers."""
    plays = (learned(name, _LEARNED, seed) for seed in range(seeds))
    shares = [np.mean([play.returns(role)[role] for role in Role]) for play in plays]
    return Estimate.of(np.array(shares))


def settle(runs: int) -> ClaimAnswer:
    pairs = [*((each, each) for each in EQUAL_RATES), *UNEQUAL]
    ours = [exact(*pair) for pair in pairs]
    near, texts, figures, rest = True, list[str](), dict[str, float](), 0.0
    for (one, other), share in zip(pairs, ours, strict=True):
        of_grid = abs(share - published_share(one, other) - left_by_deadline(one, other))
        near, rest = near and of_grid < 1 / _STEPS / (1 - max(one, other)), max(rest, of_grid)
        rates = f"{one:g}" if one == other else f"{one:g} against {other:g}"
        texts.append(f"{rates}: {share:.4f} ({published_share(one, other):.4f})")
        figures[f"opener_at_{one:g}_{other:g}"] = share
    ends = {name: learned_share(name, runs) for name in SUITED}
    shares = ", ".join(f"{name} {end.mean:.3f} ± {end.error:.3f}" for name, end in ends.items())
    low, high = sorted(solve(_LEARNED, Role.SELLER, tie_break=tie).values[0] for tie in TieBreak)
    for name, end in ends.items():
        figures |= {f"{name}_mean": end.mean, f"{name}_error": end.error}
    return ClaimAnswer(
        f"At δ = {', '.join(texts)}; exact, in brackets the published share",
        Verdict.AGREES if near else Verdict.DIFFERS,
        f"With {_ROUNDS} rounds the last word adds {left_by_deadline(0.99, 0.99):.4f} at δ = 0.99,"
        f" nothing at 0.9; the grid of {_STEPS:,} prices adds at most {rest:.4f}. After {runs}"
        f" trainings with 20 prices, 10 rounds and δ = 0.9, the opener gets: {shares}. Equilibrium"
        f" there is {low:.2f} or {high:.2f}, by what an indifferent player does.",
        figures,
    )


CLAIM = Claim(
    "alternating-offers",
    "Rubinstein 1982",
    "If both discount by δ per offer and there is no deadline, the opener gets 1/(1 + δ), and with"
    " δ₁ of its own and δ₂ of the other's (1 − δ₂)/(1 − δ₁·δ₂).",
    settle,
    seeds=_SEEDS,
)
