"""A training at one moment, played and solved plainly: loops over rows of probabilities.

Nothing here calls the solvers of the product, nor what its story is told from.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from negotiation_tui import Role, Scenario, TabularPolicy
from negotiation_tui.game.tabular_policy import Mask
from negotiation_tui.learning.algorithms.base import ExactAlgorithm
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import NashConvSeries
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.narrator import Narrator, facts_at
from negotiation_tui.sessions.timeline import RunTimeline
from negotiation_tui.strategies.matchup import tables_of

CLOSE = 1e-9
Beliefs = tuple[float, ...]


@dataclass(eq=False)
class World:
    """The tables after a cycle, seller first, one per limit, with the worlds beside it."""

    training: ConcurrentTraining
    game: Scenario
    parameters: Parameters
    cycle: int
    tables: list[list[TabularPolicy]]
    before: "World | None"
    after: "World | None" = None
    begun_at: int = 0  # the ply at which the last episode began
    epsilon: float = 0.0  # with which the last episode explored
    since: int = 0  # the first cycle after which all tables were as they are
    played: dict[tuple[Role, int, int], Floats] = field(default_factory=dict)

    def limits(self, role: Role) -> dict[int, float]:
        """The indices of the limits that may be drawn, with their probabilities."""
        hidden = self.game.limits[role]
        chances = hidden.chances.tolist() if hidden else [1.0]
        return {index: chance for index, chance in enumerate(chances) if chance}

    def limit(self, role: Role, index: int) -> int:
        game, hidden = self.game, self.game.limits[role]
        known = game.reservation or (game.seller.minimum, game.buyer.maximum)
        return hidden.values[index] if hidden else known[role]

    def acceptable(self, role: Role, index: int = 0) -> Mask:
        """True for each price in the range of a role that a hidden limit allows."""
        side, grid = (self.game.seller, self.game.buyer)[role], np.array(self.game.prices)
        cut = bool(self.game.limits[role]) & (self.coins(role, index)[0] < 0)
        inside: Mask = (side.minimum <= grid) & (grid <= side.maximum) & ~cut
        return inside

    def met(self, role: Role) -> Mask:
        """True for each price that some limit of a role may offer."""
        limits = np.array([self.acceptable(role, index) for index in self.limits(role)])
        some: Mask = np.any(limits, axis=0)
        return some

    def coins(self, role: Role, index: int = 0) -> Floats:
        """The gain of a limit by a deal on each offer at each price, shape (2·T, P)."""
        sign = 1 if role is Role.SELLER else -1
        gains = sign * (np.array(self.game.prices) - self.limit(role, index))
        left = np.array([self.game.delta[role] ** offer for offer in range(2 * self.game.rounds)])
        return np.outer(left, gains)

    def row(self, role: Role, index: int, ply: int, opened: bool) -> Floats:
        """The probabilities of each action at a ply, per standing offer; at ply 0 one row."""
        table, T, P = self.tables[role][index], self.game.rounds, self.game.n_prices
        first = 1 + (ply - 1) // 2 * P + (T * P if table.opener_aware and not opened else 0)
        rows: Floats = table.probabilities[first : first + P] if ply else table.probabilities[0]
        return rows

    def same_tables(self, tables: list[TabularPolicy], role: Role) -> bool:
        both = zip(self.tables[role], tables, strict=True)
        return all((one.probabilities == two.probabilities).all() for one, two in both)

    def openings(self, role: Role, index: int = 0) -> list[int]:
        return self.prices(self.row(role, index, 0, True)[: self.game.n_prices] > 0)

    def prices(self, mask: Mask) -> list[int]:
        return [price for price, each in zip(self.game.prices, mask, strict=True) if each]

    @property
    def tries(self) -> set[Role]:
        """The roles that learn from episodes, and do not compute."""
        learners = self.training.learning.items()
        return {role for role, each in learners if not isinstance(each.algorithm, ExactAlgorithm)}

    def deals(self, opener: Role, seller: int = 0, buyer: int = 0) -> Floats:
        """The probability of a deal on each offer at each price, shape (2·T, P)."""
        key = opener, seller, buyer
        if key not in self.played:
            plies, P, indices = 2 * self.game.rounds, self.game.n_prices, (seller, buyer)
            made, standing = np.zeros((plies, P)), self.row(opener, indices[opener], 0, True)[:P]
            for ply in range(1, plies):
                role = opener.other if ply % 2 else opener
                answers = self.row(role, indices[role], ply, role is opener)
                made[ply - 1] = standing * answers[:, P]
                standing = standing @ answers[:, :P]
            self.played[key] = made
        return self.played[key]

    @property
    def last(self) -> int:
        """The ply of the last decision."""
        return 2 * self.game.rounds - 1

    @property
    def over(self) -> bool:
        return self.cycle == self.parameters.cycles

    @property
    def openers(self) -> tuple[Role, ...]:
        return self.game.opener.roles

    def pairs(self) -> Iterator[tuple[float, int, int]]:
        """The probability of each pair of limits that may be drawn, and their indices."""
        sellers, buyers = map(self.limits, Role)
        return ((sellers[k] * buyers[j], k, j) for k in sellers for j in buyers)

    def deal(self, *openers: Role) -> float:
        """The probability of a deal."""
        each = openers or self.openers
        made = (c * self.deals(o, k, j).sum() for c, k, j in self.pairs() for o in each)
        return float(sum(made)) / len(each)

    def gain(self, role: Role, *openers: Role) -> float:
        """The coins of a role per game."""
        own = self.limits(role)
        return sum(c * self.with_table(role, k, k, *openers) for k, c in own.items())

    def with_table(self, role: Role, limit: int, table: int, *openers: Role) -> float:
        """The coins per game of a limit that plays the table of a limit."""
        total, coins, each = 0.0, self.coins(role, limit), openers or self.openers
        for other, chance in self.limits(role.other).items():
            at = (table, other) if role is Role.SELLER else (other, table)
            total += sum(chance * (self.deals(opener, *at) * coins).sum() for opener in each)
        return total / len(each)

    def only(self, opener: Role) -> tuple[int, int] | None:
        """The round and the price of each deal, if all are one."""
        made = {
            ((offer + 1) // 2 + 1, self.game.prices[at])
            for offer, at in np.argwhere(self.deals(opener) > CLOSE).tolist()
        }
        return made.pop() if len(made) == 1 and self.deal(opener) > 1 - CLOSE else None

    def suits(self, seller: int, buyer: int) -> bool:
        """True if a price suits two limits."""
        both = self.acceptable(Role.SELLER, seller) & self.acceptable(Role.BUYER, buyer)
        return bool(both.any())

    def surplus(self, seller: int, buyer: int) -> int:
        """The coins that two limits could divide; 0 if no price suits both."""
        between = self.limit(Role.BUYER, buyer) - self.limit(Role.SELLER, seller)
        return between if self.suits(seller, buyer) else 0

    @property
    def lost_to_time(self) -> float:
        """The share of what there is to divide in the deals that they lose by waiting."""
        whole = self.deal() * self.surplus(0, 0)
        return 1 - sum(map(self.gain, Role)) / whole if whole > 0 else 0.0

    @property
    def efficiency(self) -> float:
        most = sum(chance * max(0, self.surplus(k, j)) for chance, k, j in self.pairs())
        return sum(map(self.gain, Role)) / most

    def best(self, role: Role, limit: int, opener: Role, rate: float) -> float:
        """The coins of the best plan of a limit against the plans of the other role.

        Beliefs about the limit of the other go with each offer.
        """
        P, last, coins = self.game.n_prices, self.last, self.coins(role, limit)
        legal = np.flatnonzero(self.acceptable(role, limit)).tolist()
        others = self.limits(role.other)

        def answered(rows: list[Floats], beliefs: Beliefs, ply: int) -> float:
            """The value of the offers that follow; `rows` has the answers of each limit."""
            if len(others) == 1:
                return float(rows[0][:P] @ turns(ply))
            total, weights = 0.0, np.array(beliefs)[:, None] * np.array(rows)[:, :P]
            for at in np.flatnonzero(weights.sum(axis=0)).tolist():
                chance = float(weights[:, at].sum())
                total += chance * turn(ply, at, tuple((weights[:, at] / chance).round(12).tolist()))
            return total

        def turn(ply: int, at: int, beliefs: Beliefs) -> float:
            accepts = float(coins[ply - 1, at]) if at in legal else 0.0
            return max(accepts, offer(ply, beliefs) if ply < last else 0.0, 0.0)

        @cache
        def turns(ply: int) -> Floats:
            return np.array([turn(ply, at, (1.0,)) for at in range(P)])

        @cache
        def offer(ply: int, beliefs: Beliefs) -> float:
            answers = [self.row(role.other, j, ply + 1, role is not opener) for j in others]
            return max(offered(ply, at, [each[at] for each in answers], beliefs) for at in legal)

        def offered(ply: int, at: int, rows: list[Floats], beliefs: Beliefs) -> float:
            accepted = sum(b * row[P] for b, row in zip(beliefs, rows, strict=True))
            later = rate * answered(rows, beliefs, ply + 2) if ply + 2 <= last else 0.0
            return float(accepted * coins[ply, at]) + later

        prior = tuple(others.values())  # that of a single limit is 1
        if opener is role:
            return offer(0, prior)
        return answered([self.row(opener, j, 0, True) for j in others], prior, 1)

    @cached_property
    def could_gain(self) -> float:
        """What both could gain by their best plans, each alone, in coins per game."""
        rate, more = self.parameters.discount_rate, 0.0
        decisions = np.arange(2 * self.game.rounds)
        for opener in self.openers:
            for role in Role:
                before = (decisions + (role is opener)) // 2  # own decisions before that offer
                own = sum(
                    c * (self.deals(opener, k, j) * self.coins(role, (k, j)[role])).sum(axis=1)
                    for c, k, j in self.pairs()
                )
                best = (c * self.best(role, k, opener, rate) for k, c in self.limits(role).items())
                more += sum(best) - float((own * rate**before).sum())
        return more / len(self.openers)


@cache
def theory(game: Scenario, opener: Role, rate: float, accepts: bool) -> int | None:
    """The price of the subgame-perfect equilibrium; None without a deal.

    A role that is indifferent between accepting and offering accepts, or else offers.
    """
    world = World(None, game, None, 0, [], None)  # type: ignore[arg-type]
    gains, bias = [world.coins(role) for role in Role], 1e-12 if accepts else -1e-12
    # The price and the offer of the deal that follows on each offer.
    after: list[tuple[int, int] | None] = [None] * game.n_prices

    def worth(role: Role, end: tuple[int, int] | None, ply: int) -> float:
        return round(gains[role][end[::-1]] * rate ** ((end[1] + 1 - ply) // 2), 12) if end else 0.0

    for ply in reversed(range(world.last + 1)):
        role = opener.other if ply % 2 else opener
        legal = np.flatnonzero(world.acceptable(role)).tolist()
        ends = [after[at] for at in (legal[::-1] if role is Role.SELLER else legal)]
        best = max(ends, key=lambda end: worth(role, end, ply)) if ply < world.last else None
        if ply and worth(role, best, ply) <= -bias:
            best = None
        go_on = worth(role, best, ply)
        takes = {at for at in legal if worth(role, (at, ply - 1), ply) + bias > go_on}
        after = [(at, ply - 1) if at in takes else best for at in range(game.n_prices)]
    return game.prices[best[0]] if best else None


def told(run: Run, every: int = 1) -> Iterator[tuple[World, set[Fact]]]:
    """Train to the end, and yield the worlds between cycles with every fact that is true there.

    Only the worlds after every so many cycles, and after the last one, are looked at.
    """
    timeline, parameters, worlds = RunTimeline(run), run.parameters, list[World]()
    training, cycles = timeline.training, [*range(0, parameters.cycles, every), parameters.cycles]
    training.nash_convs = NashConvSeries(lambda cycle: next(c for c in cycles if c > cycle))
    if parameters.total > 300_000:
        training.use(fastest_backend(training.seated, run.scenario.hidden))
    narrator = Narrator(timeline)
    found = list[set[Fact]]()
    for cycle in cycles:
        timeline.run_episodes(cycle * parameters.episodes - training.episode)
        policies = tables_of(training.scenario, *(training.policy(role) for role in Role))
        assert policies
        before = worlds[-1] if worlds else None
        tables = [[*each.tables] for each in policies]
        world = World(training, training.scenario, parameters, cycle, tables, before)
        world.begun_at = talk.first_ply if (talk := training.last_negotiation) else 0
        kept = before and all(before.same_tables(tables[role], role) for role in Role)
        world.epsilon, world.since = training.epsilon, before.since if before and kept else cycle
        moment = narrator.moment()
        assert moment
        facts = facts_at(moment)
        narrator.note()
        if before:
            before.after = world
            yield before, found.pop()
            before.before = None
        worlds, found = [world], [facts]
    yield worlds[0], found[0]
