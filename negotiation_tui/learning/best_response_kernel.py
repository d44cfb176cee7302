"""A best responder in the loop: its policy is computed again at the start of each cycle.

Python runs it or numba compiles it, with equal bits.
"""

from typing import Any

from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.learning.loop import (
    FIRST,
    KEPT,
    N_ABOUT,
    OFFERS,
    RESPONDER,
    ROW,
    SHIFT,
    Agents,
    Setup,
    keep,
    play,
)
from negotiation_tui.solvers.induction_kernel import Game, Rows, Scratch, induce
from negotiation_tui.solvers.subgame_perfect import EQUAL


def play_responding(
    setup: Setup, functions: Any, pairs: Any, offers: Any, start: int, stop: int, draws: Any,
    position: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Play as `loop.play`; at the start of each cycle the other role answers what is kept."""
    agents, episodes, leader, n_prices = (
        setup.agents, setup.episodes, setup.leaders[0], len(setup.prices)
    )  # fmt: skip
    at, opened, first_ply, n_turns = start, 0, 0, 0
    while at < stop:
        if at % episodes == 0:
            keep(agents, functions, leader, n_prices + 2)
            respond(agents, setup.pair[1 - leader], setup.pair[leader], n_prices, setup.rounds)
        cycle_stop = min(stop, at - at % episodes + episodes)
        at, position, opened, first_ply, n_turns = play(
            setup, functions, pairs, offers, at, cycle_stop, draws, position
        )
        if at < cycle_stop:  # `draws` may not last for another episode
            break
    return at, position, opened, first_ply, n_turns


def respond(agents: Agents, responder: int, learner: int, n_prices: int, rounds: int) -> None:
    """Fill the rows of an agent, whose states say who opened, with its best actions.

    It answers the policy that a learner kept, with that learner's discount.
    """
    n_actions, accept, walk_away = n_prices + 2, n_prices, n_prices + 1
    about, me, other = agents.about, responder * N_ABOUT, learner * N_ABOUT
    first_offer, n_offers, offset = about[me + FIRST], about[me + OFFERS], about[me + RESPONDER]
    rewards = agents.rewards[responder * n_prices : (responder + 1) * n_prices]
    begin, shift, responds_at = about[me + ROW], about[me + SHIFT], about[other + RESPONDER]
    first, kept = about[other + ROW], about[other + KEPT]
    size, weighted = n_prices * rounds + responds_at + 2, False
    if len(agents.chances) > 1:
        for row in range(kept, kept + size):
            weighted = weighted or agents.chances[row * n_actions] != UNIFORM
    # Beside the actions that a learner kept are their probabilities: see `loop.keep_written`.
    weights = first * n_actions
    rows = Rows(
        agents.actions[kept * n_actions : (kept + size) * n_actions],
        agents.n_actions[kept : kept + size],
        agents.chances[weights : weights + (size * n_actions if weighted else 1)],
        n_actions,
        0,
        responds_at,
    )
    room = agents.scratch.weights
    best, values = room[:n_prices], room[n_prices + 1 :]
    scratch = Scratch(best, best, best, room[n_prices : n_prices + 1])
    rate = agents.rates[learner][1]
    game = Game(rows, rows, first_offer, n_offers, rewards, rounds, rate, evaluated=False)
    for first_ply in range(2):  # the agent's first ply: 0 if it opens
        induce(game, first_ply, values, scratch)
        for n in range(rounds):
            ply = 2 * n + first_ply
            stop_offer = first_offer + (0 if ply == 2 * rounds - 1 else n_offers)
            highest = -1.0e300
            for offer in range(first_offer, stop_offer):
                highest = max(highest, values[n * n_prices + offer])
            first_row = 0
            if ply > 0:
                first_row = 1 + (ply - 1) // 2 * n_prices + (offset if first_ply == 1 else 0)
            for price in range(n_prices if ply else 1):
                acceptable = ply > 0 and first_offer <= price < first_offer + n_offers
                top = highest
                if ply > 0:
                    top = max(top, 0.0)
                if acceptable:
                    top = max(top, rewards[price])
                row = begin + first_row + price
                at, n_best = row * n_actions + shift, 0
                if highest >= top - EQUAL:
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
