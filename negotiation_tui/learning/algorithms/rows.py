"""Rows of numbers that tabular learners work on, and functions of one row.

Python runs these functions on lists, or numba compiles them for arrays. A learner has several
tables of one shape, `tables[n]`, flat, row after row: `tables[n][state · width + action]`.
A row of a policy is `n` actions and their probabilities. If they are equally probable, the first
entry of `weights` is UNIFORM and the others do not count (see `game.draws`).
"""

import math
from typing import Any, NamedTuple

from negotiation_tui.game.draws import UNIFORM

RATE, DISCOUNT, OWN = 0, 1, 2  # columns of the settings: α, γ, and the first of the learner's own
_MODULUS = 2147483647


class Legal(NamedTuple):
    """The legal actions of each state."""

    actions: Any  # rows · width ints
    n_actions: Any  # rows ints
    width: int


class Row(NamedTuple):
    """One row of a policy, which the function `policy` of a learner writes."""

    actions: Any  # width ints
    weights: Any  # width floats


class Episode(NamedTuple):
    """A learner's own decisions in one negotiation, in order; after the last the value is 0."""

    states: Any  # ints
    actions: Any  # ints
    n: int  # number of decisions
    reward: float  # at the end
    epsilon: float  # exploration probability of this episode
    draw: float  # one random number in [0, 1) for learners that draw
    cost: float  # of each decision, which takes time in a market by steps; `reward` has the last


def write_greedy(q: Any, state: int, legal: Legal, row: Row) -> int:
    """Write the best legal actions of a state, equally probable; return their number."""
    at = state * legal.width
    top, n = 0.0, 0
    for k in range(at, at + legal.n_actions[state]):
        action = legal.actions[k]
        value = q[at + action]
        if n == 0 or value > top:
            top, n = value, 0
        if value == top:
            row.actions[n] = action
            n += 1
    row.weights[0] = UNIFORM
    return n


def best(q: Any, state: int, legal: Legal) -> float:
    """Return the greatest value of a legal action in a state; 0 at the end."""
    at = state * legal.width
    top, n = 0.0, legal.n_actions[state]
    for k in range(at, at + n):
        value = q[at + legal.actions[k]]
        if k == at or value > top:
            top = value
    return top


def softmax(preferences: Any, scale: float, state: int, legal: Legal, row: Row) -> int:
    """Write the legal actions with probabilities in proportion to exp(scale · preference)."""
    at = state * legal.width
    n: int = legal.n_actions[state]
    top = best(preferences, state, legal)
    total = 0.0
    for k in range(n):
        action = legal.actions[at + k]
        weight = math.exp(scale * (preferences[at + action] - top))
        row.actions[k], row.weights[k] = action, weight
        total += weight
    for k in range(n):
        row.weights[k] /= total
    return n


def proportional(weights: Any, state: int, legal: Legal, row: Row) -> int:
    """Write the legal actions with probabilities in proportion to weights of at least 0."""
    at = state * legal.width
    n: int = legal.n_actions[state]
    total = 0.0
    for k in range(n):
        action = legal.actions[at + k]
        row.actions[k], row.weights[k] = action, weights[at + action]
        total += weights[at + action]
    if n == 0 or total <= 0.0:
        row.weights[0] = UNIFORM
        return n
    for k in range(n):
        row.weights[k] /= total
    return n


def accumulate(weights: Any, n: int) -> None:
    """Turn probabilities of a row into cumulative ones, as `game.draws.drawn` reads them."""
    if weights[0] != UNIFORM:
        for k in range(1, n):
            weights[k] += weights[k - 1]


def next_draw(draw: float) -> float:
    """Return a number in [0, 1) made from another by the generator of Park and Miller 1988."""
    number = (int(draw * (_MODULUS - 1)) + 1) * 16807 % _MODULUS
    return number / _MODULUS
