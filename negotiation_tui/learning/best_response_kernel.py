"""A best responder in the loop: its policy is computed again at the start of each cycle.

Python runs it or numba compiles it, with equal bits.
"""

from collections.abc import Callable
from typing import Any

from negotiation_tui.learning.loop import (
    FIRST,
    N_ABOUT,
    OFFERS,
    RESPONDER,
    ROW,
    SHIFT,
    Agents,
    Setup,
)
from negotiation_tui.solvers.induction_kernel import Game, Rows, Scratch, induce
from negotiation_tui.solvers.subgame_perfect import EQUAL

Play = Callable[[Setup, Any, Any, Any, int, int, Any, int], tuple[int, int, int, int, int]]


def respond(
    agents: Agents, responder: int, learner: int, n_prices: int, rounds: int, discount_rate: float
) -> None:
    """Fill the rows of an agent, whose states say who opened, with its best actions.

    The learner is a Q-learner, so its policy depends on the state alone and draws uniformly.
    """
    n_actions, accept, walk_away = n_prices + 2, n_prices, n_prices + 1
    about, me, other = agents.about, responder * N_ABOUT, learner * N_ABOUT
    first_offer, n_offers, offset = about[me + FIRST], about[me + OFFERS], about[me + RESPONDER]
    rewards = agents.rewards[responder * n_prices : (responder + 1) * n_prices]
    begin, shift = about[me + ROW], about[me + SHIFT]
    first, responds_at = about[other + ROW], about[other + RESPONDER]
    stop = first + n_prices * rounds + responds_at + 2
    rows = Rows(
        agents.actions[first * n_actions : stop * n_actions],
        agents.n_actions[first:stop],
        [1.0],
        n_actions,
        0,
        responds_at,
    )
    room, values = [0.0] * n_prices, [0.0] * (rounds * n_prices)
    scratch = Scratch(room, room, room, [0.0])
    game = Game(rows, rows, first_offer, n_offers, rewards, rounds, discount_rate, evaluated=False)
    for first_ply in range(2):  # the agent's first ply: 0 if it opens
        induce(game, first_ply, values, scratch)
        for n in range(rounds):
            ply = 2 * n + first_ply
            stop_offer = first_offer + (0 if ply == 2 * rounds - 1 else n_offers)
            best = -1.0e300
            for offer in range(first_offer, stop_offer):
                best = max(best, values[n * n_prices + offer])
            first_row = 0
            if ply > 0:
                first_row = 1 + (ply - 1) // 2 * n_prices + (offset if first_ply == 1 else 0)
            for price in range(n_prices if ply else 1):
                acceptable = ply > 0 and first_offer <= price < first_offer + n_offers
                top = best
                if ply > 0:
                    top = max(top, 0.0)
                if acceptable:
                    top = max(top, rewards[price])
                row = begin + first_row + price
                at, n_best = row * n_actions + shift, 0
                if best >= top - EQUAL:
                    for offer in range(first_offer, stop_offer):
                        if values[n * n_prices + offer] >= top - EQUAL:
                            agents.actions[at + n_best] = offer
                            n_best += 1
                if acceptable and rewards[price] >= top - EQUAL:
                    agents.actions[at + n_best] = accept
                    n_best += 1
                if ply > 0 and top - EQUAL <= 0.0:
                    agents.actions[at + n_best] = walk_away
                    n_best += 1
                agents.n_actions[row] = n_best


def responding(play: Play, respond: Callable[..., None]) -> Play:
    """Return the loop with a best responder, updated at the start of each cycle."""

    def play_responding(
        setup: Setup, functions: Any, pairs: Any, offers: Any, start: int, stop: int, draws: Any,
        position: int,
    ) -> tuple[int, int, int, int, int]:  # fmt: skip
        at, opened, first_ply, n_turns = start, 0, 0, 0
        leader, rounds, episodes = setup.leaders[0], setup.rounds, setup.episodes
        learner, responder = setup.pair[leader], setup.pair[1 - leader]
        while at < stop:
            if at % episodes == 0:
                rate = setup.agents.rates[learner][1]
                respond(setup.agents, responder, learner, len(setup.prices), rounds, rate)
            cycle_stop = min(stop, at - at % episodes + episodes)
            at, position, opened, first_ply, n_turns = play(
                setup, functions, pairs, offers, at, cycle_stop, draws, position
            )
            if at < cycle_stop:  # `draws` may not last for another episode
                break
        return at, position, opened, first_ply, n_turns

    return play_responding
