"""Every fact that is told is checked against the tables, by another way of computing it.

Three trainings tell facts of every kind.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import pytest

from negotiation_tui import Opener, Position, Role, Scenario, States
from negotiation_tui.game.learned import WithValues
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.sessions.story.facts import KINDS
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from tests.support.trainings import new_session

AWARE = replace(Scenario.original(), states=States.OPENER_AWARE)


@dataclass(frozen=True)
class World:
    """A snapshot after a cycle, and everything about its plans that a check may ask for."""

    snapshot: Snapshot
    before: "World | None"

    @property
    def scenario(self) -> Scenario:
        return self.snapshot.scenario

    def table(self, role: Role) -> TabularPolicy:
        return self.snapshot.agents[role].policy(self.scenario, role)

    def choices(self, role: Role, time: int, price: int, opened: bool) -> list[int]:
        return self.table(role).support(Position(self.scenario, role, time, None, price, opened))

    def openings(self, role: Role) -> list[int]:
        start = self.table(role).support(Position(self.scenario, role, opened=True))
        return [self.scenario.prices[action] for action in start]

    @cached_property
    def play(self) -> ExpectedPlay:
        return expected_play(self.scenario, self.table(Role.SELLER), self.table(Role.BUYER))

    def deals(self, opener: Role) -> dict[tuple[int, int], float]:
        """The chance of a deal in each round, from 1, and at each price."""
        each = self.play.opened_by(opener).deals
        prices, found = self.scenario.prices, np.argwhere(each > 0).tolist()
        return {(time + 1, prices[at]): float(each[time, at]) for time, at in found}

    def deal(self, opener: Role) -> float:
        return sum(self.deals(opener).values())

    @property
    def openers(self) -> list[Role]:
        every = self.snapshot.opener is Opener.ALTERNATE
        return list(Role) if every else [self.snapshot.opener.role()]

    @property
    def rounds(self) -> float:
        means = []
        for opener in self.openers:
            total = sum(number * chance for (number, _), chance in self.deals(opener).items())
            means.append(total / self.deal(opener))
        return float(np.mean(means))

    def only(self, opener: Role) -> tuple[int, int]:
        ((number, price),) = (at for at, chance in self.deals(opener).items() if chance > 1e-9)
        assert self.deal(opener) == pytest.approx(1)
        return price, number

    @property
    def gain(self) -> float:
        tables = self.table(Role.SELLER), self.table(Role.BUYER)
        return nash_conv(self.scenario, *tables, self.snapshot.parameters.discount_rate).total

    @property
    def tables(self) -> list[np.ndarray]:
        return [each.values[:] for each in self.snapshot.agents if isinstance(each, WithValues)]

    def then(self) -> "World":
        assert self.before
        return self.before


def percent(world: World, role: Role, price: int) -> int:
    share = price / 5
    return round(100 * (share if role is Role.SELLER else 1 - share))


def fixed_rules(fact: Fact, world: World, role: Role) -> bool:
    ends = {Role.SELLER: ("halfway.",), Role.BUYER: ("at 2, not at 3.",)}
    return guessing(fact, world) and fact.rules and fact.says[-1].endswith(ends[role])


def guessing(fact: Fact, world: World) -> bool:
    return world.snapshot.negotiations == 0 and not any(q.any() for q in world.tables)


def practice(fact: Fact, world: World, ply: int, width: int, earlier: bool = False) -> bool:
    parameters, last = world.snapshot.parameters, 2 * world.scenario.rounds - 1
    if ply == last:  # it is shown by the last decision of who has learned
        learned = [role for role in Role if len(world.tables) == 2 and world.tables[role].any()]
        shown = fact.opener is None or learned == [fact.opener.other]
        return shown and fact.cycle == 1 and fact.says[0].endswith("in round 5.")
    moved, since = divmod(fact.cycle, parameters.curriculum_shift_every or 1)
    at_opening = parameters.curriculum_shift_every == 0
    told = fact.sample and since == 0 and earlier == (moved > 0 and not at_opening)
    return told and ply == (0 if at_opening else last - moved)


def learner(fact: Fact, world: World) -> bool:
    shown = world.snapshot.negotiation
    assert shown
    assert shown.learner is not None
    return fact.says[0].startswith(f"The {shown.learner.other} learns now")


def together(fact: Fact, world: World) -> bool:
    shown = world.snapshot.negotiation
    return shown is not None and all(map(shown.learned_from, Role))


def shares(fact: Fact, world: World, *values: int) -> bool:
    ends = tuple(percent(world, Role.SELLER, price) for price in (1, 5))
    return values == (1, 5, *ends)


def training_deals(fact: Fact, world: World) -> bool:
    deals = int(world.snapshot.statistics.agreements[-1].sum())
    shown, first = world.snapshot.negotiation, fact.says[0]
    assert shown
    tries = "The learners try" if shown.together else "The learner tries"
    said = f"Of {world.snapshot.parameters.episodes} negotiations in training {deals} ended"
    return first.startswith(said) and fact.says[1].startswith(tries)


def settled(fact: Fact, world: World, since: int) -> bool:
    worlds = [world]
    while (
        worlds[-1].before
        and worlds[-1].snapshot.negotiations > since * world.snapshot.parameters.episodes
    ):
        worlds.append(worlds[-1].before)
    return all(
        np.array_equal(one.table(role).probabilities, other.table(role).probabilities)
        for one, other in pairwise(worlds)
        for role in Role
    )


def last_decision(fact: Fact, world: World, number: int) -> bool:
    scenario = world.scenario
    for role in Role:
        accepted = [
            price
            for price in scenario.prices
            if world.choices(role, number - 1, price, False) == [scenario.accept]
        ]
        rest = [price for price in scenario.prices if price not in accepted]
        if any(percent(world, role, price) for price in rest):
            return False
        if f"the {role} accepts {listed(accepted)}" not in fact.says[0]:
            return False
    return (fact.opener, fact.begun, number) == (Role.SELLER, 7, 5)


def last_offer(fact: Fact, world: World, role: Role, price: int, number: int) -> bool:
    scenario = world.scenario
    asked = {
        action
        for on_table in scenario.prices
        for action in world.choices(role, scenario.rounds - 2, on_table, True)
        if action < scenario.accept
    }
    told = {scenario.prices[action] for action in asked} == {price} and number == 5
    return told and (fact.opener, fact.begun) == (role, 7)


def answer(fact: Fact, world: World, role: Role) -> bool:
    time, accepted = fact.begun // 2, []
    for price in world.scenario.prices:
        choices = world.choices(role, time, price, False)
        if choices == [world.scenario.accept]:
            accepted.append(price)
        elif min(choices) >= world.scenario.accept:
            return False
    every = accepted == list(world.scenario.prices)
    prices = "any price" if every else listed(accepted)
    told = f"the {role} accepts {prices} in round {time + 1}." in fact.says[0]
    return told and len(fact.says) == 2 - every and fact.opener is role.other


def opens_at(fact: Fact, world: World, role: Role, price: int) -> bool:
    at_once = world.deals(role).get((1, price), 0.0) > 1 - 1e-9
    told = fact.says[0].endswith("takes it.") == at_once and fact.opener is role
    return told and world.openings(role) == [price]


def opening_moves(fact: Fact, world: World, role: Role, old: int, new: int) -> bool:
    before, after = world.then().openings(role), world.openings(role)
    told = ("rises" if new > old else "falls") in fact.says[0]
    return told and (before, after) == ([old], [new]) and old != new


def opening_ties(fact: Fact, world: World, role: Role, prices: tuple[int, ...]) -> bool:
    return world.openings(role) == list(prices) and 1 < len(prices) < 5


def accepts_at_once(fact: Fact, world: World, role: Role) -> bool:
    accept = [world.scenario.accept]
    openings = world.openings(role.other)
    all_accepted = all(world.choices(role, 0, price, False) == accept for price in openings)
    return all_accepted and fact.opener is role.other


def first_gets(fact: Fact, world: World, *told: int) -> bool:
    prices = [world.only(role) for role in Role]
    shares = [percent(world, role, prices[role][0]) for role in Role]
    last = Position(world.scenario, Role.SELLER, world.scenario.rounds - 1, None, 1, opened=False)
    at_once = all(number == 1 for _, number in prices)
    return list(told) == shares and min(shares) > 50 and at_once and last.last_decision


def split(fact: Fact, world: World, role: Role, *told: int) -> bool:
    price, _ = world.only(role)
    return told == (price, *(percent(world, each, price) for each in Role))


def more_deals(fact: Fact, world: World, tenths: int) -> bool:
    now, then = (
        float(np.mean([each.deal(role) for role in each.openers])) for each in (world, world.then())
    )
    return then < now and tenths <= 10 * now + 1e-6 < tenths + 1 + 1e-6


def always_deal(fact: Fact, world: World, role: Role) -> bool:
    return world.deal(role) > 1 - 1e-9


def lost_deals(fact: Fact, world: World, role: Role, percent: int) -> bool:
    now = world.deal(role)
    return now < world.then().deal(role) and round(100 * (1 - now)) == percent


def never_walks(fact: Fact, world: World, role: Role) -> bool:
    after, before = (each.play.walks[each.openers, role].sum() for each in (world, world.then()))
    return bool(after < 1e-9 < before)


def rounds(fact: Fact, world: World, most: int) -> bool:
    return world.rounds <= most + 1e-6 and world.then().rounds > most - 1e-6


def could_gain(fact: Fact, world: World) -> bool:
    return f" gain {world.gain:.2f}." in fact.says[0]


def gain_falls(fact: Fact, world: World, below: float) -> bool:
    return world.gain < below <= world.then().gain


def nobody_gains(fact: Fact, world: World) -> bool:
    return world.gain < 0.0005


def as_theory(fact: Fact, world: World, *prices: int) -> bool:
    rate, every = world.snapshot.parameters.discount_rate, set[int]()
    for role in Role:
        theory = {solve(AWARE, role, rate, rule).path.outcome.price for rule in TieBreak}
        if world.only(role)[0] != prices[role] or prices[role] not in theory:
            return False
        every |= {price for price in theory if price is not None}
    others = sorted(every - {*prices})
    return fact.says[1:] == ((f"It also allows {listed(others)}.",) if others else ())


def finished(fact: Fact, world: World, cycles: int) -> bool:
    return world.snapshot.finished and cycles == fact.cycle


CHECKS: dict[str, Callable[..., bool]] = {kind.__name__: globals()[kind.__name__] for kind in KINDS}
TRAININGS = (
    ("reverse-curriculum", None),
    ("annealing", None),
    ("reverse-curriculum", "learned:roth-erev"),
)
CYCLES = 120
"""NashConv is computed after each of them."""


def told(recipe: str, buyer: str | None) -> list[tuple[Fact, World]]:
    parameters = replace(RECIPES[recipe](AWARE), cycles=CYCLES)
    session = new_session(AWARE, parameters, 1, (None, buyer))
    world = World(session.snapshot, None)
    facts = [(fact, world) for fact in session.snapshot.story.news]
    for _ in range(CYCLES):
        session.handle(do.PlayCycle())
        before, world = world, World(session.snapshot, world)
        if world.snapshot.story.news is not before.snapshot.story.news:
            facts += [(fact, world) for fact in world.snapshot.story.news]
    return facts


def test_every_kind_is_told_and_is_true() -> None:
    kinds = set[str]()
    for recipe, buyer in TRAININGS:
        facts = told(recipe, buyer)
        for fact, world in facts:
            assert CHECKS[fact.kind](fact, world, *fact.about), fact
            assert fact.cycle * world.snapshot.parameters.episodes == world.snapshot.negotiations
            assert len(f"Cycle 120: {fact.says[0]}") <= 80 - 4, "it fits on a narrow screen"
            assert all(sentence.endswith(".") for sentence in fact.says)
            assert all(sentence[0].isupper() or sentence[0] == "{" for sentence in fact.says)
        only = [fact for fact, _ in facts]
        assert len(only) == len(set(only)), "a fact once told is not told again"
        assert (only[0].kind, only[-1].kind) == ("fixed_rules", "finished")
        kinds |= {fact.kind for fact in only}
    assert kinds == set(CHECKS)
