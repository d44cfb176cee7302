"""One negotiation of a market in which any learners sit, played by `learning.learner_loop`.

Plain Python over arrays of numbers, run as it is or compiled with the ticks.
"""

from typing import Any, NamedTuple

from negotiation_tui.learning.algorithms.rows import Legal, Row
from negotiation_tui.learning.kernel_arguments import SeatArrays
from negotiation_tui.learning.learner_loop import LearnerRows, LoopSetup, TableRows, play_learners
from negotiation_tui.learning.loop import AGREEMENTS, ROUNDS
from negotiation_tui.market.ledger import Ledger, Rules, Side

_FOREVER = 1 << 62


class Learners(NamedTuple):
    """The learners of a role, each of any kind. The first four arrays have an entry per agent."""

    kinds: Any  # ints: its functions
    tables: Any  # (agents, tables, states · actions) floats, see `algorithms.rows`
    settings: Any  # (agents, settings) floats
    ranges: Any  # ints: the legal actions of its reservation price
    legal_actions: Any  # (ranges, states · actions) ints
    n_legal: Any  # (ranges, states) ints
    explores_itself: Any  # of each kind: 1 or 0
    draws: Any  # of each kind: 1 or 0
    row: Row  # scratch space of the loop, as the rest
    states: Any
    actions: Any
    changed: Any
    probabilities: Any


class Ways(NamedTuple):
    """The functions of each kind of learner, and the learners of both roles, sellers first."""

    policies: Any
    learns: Any
    learners: tuple[Learners, Learners]
    decisions: Any  # 2 ints, scratch space


def play_pair(
    ways: Ways,
    sides: tuple[Side, Side],
    rules: Rules,
    ledger: Ledger,
    pair: Any,
    learning: tuple[int, int],
    trainee: int,
    opens: int,
    at: int,
    line: int,
    draws: Any,
    position: int,
) -> tuple[int, int]:
    """Play the negotiation of one pair, number `at` of its group; its notes get this line.

    `learning` is 1 for each role whose agent learns, of whom only the `trainee` learns now.
    Return the position in `draws` and the number of turns.
    """
    one, other = ways.learners
    sellers, buyers = sides
    n_prices = len(rules.prices)
    # A learner and a static strategy are there in each role; one of the two is not asked.
    seller, buyer = pair[0] * learning[0], pair[1] * learning[1]
    rows = (
        learner_rows(one, sellers.learners, seller, n_prices),
        learner_rows(other, buyers.learners, buyer, n_prices),
    )
    tables = (
        table_rows(sellers.static, pair[0] * (1 - learning[0]), n_prices * rules.rounds),
        table_rows(buyers.static, pair[1] * (1 - learning[1]), n_prices * rules.rounds),
    )
    setup = LoopSetup(
        rows,
        tables,
        leaders=(trainee, trainee),
        together=0,
        present=learning,
        opener=opens,
        first=1,
        episodes=_FOREVER,
        epsilons=ledger.epsilons[at : at + 1],
        prices=rules.grid,
        rounds=rules.rounds,
        first_offers=ledger.starts,  # no negotiation begins with a random offer
        n_offers=ledger.starts,
        limits=ledger.starts,
        statistics=ledger.statistics[at : at + 1],
        starts=ledger.starts,
        turns=ledger.turns[line],
        explored=ledger.explored[line],
        decisions=ways.decisions,
    )
    policies = ways.policies[one.kinds[seller]], ways.policies[other.kinds[buyer]]
    learns = ways.learns[one.kinds[seller]], ways.learns[other.kinds[buyer]]
    result = play_learners(setup, policies, learns, None, ledger.offers, 1, 2, draws, position)
    tally = ledger.statistics[at]
    if tally[AGREEMENTS] + tally[AGREEMENTS + 1] == 0:
        tally[ROUNDS] = (result[4] + 1) // 2
    return result[1], result[4]


def learner_rows(learners: Learners, seat: SeatArrays, agent: int, n_prices: int) -> LearnerRows:
    """Return an agent as the loop takes it. The end of a negotiation is worth being free."""
    kind, legal = learners.kinds[agent], learners.ranges[agent]
    return LearnerRows(
        learners.tables[agent],
        learners.settings[agent],
        Legal(learners.legal_actions[legal], learners.n_legal[legal], n_prices + 2),
        learners.row,
        learners.explores_itself[kind],
        learners.draws[kind],
        seat.responder_offset,
        learners.states,
        learners.actions,
        seat.rewards[agent * n_prices : (agent + 1) * n_prices],
        learners.changed,
        learners.probabilities,
        seat.discount_rates[agent] * seat.best[agent],
    )


def table_rows(seat: SeatArrays, agent: int, n_states: int) -> TableRows:
    """Return a static strategy as the loop takes it, of `n_states` states and two more."""
    n_rows = len(seat.n_actions) // len(seat.memories)
    width = len(seat.actions) // len(seat.n_actions)
    first, last = agent * n_rows, (agent + 1) * n_rows
    return TableRows(
        seat.actions[first * width : last * width],
        seat.n_actions[first:last],
        seat.cumulative[first * width : last * width],
        width,
        n_rows // (n_states + seat.responder_offset + 2),
        seat.memories[agent],
        seat.responder_offset,
    )
