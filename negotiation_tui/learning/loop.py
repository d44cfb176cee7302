"""Every negotiation that is learned from, by one loop that Python runs or numba compiles.

Both use the same random numbers and do the same arithmetic in the same order, so that a seed gives
the same bits. Arguments are numbers and rows of numbers: lists for Python, arrays for numba.

The agents of both roles lie end to end: an agent is a number, its columns are `about[agent]`, and
its rows of a policy begin at ROW. While the other role learns, it plays the rows at KEPT, from
before its last cycle. An agent that never learns has both in one. Two agents are a population of
two. A hidden limit is an agent of its own: `pairs` has the numbers of both in each episode.

An argument that is None is left out of the compiled code. With all four of them None the loop is
`q_learning.one_episode`, over and over. Each of five things adds its own lines:

    functions   learners of other kinds: they are asked for each action (`ask`), and learn after
                the episode (`learn`), not within it as Q-learners do; both roles may learn
    pairs       other agents in each episode, because limits are hidden, or in a market
    offers      policies with a memory of offers (`remembered`)
    factors     time costs: what they leave of a reward, per role and number of an offer, flat
    market = 1  with `pairs`, many agents: a row of counts per episode, no cycles with kept tables,
                and each decision costs the time in which the agent could be free

`market` is a number, and so are `together` and `expected`: they are asked while the loop runs.
"""

from typing import Any, NamedTuple

from negotiation_tui.game.draws import UNIFORM, drawn, scaled_probability
from negotiation_tui.game.memory import note, recall
from negotiation_tui.learning.algorithms.rows import Episode, Legal, Row, accumulate

INLINED = frozenset({"fetch", "turn", "ask", "learn", "mean_target"})
"""Functions that LLVM always inlines, because all arrays of `Agents` would be passed by value."""
ALTERNATE = 2
LINE, FETCHED = 8, 48  # floats per cache line; floats of a Q-table to prefetch
_AHEAD = 4  # episodes to prefetch ahead
ALMOST_ONE = 1.0 - 2.0**-52  # keeps a draw below ε, rescaled to 0 … 1, below 1
# Columns of the counts. AGREEMENTS and BREAKDOWNS have one per role that ended them; with hidden
# limits LIMITS has the sums of the limits of sellers, and of buyers, who made a deal. With time
# costs REWARDS has those of their rewards, in units of 1 / `Setup.reward_scale`.
AGREEMENTS, BREAKDOWNS, PRICES, ROUNDS, LIMITS, REWARDS = 0, 2, 4, 5, 6, 8
N_COUNTS = 6  # without hidden limits and time costs
# Columns of `about`. A row r of an agent's policy has its actions at SHIFT + r · WIDTH.
ROW, KEPT, STRIDE, MEMORY, WIDTH, SHIFT, FIRST, OFFERS = 0, 1, 2, 3, 4, 5, 6, 7
RESPONDER, KIND, EXPLORES, DRAWS, LIMIT, ROLE, INSIDE, N_ABOUT = 8, 9, 10, 11, 12, 13, 14, 16
STATIC = -1  # a kind; others are the number of a learner's functions
# INSIDE is 1 for Q-learners who learn within the episode, unless both roles learn together.
_NEVER = -1.0  # an ε: no number is drawn to decide whether to explore


class Agents(NamedTuple):
    """A population; `rows` are those of learners, then of what they kept, then of other tables.

    A policy draws from the first `n_actions[row]` actions of a row, uniformly unless it has weights
    (see `game.draws`). The row is `first row + state · STRIDE + number`, with the number that its
    memory holds (see `game.memory`).
    """

    about: Any  # per agent the columns above, flat: see `layout`
    rates: Any  # per agent α, γ and a learner's own settings
    rewards: Any  # per agent and price, flat: of a deal on the first offer
    q: Any  # learners' rows · width floats: the first of `tables`, in the same memory
    best: Any  # learners' rows: the greatest value of a state; of the end: that of being free
    tables: Any  # of learners, see `algorithms.rows`
    legal: Legal  # of learners; a single row if all are Q-learners
    scratch: Row
    actions: Any  # the actions of all rows
    n_actions: Any  # rows: their number
    chances: Any  # as actions: cumulative weights; a single UNIFORM if there are none
    changed: Any  # of each role: the rows that changed since they were kept, see `log`
    parts: Any  # the first row of each role's learner, and the number of learners' rows
    decisions: Any  # 4 rows: states and actions of the seller in an episode, then of the buyer
    made: Any  # the number of decisions of each role
    firsts: Any  # the first agent of each role's learner


