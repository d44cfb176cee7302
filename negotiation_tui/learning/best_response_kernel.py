"""A best responder in the inner loop: its policy is computed again at the start of each cycle.

Python runs it or numba compiles it, with equal bits. A call from Python per cycle would take ten
times as long as the cycle itself.
"""

from collections.abc import Callable
from typing import Any

from negotiation_tui.learning.kernel_arguments import SeatArrays, Setup
from negotiation_tui.solvers.induction_kernel import Game, Rows, Scratch, induce
from negotiation_tui.solvers.subgame_perfect import EQUAL

InnerLoop = Callable[[Setup, Any, Any, int, int, Any, int], tuple[int, int, int, int, int]]


def respond(
    seat: SeatArrays, opponent: SeatArrays, n_prices: int, rounds: int, discount_rate: float
) -> None:
    """Fill the rows of a seat with all best actions against the opponent's present policy.

    The seat's rows have one column per action, and its states say who opened. The opponent is a
    learner, so its policy depends on the state alone and draws uniformly.
    """
    n_actions, accept, walk_away = n_prices + 2, n_prices, n_prices + 1
    first_offer, n_offers, rewards = seat.first_offers[0], seat.n_offers[0], seat.rewards
    greedy, n_greedy = seat.actions, seat.n_actions
    width = len(opponent.actions) // len(opponent.n_actions)
    learner = Rows(opponent.actions, opponent.n_actions, [1.0], width, 0, opponent.responder_offset)
    room, values = [0.0] * n_prices, [0.0] * (rounds * n_prices)
    scratch = Scratch(room, room, room, [0.0])
    game = Game(
        learner, learner, first_offer, n_offers, rewards, rounds, discount_rate, evaluated=False
    )
    for first_ply in range(2):  # the seat's first ply: 0 if it opens
        responder_offset = 0 if first_ply == 0 else seat.responder_offset
        induce(game, first_ply, values, scratch)
        for n in range(rounds):
            ply = 2 * n + first_ply
            stop_offer = first_offer + (0 if ply == 2 * rounds - 1 else n_offers)
            best = -1.0e300
            for offer in range(first_offer, stop_offer):
                best = max(best, values[n * n_prices + offer])
            first_row = 0 if ply == 0 else 1 + responder_offset + (ply - 1) // 2 * n_prices
            for price in range(n_prices if ply else 1):
                acceptable = ply > 0 and first_offer <= price < first_offer + n_offers
                top = best
                if ply > 0:
                    top = max(top, 0.0)
                if acceptable:
                    top = max(top, rewards[price])
                at, n_best = (first_row + price) * n_actions, 0
                if best >= top - EQUAL:
                    for offer in range(first_offer, stop_offer):
                        if values[n * n_prices + offer] >= top - EQUAL:
                            greedy[at + n_best] = offer
                            n_best += 1
                if acceptable and rewards[price] >= top - EQUAL:
                    greedy[at + n_best] = accept
                    n_best += 1
                if ply > 0 and top - EQUAL <= 0.0:
                    greedy[at + n_best] = walk_away
                    n_best += 1
                n_greedy[first_row + price] = n_best


def responding(play: InnerLoop, respond: Callable[..., None]) -> InnerLoop:
    """Return the inner loop with a best responder, updated at the start of each cycle.

    Its arguments and result are those of `kernel.play`.
    """

    def play_responding(
        setup: Setup, pairs: Any, offers: Any, start: int, stop: int, draws: Any, position: int
    ) -> tuple[int, int, int, int, int]:
        at, opened, first_ply, n_turns = start, 0, 0, 0
        learner_role, rounds, episodes = setup.learners[0], setup.rounds, setup.episodes
        learner, seat = setup.seats[learner_role], setup.seats[1 - learner_role]
        while at < stop:
            if at % episodes == 0:
                respond(seat, learner, len(setup.prices), rounds, learner.discount_rates[0])
            cycle_stop = min(stop, at - at % episodes + episodes)
            at, position, opened, first_ply, n_turns = play(
                setup, pairs, offers, at, cycle_stop, draws, position
            )
            if at < cycle_stop:  # `draws` may not last for another episode
                break
        return at, position, opened, first_ply, n_turns

    return play_responding
