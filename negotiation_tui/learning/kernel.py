"""The inner loop: concurrent Q-learning, written once, run as it is or compiled by numba.

Everything here is a number or a row of numbers: lists when Python runs this source, arrays when
numba compiles it. Both use up the same random numbers in the same order and do the same
arithmetic in the same order, so one seed gives the same bits either way. A table lies flat, its
rows end to end: `q[state · n_actions + action]`, which compiles a tenth faster than rows of rows.
"""

from typing import Any, NamedTuple

ALTERNATE = 2
LINE, FETCHED = 8, 48  # floats in a line of a cache; how many of a table to fetch ahead
AHEAD = 4  # episodes
ALMOST_ONE = 1.0 - 2.0**-52  # so that a draw below ε, spread over 0 … 1, stays below 1
# Columns of the statistics; the first four are indexed by the seat that closed.
AGREEMENTS, BREAKDOWNS, PRICES, ROUNDS, N_STATISTICS = 0, 2, 4, 5, 6


class SeatArrays(NamedTuple):
    """One side of the table, as the inner loop sees it: a policy, and for a learner its Q-table.

    It holds one agent or many, their tables end to end: agent a's row of a state is row
    `a · n_states + state`.

    A policy is a table of equally good actions: the first `count[row]` in that row of `actions`. Its
    row is `state · (1 + memory · n_prices) + own`, where `remembers_own_offer` is 0 for a policy that looks at
    the state alone; with 1, `own` is 1 + the index of the seat's own last offer, 0 before any.
    A learner's `actions` and `n_actions` are kept greedy over `q` with every update, `best[state]` the
    greatest value among its legal actions. The frozen pair is what the seat plays as trainer.
    """

    learning_rates: Any  # an agent's; 0 for one that does not learn, whose q is never touched
    discount_rates: Any  # an agent's
    q: Any  # n_states · n_actions floats
    best: Any  # n_states floats
    actions: Any  # rows · width ints
    n_actions: Any  # rows ints
    frozen_actions: Any
    frozen_n_actions: Any
    remembers_own_offer: int
    legal: Any  # n_states · n_actions ints, of which the first n_legal[state] in a row hold
    n_legal: Any  # n_states ints
    legal_of: Any  # an agent's: which of the legal tables that lie end to end is its own
    rewards: Any  # n_prices floats an agent: what a deal at that price is worth to it
    responder_offset: (
        int  # how many states the responder's lie below the opener's; 0 where not seated
    )
    first_offer: int  # the actions that offer a price are this one
    n_offers: int  # and those that follow


class Setup(NamedTuple):
    """The arguments of `play` that stay the same from the first episode of a call to its last."""

    seats: tuple[SeatArrays, SeatArrays]
    trainees: tuple[int, int]  # the seats that train in even and in odd cycles
    opener: int  # a seat, or ALTERNATE: the trainer opens even episodes, the trainee odd ones
    first: int  # the episode, counted through all cycles, that the rows below begin with
    episodes: int  # of a cycle
    epsilons: Any  # an episode's exploration probability
    expected: bool  # learn from the mean over the trainer's equally good answers
    prices: Any
    rounds: int
    statistics: Any  # a cycle's, which grow by the columns above; with pairs an episode's
    starts: Any  # a cycle's first ply and number of plies n to begin at, see `play`
    turns: Any  # 2 · rounds ints: the actions of the last episode
    explored: Any  # the same shape: 1 where that action was drawn at random


def prefetch(row: Any, index: int) -> None:
    """Have `row[index]` in the cache soon; compiled code does so, Python need not."""


