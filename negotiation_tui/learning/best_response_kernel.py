"""The best response to a learner, formed anew at the start of every cycle beside the inner loop.

As `best_response` does it with arrays, over the rows of numbers of `kernel`: run as it is or
compiled, to the same bits. A call from Python for each cycle would take ten times as long as the
cycle itself.
"""

from collections.abc import Callable
from typing import Any

from negotiation_tui.learning.kernel import SeatArrays, Setup
from negotiation_tui.solvers.subgame_perfect import EQUAL

InnerLoop = Callable[[Setup, Any, int, int, Any, int], tuple[int, int, int, int, int]]


def respond(
    seat: SeatArrays, opponent: SeatArrays, n_prices: int, rounds: int, discount_rate: float
) -> None:
    """Fill the rows of a seat with every best action against an opponent's table as it is now.

    The seat's rows are as wide as there are actions, and say who opened; the opponent is a
    learner, so that it remembers nothing.
    """
    n_actions, accept, reject = n_prices + 2, n_prices, n_prices + 1
    first_offer, n_offers = seat.first_offer, seat.n_offers
    ties, count, rewards = seat.actions, seat.n_actions, seat.rewards
    width = len(opponent.actions) // len(opponent.n_actions)
    for first in range(2):  # the first ply of its own: 0 where it opens
        here = 0 if first == 0 else seat.responder_offset
        there = opponent.responder_offset if first == 0 else 0
        after = [0.0] * n_prices
        offered = [0.0] * n_prices
        for n in range(rounds):
            ply = 2 * (rounds - 1 - n) + first
            best = -1.0e300
            last = ply == 2 * rounds - 1
            if not last:
                for offer in range(first_offer, first_offer + n_offers):
                    row = 1 + (there + ply // 2 * n_prices) + offer
                    total = 0.0
                    for k in range(opponent.n_actions[row]):
                        answer = opponent.actions[row * width + k]
                        if answer < n_prices:
                            total += discount_rate * after[answer]
                        elif answer == accept:
                            total += rewards[offer]
                    offered[offer] = total / opponent.n_actions[row]
                    best = max(best, offered[offer])
            begin = 0 if ply == 0 else 1 + here + (ply - 1) // 2 * n_prices
            for price in range(n_prices if ply else 1):
                inside = ply > 0 and first_offer <= price < first_offer + n_offers
                top = best
                if ply > 0:
                    top = max(top, 0.0)
                if inside:
                    top = max(top, rewards[price])
                at, held = (begin + price) * n_actions, 0
                if not last and best >= top - EQUAL:
                    for offer in range(first_offer, first_offer + n_offers):
                        if offered[offer] >= top - EQUAL:
                            ties[at + held] = offer
                            held += 1
                if inside and rewards[price] >= top - EQUAL:
                    ties[at + held] = accept
                    held += 1
                if ply > 0 and top - EQUAL <= 0.0:
                    ties[at + held] = reject
                    held += 1
                count[begin + price] = held
                after[price] = top


def responding(play: InnerLoop, respond: Callable[..., None]) -> InnerLoop:
    """The inner loop with the trainer's seat formed anew at the start of each cycle.

    It takes what `kernel.play` does, and returns that.
    """

    def play_responding(
        setup: Setup, pairs: Any, start: int, stop: int, draws: Any, position: int
    ) -> tuple[int, int, int, int, int]:
        at, opened, begun, n_turns = start, 0, 0, 0
        trainee, rounds, episodes = setup.trainees[0], setup.rounds, setup.episodes
        learner, seat = setup.seats[trainee], setup.seats[1 - trainee]
        while at < stop:
            if at % episodes == 0:
                respond(seat, learner, len(setup.prices), rounds, learner.discount_rates[0])
            until = min(stop, at - at % episodes + episodes)
            at, position, opened, begun, n_turns = play(setup, pairs, at, until, draws, position)
            if at < until:  # the draws may not last for one more
                break
        return at, position, opened, begun, n_turns

    return play_responding
