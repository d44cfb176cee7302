"""The loop of the learners of `algorithms`: one source that Python runs or numba compiles.

Both use the same random numbers in the same order as `kernel.play`: Q-learning learns the same
here, to the bit. It is slower, because any two learners can sit opposite each other: their
functions are called through pointers.
"""

from typing import Any, NamedTuple

from negotiation_tui.game.draws import UNIFORM, drawn
from negotiation_tui.game.memory import note, recall
from negotiation_tui.learning.algorithms.rows import Episode, Legal, Row, accumulate
from negotiation_tui.learning.frozen_policy import log_change
from negotiation_tui.learning.kernel import AGREEMENTS, ALMOST_ONE, BREAKDOWNS, PRICES, ROUNDS
from negotiation_tui.learning.limit_counts import LIMITS


class LearnerRows(NamedTuple):
    """A learner in the loop."""

    tables: Any  # see `algorithms.rows`
    settings: Any
    legal: Legal
    row: Row
    explores_itself: int
    draws: int
    responder_offset: int  # responder's states begin this far after the opener's
    states: Any  # rounds ints: its decisions in the present episode
    actions: Any  # rounds ints
    rewards: Any  # n_prices floats, per hidden limit
    changed: Any  # states learned from since the policy was frozen, see `frozen_policy`
    probabilities: Any  # rows · width floats: the frozen policy
    end: float  # the value of the end of an episode, beside its reward


class TableRows(NamedTuple):
    """A table that a role plays from while it does not learn, see `game.tabular_policy`."""

    actions: Any  # rows · width ints
    n_actions: Any  # rows ints
    cumulative: Any  # rows · width floats
    width: int
    stride: int
    memory: int
    responder_offset: int


class LoopSetup(NamedTuple):
    """The arguments that are the same for all episodes of a call; see `kernel.Setup`."""

    learners: tuple[LearnerRows, LearnerRows]
    tables: tuple[TableRows, TableRows]  # a learner's is frozen at the start of its cycle
    leaders: tuple[int, int]  # in even and odd cycles: the learner, or of two the one for openers
    together: int  # 1 if both roles learn in each cycle
    present: tuple[int, int]  # 1 for a learner that, while the other learns, plays as it would now
    opener: int
    first: int
    episodes: int
    epsilons: Any
    prices: Any
    rounds: int
    first_offers: Any  # of each role, and of each of its hidden limits
    n_offers: Any
    limits: Any  # likewise: the price of reward 0
    statistics: Any
    starts: Any
    turns: Any
    explored: Any
    decisions: Any  # 2 ints: how often each role decided in the present episode


