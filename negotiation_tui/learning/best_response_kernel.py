"""A best responder in the inner loop: its policy is computed again at the start of each cycle.

The same algorithm as `solvers.best_response`, over the flat rows of `kernel`. Python runs it or
numba compiles it, with equal bits. A call from Python per cycle would take ten times as long as
the cycle itself.
"""

from collections.abc import Callable
from typing import Any

from negotiation_tui.learning.kernel import SeatArrays, Setup
from negotiation_tui.solvers.subgame_perfect import EQUAL

InnerLoop = Callable[[Setup, Any, int, int, Any, int], tuple[int, int, int, int, int]]


def respond(
    seat: SeatArrays, opponent: SeatArrays, n_prices: int, rounds: int, discount_rate: float
) -> None:
    """Fill the rows of a seat with all best actions against the opponent's present policy.

    The seat's rows have one column per action, and its states say who opened. The opponent is a
    learner, so its policy depends on the state alone.
    """
    n_actions, accept, walk_away = n_prices + 2, n_prices, n_prices + 1
    first_offer, n_offers = seat.first_offers[0], seat.n_offers[0]
    greedy, n_greedy, rewards = seat.actions, seat.n_actions, seat.rewards
    width = len(opponent.actions) // len(opponent.n_actions)
    for first_ply in range(2):  # the seat's first ply: 0 if it opens
        responder_offset = 0 if first_ply == 0 else seat.responder_offset
        opponent_offset = opponent.responder_offset if first_ply == 0 else 0
        next_values = [0.0] * n_prices
        offer_values = [0.0] * n_prices
        for n in range(rounds):
            ply = 2 * (rounds - 1 - n) + first_ply
            best = -1.0e300
            last = ply == 2 * rounds - 1
            if not last:
                for offer in range(first_offer, first_offer + n_offers):
                    row = 1 + (opponent_offset + ply // 2 * n_prices) + offer
                    total = 0.0
                    for k in range(opponent.n_actions[row]):
                        answer = opponent.actions[row * width + k]
                        if answer < n_prices:
                            total += discount_rate * next_values[answer]
                        elif answer == accept:
                            total += rewards[offer]
                    offer_values[offer] = total / opponent.n_actions[row]
                    best = max(best, offer_values[offer])
            first_row = 0 if ply == 0 else 1 + responder_offset + (ply - 1) // 2 * n_prices
            for price in range(n_prices if ply else 1):
                acceptable = ply > 0 and first_offer <= price < first_offer + n_offers
                top = best
                if ply > 0:
                    top = max(top, 0.0)
                if acceptable:
                    top = max(top, rewards[price])
                at, n_best = (first_row + price) * n_actions, 0
                if not last and best >= top - EQUAL:
                    for offer in range(first_offer, first_offer + n_offers):
                        if offer_values[offer] >= top - EQUAL:
                            greedy[at + n_best] = offer
                            n_best += 1
                if acceptable and rewards[price] >= top - EQUAL:
                    greedy[at + n_best] = accept
                    n_best += 1
                if ply > 0 and top - EQUAL <= 0.0:
                    greedy[at + n_best] = walk_away
                    n_best += 1
                n_greedy[first_row + price] = n_best
                next_values[price] = top


def responding(play: InnerLoop, respond: Callable[..., None]) -> InnerLoop:
    """Return the inner loop with a best responder, updated at the start of each cycle.

    Its arguments and result are those of `kernel.play`.
    """

    def play_responding(
        setup: Setup, pairs: Any, start: int, stop: int, draws: Any, position: int
    ) -> tuple[int, int, int, int, int]:
        at, opened, first_ply, n_turns = start, 0, 0, 0
        learner_role, rounds, episodes = setup.learners[0], setup.rounds, setup.episodes
        learner, seat = setup.seats[learner_role], setup.seats[1 - learner_role]
        while at < stop:
            if at % episodes == 0:
                respond(seat, learner, len(setup.prices), rounds, learner.discount_rates[0])
            cycle_stop = min(stop, at - at % episodes + episodes)
            at, position, opened, first_ply, n_turns = play(
                setup, pairs, at, cycle_stop, draws, position
            )
            if at < cycle_stop:  # `draws` may not last for another episode
                break
        return at, position, opened, first_ply, n_turns

    return play_responding