def play(
    setup: Setup, pairs: Any, start: int, stop: int, draws: Any, position: int
) -> tuple[int, int, int, int, int]:
    """Play the episodes `start … stop - 1`, counted through all cycles.

    Without `pairs` (None) each side is one agent. With them `pairs[k]` are the agents, seller and
    buyer, that meet in episode `setup.first + k`; the rounds of an episode then count even where
    it ends without a deal. A cycle with n = 0 plies to begin at has episodes that begin with the
    opening offer; else they begin with the trainee's decision at one of these plies (or its
    neighbour, where only one role opens), on a price drawn at random from those of its opponent.
    `draws` are uniform random numbers, used from `position` on.

    Return the episode to go on with (`stop`, or sooner if the draws may not last for one more),
    the position in `draws`, and of the last episode the seat that opened it, the ply of its first
    turn and its number of turns. `pairs` is no part of the setup: numba leaves the code for pairs
    out only where an argument itself is None.
    """
    opener, first, epsilons, expected = setup.opener, setup.first, setup.epsilons, setup.expected
    prices, rounds, episodes = setup.prices, setup.rounds, setup.episodes
    turns, explored = setup.turns, setup.explored
    n_prices = len(prices)
    n_actions, accept = n_prices + 2, n_prices
    enough = len(draws) - 3 * rounds - 3
    opened, begun, n_turns = 0, 0, 0
    first_cycle = first // episodes
    agent, my_start, my_rewards, their_start, their_opening, shift = 0, 0, 0, 0, 0, 0
    mine_first, theirs_first = 1, 1
    cycle, in_cycle = start // episodes, start % episodes

    for episode in range(start, stop):
        if position > enough:
            return episode, position, opened, begun, n_turns
        if episode == start or in_cycle == 0:
            trainee = setup.trainees[cycle % 2]
            trainer = 1 - trainee
            learner, opponent = setup.seats[trainee], setup.seats[trainer]
            rewards = learner.rewards
            q, best, ties, count = learner.q, learner.best, learner.actions, learner.n_actions
            legal, n_legal = learner.legal, learner.n_legal
            my_states = n_prices * rounds + learner.responder_offset + 2
            their_states = n_prices * rounds + opponent.responder_offset + 2
            memory, stride = learner.remembers_own_offer, 1 + learner.remembers_own_offer * n_prices
            width = len(ties) // len(count)
            their_ties, their_count = opponent.frozen_actions, opponent.frozen_n_actions
            their_width = len(their_ties) // len(their_count)
            their_memory, their_stride = (
                opponent.remembers_own_offer,
                1 + opponent.remembers_own_offer * n_prices,
            )
            block_here, block_there = learner.responder_offset, opponent.responder_offset
            tally = setup.statistics[cycle - first_cycle]
            earliest, window = setup.starts[cycle - first_cycle]
            learning_rate, discount_rate = learner.learning_rates[0], learner.discount_rates[0]
            keep = 1 - learning_rate
            final = my_states - 1
        if pairs is not None:
            pair = pairs[episode - first]
            agent = pair[trainee]
            my_start, my_rewards = agent * my_states, agent * n_prices
            mine_first, final = my_start + 1, my_start + my_states - 1
            theirs_first = pair[trainer] * their_states + 1
            their_start = (theirs_first - 1) * their_stride
            their_opening = their_start * their_width
            learning_rate, discount_rate = (
                learner.learning_rates[agent],
                learner.discount_rates[agent],
            )
            keep = 1 - learning_rate
            tally = setup.statistics[episode - first]
            shift = learner.legal_of[agent] * my_states - my_start
            if episode + AHEAD < stop:
                # The opening states and those that follow lie side by side in a table.
                pair = pairs[episode + AHEAD - first]
                row = pair[trainee] * my_states
                prefetch(best, row)
                prefetch(count, row * stride)
                for k in range(0, FETCHED, LINE):
                    prefetch(q, row * n_actions + k)
                prefetch(ties, row * stride * width)
                prefetch(ties, row * stride * width + 4 * LINE)
                row = pair[trainer] * their_states * their_stride
                prefetch(their_count, row)
                prefetch(their_ties, row * their_width)
                prefetch(their_ties, row * their_width + 4 * LINE)
        if in_cycle == 0 and learning_rate > 0.0:
            # What it knows before this cycle is what it plays as trainer in the next.
            frozen_ties, frozen_count = learner.frozen_actions, learner.frozen_n_actions
            for row in range(len(count)):
                n = frozen_count[row] = count[row]
                for k in range(row * width, row * width + n):
                    frozen_ties[k] = ties[k]

        epsilon = epsilons[episode - first]
        spread = ALMOST_ONE / epsilon if epsilon > 0.0 else 0.0
        recorded = episode == stop - 1
        trainee_opens = in_cycle % 2 == 1 if opener == ALTERNATE else opener == trainee
        ply = 0 if trainee_opens else 1
        if window > 0:
            ply = earliest + int(draws[position] * window)
            position += 1
            if opener != ALTERNATE and (ply % 2 == 0) != trainee_opens:
                ply = ply ^ 1
            trainee_opens = ply % 2 == 0
        opened = trainee if trainee_opens else trainer
        # The first of the states that an offer, and the answer to it, lead to in this round.
        time = ply // 2
        if trainee_opens:
            theirs = theirs_first + block_there + time * n_prices
            mine = mine_first + time * n_prices
        else:
            theirs = theirs_first + time * n_prices
            mine = mine_first + block_here + (time + 1) * n_prices
        state, on_table, own, their_own, n_turns = my_start, 0, 0, 0, 0
        if window > 0 and ply > 0:
            on_table = opponent.first_offer + int(draws[position] * opponent.n_offers)
            position += 1
            their_own = on_table + 1
            state = mine - n_prices + on_table
            if recorded:
                turns[0], explored[0], begun, n_turns = on_table, 1, ply - 1, 1
        elif not trainee_opens:
            n = their_count[their_start]
            if n == 1:
                action = their_ties[their_opening]
            else:
                action = their_ties[their_opening + int(draws[position] * n)]
                position += 1
            on_table = action
            their_own = action + 1
            state = mine - n_prices + action
            if recorded:
                turns[0], explored[0], begun, n_turns = action, 0, 0, 1

        reached = 0
        while reached != final:
            at = state * n_actions
            draw = draws[position]
            position += 1
            if draw < epsilon:
                nth = int(draw * spread * n_legal[state + shift])
                action = legal[(state + shift) * n_actions + nth]
            else:
                row = state * stride + own * memory
                n = count[row]
                if n == 1:
                    action = ties[row * width]
                else:
                    action = ties[row * width + int(draws[position] * n)]
                    position += 1
            if recorded:
                turns[n_turns] = action
                explored[n_turns] = 1 if draw < epsilon else 0
                n_turns += 1

            # What becomes of it: the state the trainee finds itself in, and the reward.
            reached = final
            reward, weighed = 0.0, 0.0
            ties_weighed = 0
            if action < n_prices:
                own = action + 1
                row = (theirs + action) * their_stride + their_own * their_memory
                n = their_count[row]
                if n == 1:
                    answer = their_ties[row * their_width]
                else:
                    answer = their_ties[row * their_width + int(draws[position] * n)]
                    position += 1
                    if expected:
                        ties_weighed = n
                        for k in range(row * their_width, row * their_width + n):
                            if their_ties[k] < n_prices:
                                weighed += discount_rate * best[mine + their_ties[k]]
                            elif their_ties[k] == accept:
                                weighed += rewards[my_rewards + action]
                if recorded:
                    turns[n_turns], explored[n_turns] = answer, 0
                    n_turns += 1
                if answer < n_prices:
                    on_table = answer
                    their_own = answer + 1
                    reached = mine + answer
                    theirs += n_prices
                    mine += n_prices
                    time += 1
                elif answer == accept:
                    reward = rewards[my_rewards + action]
                    tally[AGREEMENTS + trainer] += 1
                    tally[PRICES] += prices[action]
                    # The trainer answers in the next round if it opened.
                    tally[ROUNDS] += time + (1 if opened == trainee else 2)
                else:
                    tally[BREAKDOWNS + trainer] += 1
                    if pairs is not None:
                        tally[ROUNDS] += time + (1 if opened == trainee else 2)
            elif action == accept:
                reward = rewards[my_rewards + on_table]
                tally[AGREEMENTS + trainee] += 1
                tally[PRICES] += prices[on_table]
                tally[ROUNDS] += time + 1
            else:
                tally[BREAKDOWNS + trainee] += 1
                if pairs is not None:
                    tally[ROUNDS] += time + 1

            if learning_rate > 0.0:
                old, top = q[at + action], best[state]
                target = reward + discount_rate * best[reached]
                if ties_weighed > 0:
                    target = weighed / ties_weighed
                new = old * keep + learning_rate * target
                q[at + action] = new
                if new > top:
                    best[state] = new
                    ties[at] = action
                    count[state] = 1
                elif new != old and (new == top or old == top):
                    n = 0
                    here = (state + shift) * n_actions
                    for k in range(here, here + n_legal[state + shift]):
                        action = legal[k]
                        if n == 0 or q[at + action] > top:
                            top = q[at + action]
                            n = 0
                        if q[at + action] == top:
                            ties[at + n] = action
                            n += 1
                    best[state] = top
                    count[state] = n
            state = reached
        in_cycle += 1
        if in_cycle == episodes:
            cycle, in_cycle = cycle + 1, 0
    return stop, position, opened, begun, n_turns