class Setup(NamedTuple):
    """The arguments that are the same for all episodes of a call."""

    agents: Agents
    pair: tuple[int, int]  # the agents, to which the numbers of `pairs` are added
    leaders: tuple[int, int]  # the roles that learn in even and in odd cycles
    together: int  # 1 if both roles learn in each cycle
    opener: int  # a role, or ALTERNATE: the leader opens odd episodes of a cycle
    first: int  # number, over all cycles, of the episode that the rows below begin with
    episodes: int  # per cycle
    epsilons: Any  # exploration probability of each episode
    expected: int  # 1 if Q-learners learn from the mean over the other's possible answers
    prices: Any
    rounds: int
    market: int  # 1: a row of counts per episode, with the rounds of breakdowns; nothing is kept
    counts: Any  # by the columns above, per cycle
    reward_scale: float  # units of counted rewards
    starts: Any  # per cycle: the first ply and the number of plies to begin at
    turns: Any  # 2 · rounds ints: the actions of the last episode
    explored: Any  # same shape: 1 if that action was drawn at random


def prefetch(row: Any, index: int) -> None:
    """Do nothing. In compiled code: ask the processor to load `row[index]` into its cache."""


def play(
    setup: Setup, functions: Any, pairs: Any, offers: Any, factors: Any, start: int, stop: int,
    draws: Any, position: int,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Play the episodes `start … stop - 1`, numbered over all cycles, and learn from each.

    In each cycle one role leads: it learns. "Mine" is the leader's, "theirs" the other role's.
    An episode begins with the opening offer, or in a cycle with n > 0 plies to begin at with the
    leader's decision at one of these (or its neighbour, if only one role opens), after a random
    offer of the other. `draws` are uniform random numbers, used from `position` on.

    Return the next episode (an earlier one than `stop` if `draws` may not last), the position in
    `draws`, and of the last episode the role that opened, the first ply and the number of turns.
    """
    agents, together, market = setup.agents, setup.together, setup.market
    about, actions = agents.about, agents.actions
    n_actions, chances = agents.n_actions, agents.chances
    q, best, changed, rewards = agents.q, agents.best, agents.changed, agents.rewards
    prices, rounds, episodes, expected = setup.prices, setup.rounds, setup.episodes, setup.expected
    epsilons, first, turns, explored = setup.epsilons, setup.first, setup.turns, setup.explored
    n_prices, width, last_ply = len(prices), len(prices) + 2, 2 * rounds - 1
    enough = len(draws) - 4 * rounds - 4
    opener, first_ply, n_turns, explores, episode = 0, 0, 0, 0, start

    while episode < stop and position <= enough:
        # A cycle.
        cycle = episode // episodes
        begin = cycle * episodes
        cycle_stop = min(stop, begin + episodes)
        leader = setup.leaders[cycle % 2]
        other = 1 - leader
        before = 2 * rounds * leader - 1  # at ply n the number of the standing offer is n - 1
        if episode == begin and together == 0 and market == 0:
            if about[setup.pair[leader] * N_ABOUT + KIND] != STATIC:
                # In the next cycle this role plays what it knows before this one.
                keep(agents, functions, leader, width)
        counts = setup.counts[cycle - first // episodes]
        earliest, window = setup.starts[cycle - first // episodes]

        while episode < cycle_stop and position <= enough:
            # A pair of agents: for the rest of the cycle, or if there are many for one episode.
            mine, theirs, pair_stop = setup.pair[leader], setup.pair[other], cycle_stop
            if pairs is not None:
                pair = pairs[episode - first]
                mine, theirs, pair_stop = mine + pair[leader], theirs + pair[other], episode + 1
                if market == 1:
                    counts = setup.counts[episode - first]
                    if episode + 2 * _AHEAD < stop:
                        for role in range(2):
                            prefetch(about, pairs[episode + 2 * _AHEAD - first][role] * N_ABOUT)
                            fetch(
                                agents, pairs[episode + _AHEAD - first][role], width, role == leader
                            )
            me, them = mine * N_ABOUT, theirs * N_ABOUT
            my_first, my_width, my_shift = about[me + ROW], about[me + WIDTH], about[me + SHIFT]
            their_first = about[them + KEPT]
            if functions is not None:
                if together == 1:
                    their_first = about[them + ROW]
            their_width, their_shift = about[them + WIDTH], about[them + SHIFT]
            my_offset, their_offset = about[me + RESPONDER], about[them + RESPONDER]
            lowest, n_offers = about[me + FIRST], about[me + OFFERS]
            learns, my_rewards = about[me + KIND] != STATIC, mine * n_prices
            rate, discount = agents.rates[mine][0], agents.rates[mine][1]
            old_weight, end, cost, asked, inside = 1 - rate, 0.0, 0.0, False, learns
            if functions is not None:
                inside = about[me + INSIDE] == 1 and together == 0
                asked = about[them + KIND] >= 0 and together + market > 0
            if pairs is not None:
                if market == 1 and learns:
                    # Values are beyond that of being free now: else those tried long ago lag.
                    cost = (1.0 - discount) * best[my_first + n_prices * rounds + my_offset + 1]
                    end = -cost

            while episode < pair_stop and position <= enough:
                # An episode: where it begins.
                epsilon = epsilons[episode - first]
                spread = ALMOST_ONE / epsilon if epsilon > 0.0 else 0.0
                their_epsilon = _NEVER
                if functions is not None:
                    if together == 1:
                        their_epsilon = epsilon
                recorded = episode == stop - 1
                opens = setup.opener == leader
                if setup.opener == ALTERNATE:
                    opens = (episode - begin) % 2 == 1
                ply, standing, first_ply, n_turns = 0, 0, 0, 0
                if window > 0:
                    ply = earliest + int(draws[position] * window)
                    position += 1
                    if setup.opener != ALTERNATE and (ply % 2 == 0) != opens:
                        ply = ply ^ 1
                    opens = ply % 2 == 0
                opener = leader if opens else other
                if offers is not None:
                    offers[0][0] = offers[0][1] = offers[1][0] = offers[1][1] = 0
                if functions is not None:
                    agents.made[0] = agents.made[1] = 0
                # The rows of my next answers begin at `my_rows`, those of theirs at `their_rows`.
                my_rows, their_rows = my_first + 1, their_first + 1
                if opens:
                    their_rows += their_offset
                else:
                    my_rows += my_offset
                if ply > 0 or not opens:
                    if ply > 0:
                        my_rows += (ply - 1) // 2 * n_prices
                        their_rows += ply // 2 * n_prices
                        lowest_of_them, n_of_them = about[them + FIRST], about[them + OFFERS]
                        standing, explores = lowest_of_them + int(draws[position] * n_of_them), 1
                        position += 1
                    else:
                        at = their_first * their_width + their_shift
                        standing, explores, position = turn(
                            agents, functions, theirs, their_first, at, 0, 0, 0,
                            their_epsilon, spread, asked, draws, position,
                        )  # fmt: skip
                        ply = 1
                    if offers is not None:
                        note(offers[other], standing)
                    if recorded:
                        turns[0], explored[0], first_ply, n_turns = standing, explores, ply - 1, 1
                state = my_first
                if ply > 0:
                    state = my_rows + standing
                    my_rows += n_prices

                while True:
                    # My turn.
                    row, role = state, leader
                    if offers is not None:
                        row = remembered(about, me, my_first, row, n_prices, offers, leader)
                    n_open = n_offers if ply < last_ply else 0
                    n_legal = n_open
                    if ply > 0:
                        n_legal += 2 if lowest <= standing < lowest + n_offers else 1
                    action, explores, position = turn(
                        agents, functions, mine, row, row * my_width + my_shift, lowest, n_open,
                        n_legal, epsilon, spread, learns and not inside, draws, position,
                    )  # fmt: skip
                    entry, mean, averages = state * width + action, 0.0, False
                    if recorded:
                        turns[n_turns], explored[n_turns] = action, explores
                        n_turns += 1
                    if action < n_prices:
                        # Their turn.
                        standing, role = action, other
                        ply += 1
                        row = their_rows + standing
                        their_rows += n_prices
                        if offers is not None:
                            note(offers[leader], standing)
                            row = remembered(about, them, their_first, row, n_prices, offers, other)
                        at = row * their_width + their_shift
                        if their_epsilon == _NEVER and not asked and n_actions[row] == 1:
                            action, explores = actions[at], 0
                        else:
                            action, explores, position = turn(
                                agents, functions, theirs, row, at, 0, 0, 0,
                                their_epsilon, spread, asked, draws, position,
                            )  # fmt: skip
                            if expected == 1 and inside and n_actions[row] > 1:
                                averages, reward = True, rewards[my_rewards + standing]
                                if factors is not None:
                                    reward *= factors[before + ply]
                                mean = mean_target(
                                    actions, chances, best, at, n_actions[row], my_rows,
                                    reward, discount, n_prices,
                                )  # fmt: skip
                        if recorded:
                            turns[n_turns], explored[n_turns] = action, explores
                            n_turns += 1
                    # What it led to.
                    target = end
                    if action < n_prices:
                        if inside:
                            target = discount * best[my_rows + action]
                            if pairs is not None:
                                if market == 1:
                                    target += end
                    elif action == n_prices:
                        target = rewards[my_rewards + standing]
                        if factors is not None:
                            target *= factors[before + ply]
                        target += end
                        counts[AGREEMENTS + role] += 1
                        counts[PRICES] += prices[standing]
                        counts[ROUNDS] += ply // 2 + 1
                        if pairs is not None and market == 0:
                            counts[LIMITS] += about[(setup.pair[0] + pair[0]) * N_ABOUT + LIMIT]
                            counts[LIMITS + 1] += about[(setup.pair[1] + pair[1]) * N_ABOUT + LIMIT]
                        if factors is not None:
                            if market == 0:
                                for agent in (mine, theirs):
                                    of = about[agent * N_ABOUT + ROLE]
                                    paid = rewards[agent * n_prices + standing]
                                    paid *= factors[2 * rounds * of + ply - 1]
                                    counts[REWARDS + of] += int(paid * setup.reward_scale)
                    else:
                        counts[BREAKDOWNS + role] += 1
                        if pairs is not None:
                            counts[ROUNDS] += market * (ply // 2 + 1)
                    if inside:
                        # Q-learning: the value of the action, and the greedy actions of the state.
                        if averages:
                            target = mean
                        at = state * width
                        old, top = q[entry], best[state]
                        new = old * old_weight + rate * target
                        q[entry] = new
                        changes = False
                        if new > top:
                            best[state] = new
                            changes = n_actions[state] > 1 or actions[at] != entry - at
                            actions[at] = entry - at
                            n_actions[state] = 1
                        elif new != old and (new == top or old == top):
                            top, n, changes = new, 0, True
                            for nth in range(n_legal):
                                tried = (lowest if nth < n_open else width - n_legal) + nth
                                value = q[at + tried]
                                if value > top:
                                    top, n = value, 0
                                if value == top:
                                    actions[at + n] = tried
                                    n += 1
                            best[state] = top
                            n_actions[state] = n
                        if changes:
                            log(changed, leader, state)
                    if action >= n_prices:
                        break
                    standing = action
                    ply += 1
                    state = my_rows + standing
                    my_rows += n_prices
                    if offers is not None:
                        note(offers[other], standing)
                if functions is not None:
                    price = standing if action == n_prices else -1
                    one, two = (mine, theirs) if leader == 0 else (theirs, mine)
                    sold = bought = 1.0
                    if factors is not None:
                        sold, bought = factors[ply - 1], factors[2 * rounds + ply - 1]
                    position = learn(
                        agents, functions, one, price, sold, end, cost, epsilon, draws, position
                    )
                    position = learn(
                        agents, functions, two, price, bought, end, cost, epsilon, draws, position
                    )
                episode += 1
    return episode, position, opener, first_ply, n_turns


def turn(
    agents: Agents, functions: Any, agent: int, row: int, at: int, lowest: int, n_open: int,
    n_legal: int, epsilon: float, spread: float, asked: bool, draws: Any, position: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Return an agent's action, 1 if it was tried at random, and the position in `draws`.

    `row` is the row of its policy, whose actions begin at `at`. Legal are `n_open` offers from
    `lowest` on, and of accepting and walking away as many as are left of `n_legal`. With `asked`
    its functions decide.
    """
    if functions is not None:
        if asked:
            return ask(agents, functions, agent, row, epsilon, spread, draws, position)
    if epsilon != _NEVER:
        draw = draws[position]
        position += 1
        if draw < epsilon:
            nth = int(draw * spread * n_legal)
            if nth < n_open:
                return lowest + nth, 1, position
            return agents.legal.width - n_legal + nth, 1, position
    n = agents.n_actions[row]
    if n == 1:
        return agents.actions[at], 0, position
    k = int(draws[position] * n)
    if len(agents.chances) > 1:
        k = drawn(agents.chances, at, n, draws[position])
    return agents.actions[at + k], 0, position + 1


def fetch(agents: Agents, agent: int, width: int, learns: bool) -> None:
    """Ask the processor to load an agent's opening and its first answers into its cache."""
    row = agents.about[agent * N_ABOUT + ROW]
    at = row * agents.about[agent * N_ABOUT + WIDTH] + agents.about[agent * N_ABOUT + SHIFT]
    prefetch(agents.n_actions, row)
    if learns:
        prefetch(agents.best, row)
        prefetch(agents.rates[agent], 0)
        prefetch(agents.rewards, agent * (width - 2))
        for k in range(0, FETCHED, LINE):
            prefetch(agents.q, row * width + k)
    prefetch(agents.actions, at)
    prefetch(agents.actions, at + 4 * LINE)


def remembered(
    about: Any, agent: int, first: int, row: int, n_prices: int, offers: Any, role: int
) -> int:
    """Return the row of a state and of what the agent, at `agent` in `about`, remembers."""
    number = recall(about[agent + MEMORY], n_prices, offers[role], offers[1 - role])
    found: int = first + (row - first) * about[agent + STRIDE] + number
    return found


def mean_target(
    actions: Any, chances: Any, best: Any, at: int, n: int, following: int, reward: float,
    discount: float, n_prices: int,
) -> float:  # fmt: skip
    """Return the mean target of an offer over the n answers that the other might have given."""
    total = 0.0
    for k in range(n):
        answer, weight = actions[at + k], 1.0
        if len(chances) > 1:
            weight = scaled_probability(chances, at, n, k)
        if answer < n_prices:
            total += weight * (discount * best[following + answer])
        elif answer == n_prices:
            total += weight * reward
    return total / n


def log(changed: Any, role: int, row: int) -> None:
    """Log a changed row of a role, after the number of them; a full log holds none."""
    size = len(changed) // 2
    at = role * size
    n = changed[at] = min(changed[at] + 1, size)
    if n < size:
        changed[at + n] = row


def keep(agents: Agents, functions: Any, role: int, width: int) -> None:
    """Copy the changed rows of a role to those that it plays while it does not learn."""
    changed, size, later = agents.changed, len(agents.changed) // 2, agents.parts[2]
    at, begin, end = role * size, agents.parts[role], agents.parts[role + 1]
    asked = agents.about[agents.firsts[role] * N_ABOUT + INSIDE] == 0
    logged = changed[at] < size
    for k in range(changed[at] if logged else end - begin):
        row = changed[at + k + 1] if logged else begin + k
        if functions is not None:
            if asked:
                write_row(agents, functions, agents.firsts[role], row, agents.chances, row)
                keep_written(agents, row, row + later, width)
                continue
        n = agents.n_actions[row + later] = agents.n_actions[row]
        for cell in range(row * width, row * width + n):
            agents.actions[cell + later * width] = agents.actions[cell]
    changed[at] = 0


# Learners that are asked for each action: see `algorithms`.


def ask(
    agents: Agents, functions: Any, agent: int, state: int, epsilon: float, spread: float,
    draws: Any, position: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Return a learner's action as `turn` does, and record it if it learns from the episode."""
    legal, row, at = agents.legal, agents.scratch, agent * N_ABOUT
    explores, k, tries, learns = 0, 0, 0.0, epsilon != _NEVER
    draw = 1.0
    if learns:
        draw, tries = draws[position], epsilon
        position += 1
    if draw < tries and agents.about[at + EXPLORES] == 0:
        explores, k = 1, int(draw * spread * legal.n_actions[state])
        action = legal.actions[state * legal.width + k]
    else:
        function = functions[0][agents.about[at + KIND]]
        n = actions_of(function, agents.tables, agents.rates[agent], tries, state, legal, row)
        if n > 1:
            accumulate(row.weights, n)
            k = drawn(row.weights, 0, n, draws[position])
            position += 1
        action = row.actions[k]
    if learns:
        role = agents.about[at + ROLE]
        made = agents.made[role]
        agents.decisions[2 * role][made], agents.decisions[2 * role + 1][made] = state, action
        agents.made[role] = made + 1
        log(agents.changed, role, state)
    return action, explores, position


def learn(
    agents: Agents, functions: Any, agent: int, price: int, factor: float, end: float, cost: float,
    epsilon: float, draws: Any, position: int,
) -> int:  # fmt: skip
    """Let a learner learn from its decisions, if it made any; `price` is -1 without a deal.

    `factor` is what time leaves of the reward, `end` the value of the end of the episode beside
    its reward, and `cost` that of each decision before the last.
    """
    at, reward, draw = agent * N_ABOUT, end, 0.0
    role = agents.about[at + ROLE]
    n = agents.made[role]
    if n == 0:
        return position
    if price >= 0:
        reward += agents.rewards[agent * (agents.legal.width - 2) + price] * factor
    if agents.about[at + DRAWS] == 1:
        draw = draws[position]
        position += 1
    made = agents.decisions[2 * role], agents.decisions[2 * role + 1]
    played = Episode(made[0], made[1], n, reward, epsilon, draw, cost)
    function = functions[1][agents.about[at + KIND]]
    learn_from(function, agents.tables, agents.rates[agent], agents.legal, agents.scratch, played)
    return position


def actions_of(policy: Any, *arguments: Any) -> int:
    """Call a learner's `TabularAlgorithm.policy`; in compiled code `policy` is its address."""
    n: int = policy(*arguments)
    return n


def learn_from(learn: Any, *arguments: Any) -> None:
    """Call a learner's `TabularAlgorithm.learn`; in compiled code `learn` is its address."""
    learn(*arguments)


def write_policy(
    agents: Agents, functions: Any, agent: int, first: int, stop: int, probabilities: Any
) -> None:
    """Write the policy of a learner in some states, without exploration, to rows of zeros."""
    for state in range(first, stop):
        write_row(agents, functions, agent, state, probabilities, state - first)


def write_row(
    agents: Agents, functions: Any, agent: int, state: int, probabilities: Any, row: int
) -> None:
    """Write the policy of a learner in a state, without exploration, to a row of probabilities."""
    legal, scratch = agents.legal, agents.scratch
    at = row * legal.width
    for k in range(at, at + legal.width):
        probabilities[k] = 0.0
    if legal.n_actions[state] > 0:
        function = functions[0][agents.about[agent * N_ABOUT + KIND]]
        n = actions_of(function, agents.tables, agents.rates[agent], 0.0, state, legal, scratch)
        for k in range(n):
            weight = 1.0 / n if scratch.weights[0] == UNIFORM else scratch.weights[k]
            probabilities[at + scratch.actions[k]] = weight


def keep_written(agents: Agents, state: int, row: int, width: int) -> None:
    """Write a row that plays the probabilities of a state, by `TabularPolicy.cumulative`.

    Of the probabilities of the state only those above 0 stay, beside those actions of the row.
    """
    chances, at, first = agents.chances, row * width, state * width
    total, n, uniform = 0.0, 0, True
    for action in range(width):
        chance = chances[first + action]
        if chance > 0.0:
            total += chance
            agents.actions[at + n], chances[at + n], chances[first + n] = action, total, chance
            uniform = uniform and chance == chances[at]
            n += 1
    if n > 0:
        agents.n_actions[row] = n
        chances[at + n - 1] = 1.0
        if uniform:
            chances[at] = UNIFORM
