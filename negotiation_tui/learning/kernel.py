"""The inner loop of concurrent Q-learning: one source that Python runs or numba compiles.

Arguments are numbers and rows of numbers: lists for Python, arrays for numba. Both use the same
random numbers and do the same arithmetic in the same order, so that a seed gives the same bits.
Tables are flat, row after row: `q[state · n_actions + action]`. Numba runs that a tenth faster
than a table of two dimensions.
"""

from typing import Any

from negotiation_tui.game.draws import drawn, share
from negotiation_tui.game.memory import note, recall
from negotiation_tui.learning.frozen_policy import freeze, log_change
from negotiation_tui.learning.kernel_arguments import Setup
from negotiation_tui.learning.limit_counts import note_limits

ALTERNATE = 2
LINE, FETCHED = 8, 48  # floats per cache line; floats of a Q-table to prefetch
AHEAD = 4  # episodes to prefetch ahead
ALMOST_ONE = 1.0 - 2.0**-52  # keeps a draw below ε, rescaled to 0 … 1, below 1
# Columns of the statistics. AGREEMENTS and BREAKDOWNS have one per role that ended them.
AGREEMENTS, BREAKDOWNS, PRICES, ROUNDS, N_STATISTICS = 0, 2, 4, 5, 6


def prefetch(row: Any, index: int) -> None:
    """Do nothing. In compiled code: ask the processor to load `row[index]` into its cache."""