def play_learners(
    setup: LoopSetup,
    policies: Any,
    learns: Any,
    pairs: Any,
    offers: Any,
    start: int,
    stop: int,
    draws: Any,
    position: int,
) -> tuple[int, int, int, int, int]:
    """Play episodes, and let one role or both learn from each.

    `policies` and `learns` are functions of both learners, seller first. `pairs` is None without
    hidden limits. All else is as in `kernel.play`.
    """
    prices, decisions, first = setup.prices, setup.decisions, setup.first
    n_prices, episodes = len(prices), setup.episodes
    enough = len(draws) - 4 * setup.rounds - 4
    opener, first_ply, n_turns, table_number = 0, 0, 0, 0
    episode = start
    while episode < stop and position <= enough:
        cycle = episode // episodes
        leader = setup.leaders[cycle % 2]
        if episode == cycle * episodes and setup.together == 0:
            freeze(policies[leader], setup.learners[leader], setup.tables[leader])
        counts = setup.statistics[cycle - first // episodes]
        earliest, window = setup.starts[cycle - first // episodes]
        epsilon = setup.epsilons[episode - first]
        spread = ALMOST_ONE / epsilon if epsilon > 0.0 else 0.0
        recorded = episode == stop - 1
        opener = setup.opener
        if opener > 1:
            opener = leader if (episode - cycle * episodes) % 2 == 1 else 1 - leader
        ply, standing, first_ply, n_turns = 0, 0, 0, 0
        decisions[0] = decisions[1] = 0
        if offers is not None:
            offers[0][0] = offers[0][1] = offers[1][0] = offers[1][1] = 0
        if window > 0:
            ply = earliest + int(draws[position] * window)
            position += 1
            if setup.opener <= 1 and (ply % 2 == 0) != (opener == leader):
                ply = ply ^ 1
            opener = leader if ply % 2 == 0 else 1 - leader
            if ply > 0:
                other = 1 - leader
                if pairs is not None:
                    table_number = pairs[episode - first][other]
                nth = int(draws[position] * setup.n_offers[other][table_number])
                standing = setup.first_offers[other][table_number] + nth
                position += 1
                if offers is not None:
                    note(offers[other], standing)
                if recorded:
                    setup.turns[0], setup.explored[0] = standing, 1
                    first_ply, n_turns = ply - 1, 1
        reward_at = -1
        while True:
            role = opener if ply % 2 == 0 else 1 - opener
            state, explores, n, k = 0, 0, 0, 0
            if pairs is not None:
                table_number = pairs[episode - first][role]
            if ply > 0:
                state = 1 + (ply - 1) // 2 * n_prices + standing
            trains = setup.together == 1 or role == leader
            if trains or setup.present[role] == 1:
                learner = setup.learners[role]
                legal, row = learner.legal, learner.row
                if state > 0 and role != opener:
                    state += learner.responder_offset
                state += table_number * (n_prices * setup.rounds + learner.responder_offset + 2)
                draw, tries = 1.0, 0.0
                if trains:
                    draw, tries = draws[position], epsilon
                    position += 1
                if learner.explores_itself == 0 and draw < tries:
                    explores = 1
                    k = int(draw * spread * legal.n_actions[state])
                    action = legal.actions[state * legal.width + k]
                else:
                    policy = policies[role]
                    n = policy(learner.tables, learner.settings, tries, state, legal, row)
                    if n > 1:
                        accumulate(row.weights, n)
                        k = drawn(row.weights, 0, n, draws[position])
                        position += 1
                    action = row.actions[k]
                if trains:
                    log_change(learner.changed, state)
                    learner.states[decisions[role]] = state
                    learner.actions[decisions[role]] = action
                    decisions[role] += 1
            else:
                table = setup.tables[role]
                if state > 0 and role != opener:
                    state += table.responder_offset
                state += table_number * (n_prices * setup.rounds + table.responder_offset + 2)
                state *= table.stride
                if offers is not None:
                    state += recall(table.memory, n_prices, offers[role], offers[1 - role])
                n = table.n_actions[state]
                if n > 1:
                    k = drawn(table.cumulative, state * table.width, n, draws[position])
                    position += 1
                action = table.actions[state * table.width + k]
            if recorded:
                setup.turns[n_turns], setup.explored[n_turns] = action, explores
                n_turns += 1
            if action >= n_prices:
                break
            standing = action
            if offers is not None:
                note(offers[role], action)
            ply += 1
        if action == n_prices:
            reward_at = standing
            counts[AGREEMENTS + role] += 1
            counts[PRICES] += prices[standing]
            counts[ROUNDS] += ply // 2 + 1
            if pairs is not None:
                for k in range(2):
                    counts[LIMITS + k] += setup.limits[k][pairs[episode - first][k]]
        else:
            counts[BREAKDOWNS + role] += 1
        for role in range(2):
            if decisions[role] > 0:
                learner = setup.learners[role]
                reward, draw = learner.end, 0.0
                if reward_at >= 0:
                    if pairs is not None:
                        table_number = pairs[episode - first][role]
                    reward += learner.rewards[table_number * n_prices + reward_at]
                if learner.draws == 1:
                    draw = draws[position]
                    position += 1
                learn = learns[role]
                played = Episode(
                    learner.states, learner.actions, decisions[role], reward, epsilon, draw
                )
                learn(learner.tables, learner.settings, learner.legal, learner.row, played)
        episode += 1
    return episode, position, opener, first_ply, n_turns


def freeze(policy: Any, learner: LearnerRows, table: TableRows) -> None:
    """Copy the policy of a learner, without exploration, to its frozen form.

    A learner changes only the rows of states that it learned from.
    """
    changed, rows = learner.changed, len(learner.legal.n_actions)
    logged = changed[0] < len(changed)
    for k in range(changed[0] if logged else rows):
        state = changed[k + 1] if logged else k
        write_row(policy, learner, state, learner.probabilities)
        write_table_row(learner.probabilities, learner.legal, state, table)
    changed[0] = 0


def write_policy(policies: Any, learner: LearnerRows, probabilities: Any) -> None:
    """Write the policy of all states, without exploration: rows · width floats, first all 0.

    The only one of `policies` is the learner's. For numba, a function in a tuple is a pointer:
    the code is the same for all learners, and may be kept.
    """
    for state in range(len(learner.legal.n_actions)):
        write_row(policies[0], learner, state, probabilities)


def write_row(policy: Any, learner: LearnerRows, state: int, probabilities: Any) -> None:
    """Write the policy of one state."""
    legal, row = learner.legal, learner.row
    at = state * legal.width
    for k in range(at, at + legal.width):
        probabilities[k] = 0.0
    if legal.n_actions[state] > 0:
        n = policy(learner.tables, learner.settings, 0.0, state, legal, row)
        for k in range(n):
            weight = 1.0 / n if row.weights[0] == UNIFORM else row.weights[k]
            probabilities[at + row.actions[k]] = weight


def write_table(probabilities: Any, legal: Legal, table: TableRows) -> None:
    """Write all rows of the table that plays given probabilities."""
    for state in range(len(legal.n_actions)):
        write_table_row(probabilities, legal, state, table)


def write_table_row(probabilities: Any, legal: Legal, state: int, table: TableRows) -> None:
    """Write one row of the table, with the bits of `TabularPolicy.cumulative`."""
    at = state * legal.width
    total, n, uniform = 0.0, 0, True
    for action in range(legal.width):
        chance = probabilities[at + action]
        if chance > 0.0:
            total += chance
            table.actions[at + n], table.cumulative[at + n] = action, total
            uniform = uniform and chance == table.cumulative[at]
            n += 1
    if n > 0:
        table.n_actions[state] = n
        table.cumulative[at + n - 1] = 1.0
        if uniform:
            table.cumulative[at] = UNIFORM
