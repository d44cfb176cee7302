"""Backward induction for one role over flat rows: one source that Python runs or numba compiles.

Rows are lists or arrays. `induction.by_numpy` does the same arithmetic in the same order, a whole
ply at once, so that all three give the same bits.
"""

from typing import Any, NamedTuple


class FlatPolicy(NamedTuple):
    """A policy as flat rows, see `game.tabular_policy`."""

    actions: Any  # rows · width ints
    n_actions: Any  # rows ints
    weights: Any  # as many floats as actions; a single 1.0 if the actions of a row count equally
    width: int
    remembers_own_offer: int
    responder_offset: int


class FlatGame(NamedTuple):
    """A role and its policy against an opponent's, with the rules that both play by."""

    own: FlatPolicy
    other: FlatPolicy
    first_offer: int
    n_offers: int
    rewards: Any  # P floats: the role's, by price
    factors: Any  # 2·T floats: what time leaves of a reward, by the number of the offer
    rounds: int
    discount_rate: float
    evaluated: bool  # False leaves out the value of the role's own policy


class Scratch(NamedTuple):
    """Rows of floats that `induce` writes; P is the number of prices."""

    best: Any  # P: the value of the best action for each standing offer
    mean: Any  # P · (1 + P), as many as the policy has rows for a time
    options: Any  # P · P: the value of each offer for each standing offer, both playing on
    tops: Any  # P: the value of the best offer for each standing offer


def induce(
    game: FlatGame, first_ply: int, offer_values: Any, scratch: Scratch
) -> tuple[float, float]:
    """Return the value of a role's best response to a policy, and that of its own policy.

    The role decides at every second ply from `first_ply` on: 0 if it opens, else 1. The second
    value is 0 unless the game is `evaluated`. The values of the role's offers under its best
    response go to `offer_values`, per decision and grid index of the offer; per decision, standing
    offer and offer, if the opponent remembers its own offer. At the opening the standing offer
    counts as 0.
    """
    own, other, first_offer, n_offers, rewards, factors, rounds, discount_rate, evaluated = game
    weights, opponent_weights = own.weights, other.weights
    weighted, opponent_weighted = len(weights) > 1, len(opponent_weights) > 1
    best, mean, options, tops = scratch
    n_prices = len(rewards)
    remembers, opponent_remembers = own.remembers_own_offer, other.remembers_own_offer
    own_stride, opponent_stride = 1 + remembers * n_prices, 1 + opponent_remembers * n_prices
    own_first = 1 + (0 if first_ply == 0 else own.responder_offset)
    opponent_first = 1 + (other.responder_offset if first_ply == 0 else 0)
    n_blocks = n_prices if opponent_remembers else 1
    stop_offer = first_offer + n_offers
    value_best, value_mean = 0.0, 0.0
    for n in range(rounds - 1, -1, -1):
        ply = 2 * n + first_ply
        rate = discount_rate if ply > 1 else 1.0
        last = ply == 2 * rounds - 1
        later, now = factors[ply], factors[max(ply - 1, 0)]  # for the offer made, and the standing
        for before in range(n_blocks if ply else 1):
            top = -1.0e300
            for offer in range(first_offer, first_offer if last else stop_offer):
                row = (opponent_first + ply // 2 * n_prices + offer) * opponent_stride
                if ply:
                    row += opponent_remembers * (before + 1)
                of_best, of_mean = 0.0, 0.0
                n_answers, at = other.n_actions[row], row * other.width
                own_last = remembers * (offer + 1)
                for k in range(at, at + n_answers):
                    answer = other.actions[k]
                    weight = opponent_weights[k] if opponent_weighted else 1.0
                    if answer < n_prices:
                        of_best += weight * best[answer]
                        if evaluated:
                            of_mean += weight * mean[answer * own_stride + own_last]
                    elif answer == n_prices:
                        of_best += weight * (rewards[offer] * later)
                        if evaluated:
                            of_mean += weight * (rewards[offer] * later)
                divisor = 1 if opponent_weighted else n_answers
                of_best /= divisor
                offer_values[(n * n_blocks + before) * n_prices + offer] = of_best
                if evaluated:
                    options[before * n_prices + offer] = of_mean / divisor
                top = max(top, of_best)
            tops[before] = top
        for price in range(n_prices if ply else 1):
            before = price if ply and opponent_remembers else 0
            top = tops[before]
            if ply:
                top = max(top, 0.0)
                if first_offer <= price < stop_offer:
                    top = max(top, rewards[price] * now)
            best[price] = value_best = rate * top
            if not evaluated:
                continue
            row = (own_first + (ply - 1) // 2 * n_prices + price) * own_stride if ply else 0
            lowest, highest = (remembers, own_stride) if ply > 1 else (0, 1)
            for own_last in range(lowest, highest):
                total = 0.0
                n_actions, at = own.n_actions[row + own_last], (row + own_last) * own.width
                for k in range(at, at + n_actions):
                    action, weight = own.actions[k], weights[k] if weighted else 1.0
                    if action < n_prices:
                        total += weight * options[before * n_prices + action]
                    elif action == n_prices:
                        total += weight * (rewards[price] * now)
                value_mean = rate * (total / (1 if weighted else n_actions))
                mean[price * own_stride + own_last] = value_mean
    if first_ply == 0:
        return value_best, value_mean
    value_best, value_mean, n_openings = 0.0, 0.0, other.n_actions[0]
    for k in range(n_openings):
        weight = opponent_weights[k] if opponent_weighted else 1.0
        value_best += weight * best[other.actions[k]]
        if evaluated:
            value_mean += weight * mean[other.actions[k] * own_stride]
    divisor = 1 if opponent_weighted else n_openings
    return value_best / divisor, value_mean / divisor


def induce_both(game: FlatGame, offer_values: Any, scratch: Scratch, values: Any) -> None:
    """Call `induce` with the role as opener and as responder.

    `offer_values` has two rows. `values` gets the value of the best response as opener, that of
    the policy as opener, and both as responder.
    """
    for first_ply in range(2):
        values[2 * first_ply], values[2 * first_ply + 1] = induce(
            game, first_ply, offer_values[first_ply], scratch
        )