def play(
    setup: Setup, pairs: Any, offers: Any, start: int, stop: int, draws: Any, position: int
) -> tuple[int, int, int, int, int]:
    """Play the episodes `start … stop - 1`, numbered over all cycles.

    `pairs` is None if each role has one table. Otherwise `pairs[k]` are the tables of seller and
    buyer in episode `setup.first + k`: those of their hidden limits or, in a market, of two agents.
    In a market the statistics have a row per episode and count the rounds of breakdowns too.
    `offers` is None if no policy has a memory or weights. Otherwise it has a row for the offers of
    each role, see `game.memory`. These two are not part of `setup`, because numba leaves out the
    code for what is None only if it is an argument itself.
    In a cycle with n = 0 plies to begin at, episodes begin with the opening offer. Otherwise they
    begin with the learner's decision at one of these plies (or its neighbour, if only one role
    opens), after a random offer of the opponent. At ply 0 there is no such offer.
    `draws` are uniform random numbers, used from `position` on.

    Return the next episode (`stop`, or an earlier one if `draws` may not last), the position in
    `draws`, and of the last episode: the role that opened, the ply of the first turn, and the
    number of turns.
    """
    opener, first, epsilons, expected = setup.opener, setup.first, setup.epsilons, setup.expected
    prices, rounds, episodes = setup.prices, setup.rounds, setup.episodes
    turns, explored = setup.turns, setup.explored
    n_prices, n_actions, accept = len(prices), len(prices) + 2, len(prices)
    enough = len(draws) - 3 * rounds - 3
    opened, first_ply, n_turns = 0, 0, 0
    start_state, rewards_offset, opening_row, opening_index = 0, 0, 0, 0
    first_state, opponent_first_state, other = 1, 1, 0
    episode = start

    while episode < stop and position <= enough:
        cycle = episode // episodes
        begin = cycle * episodes
        cycle_stop = min(stop, begin + episodes)
        learner_role = setup.learners[cycle % 2]
        opponent_role = 1 - learner_role
        learner, opponent = setup.seats[learner_role], setup.seats[opponent_role]
        rewards = learner.rewards
        q, best, changed = learner.q, learner.best, learner.changed
        greedy, n_greedy = learner.actions, learner.n_actions
        first_offer, n_offers = learner.first_offers[0], learner.n_offers[0]
        n_states = n_prices * rounds + learner.responder_offset + 2
        opponent_n_states = n_prices * rounds + opponent.responder_offset + 2
        memory, opponent_memory = learner.memories[0], opponent.memories[0]
        stride = len(n_greedy) // (n_states * len(learner.memories))
        width = len(greedy) // len(n_greedy)
        replies, n_replies = opponent.frozen_actions, opponent.frozen_n_actions
        replies_width = len(replies) // len(n_replies)
        if offers is not None:
            own_offers, received = offers[learner_role], offers[opponent_role]
            own_chances, chances = learner.cumulative, opponent.cumulative
            own_chances_width = len(own_chances) // len(n_greedy)
            chances_width = len(chances) // len(n_replies)
        opponent_stride = len(n_replies) // (opponent_n_states * len(opponent.memories))
        responder_offset, opponent_offset = learner.responder_offset, opponent.responder_offset
        counts = setup.statistics[cycle - first // episodes]
        earliest, window = setup.starts[cycle - first // episodes]
        learning_rate, discount_rate = learner.learning_rates[0], learner.discount_rates[0]
        old_weight, learns = 1 - learning_rate, learning_rate > 0.0
        final = n_states - 1
        last_round = final - n_prices  # first state without another offer
        learner_opens = opener == learner_role
        if episode == begin and learns:
            # In the next cycle this role plays, frozen, what it knows before this one.
            freeze(changed, greedy, n_greedy, learner.frozen_actions, learner.frozen_n_actions)

        while episode < cycle_stop and position <= enough:
            if pairs is not None:
                pair = pairs[episode - first]
                agent, other = pair[learner_role], pair[opponent_role]
                start_state, rewards_offset = agent * n_states, agent * n_prices
                first_state, final = start_state + 1, start_state + n_states - 1
                last_round = final - n_prices
                opponent_first_state = other * opponent_n_states + 1
                opening_row = (opponent_first_state - 1) * opponent_stride
                opening_index = opening_row * replies_width
                learning_rate = learner.learning_rates[agent]
                discount_rate = learner.discount_rates[agent]
                old_weight, learns = 1 - learning_rate, learning_rate > 0.0
                if setup.market == 1:
                    counts = setup.statistics[episode - first]
                first_offer, n_offers = learner.first_offers[agent], learner.n_offers[agent]
                memory = learner.memories[agent]
                opponent_memory = opponent.memories[other]
                if episode + AHEAD < stop:
                    # An agent's opening state and first replies lie side by side in its table.
                    pair = pairs[episode + AHEAD - first]
                    row = pair[learner_role] * n_states
                    prefetch(best, row)
                    prefetch(n_greedy, row * stride)
                    for k in range(0, FETCHED, LINE):
                        prefetch(q, row * n_actions + k)
                    prefetch(greedy, row * stride * width)
                    prefetch(greedy, row * stride * width + 4 * LINE)
                    row = pair[opponent_role] * opponent_n_states * opponent_stride
                    prefetch(n_replies, row)
                    prefetch(replies, row * replies_width)
                    prefetch(replies, row * replies_width + 4 * LINE)

            epsilon = epsilons[episode - first]
            spread = ALMOST_ONE / epsilon if epsilon > 0.0 else 0.0
            recorded = episode == stop - 1
            if opener == ALTERNATE:
                learner_opens = (episode - begin) % 2 == 1
            ply = 0 if learner_opens else 1
            if window > 0:
                ply = earliest + int(draws[position] * window)
                position += 1
                if opener != ALTERNATE and (ply % 2 == 0) != learner_opens:
                    ply = ply ^ 1
                learner_opens = ply % 2 == 0
            # First states that this round's offers by the learner, and the answers, lead to.
            time = ply // 2
            offer_states = opponent_first_state + time * n_prices
            answer_states = first_state + time * n_prices
            if learner_opens:
                offer_states += opponent_offset
            else:
                answer_states += responder_offset + n_prices
            state, standing_offer, n_turns = start_state, 0, 0
            if offers is not None:
                own_offers[0] = own_offers[1] = received[0] = received[1] = 0
            if window > 0 and ply > 0:
                nth = int(draws[position] * opponent.n_offers[other])
                standing_offer = opponent.first_offers[other] + nth
                position += 1
                state = answer_states - n_prices + standing_offer
                if recorded:
                    turns[0], explored[0], first_ply, n_turns = standing_offer, 1, ply - 1, 1
            elif not learner_opens:
                n = n_replies[opening_row]
                if n == 1:
                    standing_offer = replies[opening_index]
                else:
                    k = int(draws[position] * n)
                    if offers is not None:
                        k = drawn(chances, opening_row * chances_width, n, draws[position])
                    standing_offer = replies[opening_index + k]
                    position += 1
                state = answer_states - n_prices + standing_offer
                if recorded:
                    turns[0], explored[0], first_ply, n_turns = standing_offer, 0, 0, 1

            if offers is not None and state != start_state:
                note(received, standing_offer)
            while state != final:
                at = state * n_actions
                draw = draws[position]
                position += 1
                # Legal: the offers, unless the last one is made, then accepting or walking away.
                n_open = n_offers if state < last_round else 0
                n_legal = n_open
                if state != start_state:
                    n_legal += 2 if first_offer <= standing_offer < first_offer + n_offers else 1
                if draw < epsilon:
                    nth = int(draw * spread * n_legal)
                    action = first_offer + nth if nth < n_open else n_actions - n_legal + nth
                else:
                    row = state
                    if offers is not None:
                        row = state * stride + recall(memory, n_prices, own_offers, received)
                    n = n_greedy[row]
                    if n == 1:
                        action = greedy[row * width]
                    else:
                        k = int(draws[position] * n)
                        if offers is not None:
                            k = drawn(own_chances, row * own_chances_width, n, draws[position])
                        action = greedy[row * width + k]
                        position += 1
                if recorded:
                    turns[n_turns] = action
                    explored[n_turns] = 1 if draw < epsilon else 0
                    n_turns += 1

                # The learner's next state and its reward.
                next_state = final
                reward, targets_sum, n_targets = 0.0, 0.0, 0
                if action < n_prices:
                    row = offer_states + action
                    if offers is not None:
                        note(own_offers, action)
                        row *= opponent_stride
                        row += recall(opponent_memory, n_prices, received, own_offers)
                    n = n_replies[row]
                    if n == 1:
                        answer = replies[row * replies_width]
                    else:
                        k = int(draws[position] * n)
                        if offers is not None:
                            k = drawn(chances, row * chances_width, n, draws[position])
                        answer = replies[row * replies_width + k]
                        position += 1
                        if expected:
                            n_targets = n
                            for k in range(n):
                                reply, weight = replies[row * replies_width + k], 1.0
                                if offers is not None:
                                    weight = share(chances, row * chances_width, n, k)
                                if reply < n_prices:
                                    value = discount_rate * best[answer_states + reply]
                                    targets_sum += weight * value
                                elif reply == accept:
                                    targets_sum += weight * rewards[rewards_offset + action]
                    if recorded:
                        turns[n_turns], explored[n_turns] = answer, 0
                        n_turns += 1
                    if answer < n_prices:
                        standing_offer = answer
                        if offers is not None:
                            note(received, answer)
                        next_state = answer_states + answer
                        offer_states += n_prices
                        answer_states += n_prices
                        time += 1
                    elif answer == accept:
                        reward = rewards[rewards_offset + action]
                        counts[AGREEMENTS + opponent_role] += 1
                        counts[PRICES] += prices[action]
                        # An opponent that opened answers in the next round.
                        counts[ROUNDS] += time + (1 if learner_opens else 2)
                        if pairs is not None:
                            note_limits(setup, pairs[episode - first], counts)
                    else:
                        counts[BREAKDOWNS + opponent_role] += 1
                        if pairs is not None:
                            counts[ROUNDS] += setup.market * (time + (1 if learner_opens else 2))
                elif action == accept:
                    reward = rewards[rewards_offset + standing_offer]
                    counts[AGREEMENTS + learner_role] += 1
                    counts[PRICES] += prices[standing_offer]
                    counts[ROUNDS] += time + 1
                    if pairs is not None:
                        note_limits(setup, pairs[episode - first], counts)
                else:
                    counts[BREAKDOWNS + learner_role] += 1
                    if pairs is not None:
                        counts[ROUNDS] += setup.market * (time + 1)

                if learns:
                    entry = at + action
                    old, top = q[entry], best[state]
                    target = reward + discount_rate * best[next_state]
                    if n_targets > 0:
                        target = targets_sum / n_targets
                    new = old * old_weight + learning_rate * target
                    q[entry] = new
                    changes = False
                    if new > top:
                        best[state] = new
                        changes = n_greedy[state] > 1 or greedy[at] != action
                        greedy[at] = action
                        n_greedy[state] = 1
                    elif new != old and (new == top or old == top):
                        top, n = new, 0
                        for nth in range(n_legal):
                            action = first_offer if nth < n_open else n_actions - n_legal
                            value = q[at + action + nth]
                            if value > top:
                                top, n = value, 0
                            if value == top:
                                greedy[at + n] = action + nth
                                n += 1
                        best[state] = top
                        n_greedy[state] = n
                        changes = True
                    if changes and (pairs is None or len(changed) > 1):
                        log_change(changed, state)
                state = next_state
            episode += 1
        opened = learner_role if learner_opens else opponent_role
    return episode, position, opened, first_ply, n_turns
