"""Every fact that is told is checked against the tables, by another way of computing it."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story import opening_facts, plan_facts, play_facts, training_facts
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.sessions.story.narrator import KINDS
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve

AWARE = replace(Scenario.original(), states=States.OPENER_AWARE)
Outcomes = dict[tuple[int | None, int, Role], float]


@dataclass(frozen=True)
class World:
    """A snapshot after a cycle, and everything about its plans that a check may ask for."""

    snapshot: Snapshot
    before: "World | None"

    @property
    def scenario(self) -> Scenario:
        return self.snapshot.scenario

    def table(self, role: Role) -> TabularPolicy:
        q, policy = self.snapshot.q_tables[role], self.snapshot.learned_policies[role]
        assert q is not None
        return policy or greedy(self.scenario, role, q)

    def choices(self, role: Role, time: int, price: int, opened: bool) -> list[int]:
        return self.table(role).support(Position(self.scenario, role, time, None, price, opened))

    def chances(self, role: Role, position: Position) -> dict[int, float]:
        """The probability of each action that a role may take."""
        chances = self.table(role).probabilities[position.state]
        return {action: float(chances[action]) for action in np.flatnonzero(chances).tolist()}

    def openings(self, role: Role) -> list[int]:
        start = self.table(role).support(Position(self.scenario, role, opened=True))
        return [self.scenario.prices[action] for action in start]

    def outcomes(self, opener: Role) -> Outcomes:
        """The chance of each price, round and role that ended it; worked out offer by offer."""
        found: Outcomes = defaultdict(float)
        start = Position(self.scenario, opener, opened=True)
        standing = {
            self.scenario.prices[action]: chance
            for action, chance in self.chances(opener, start).items()
        }
        for ply in range(1, 2 * self.scenario.rounds):
            role, offered = (
                (opener if ply % 2 == 0 else opener.other),
                defaultdict[int, float](float),
            )
            for price, chance in standing.items():
                opened = role is opener
                place = Position(self.scenario, role, (ply - 1) // 2, None, price, opened)
                for action, part in self.chances(role, place).items():
                    share = chance * part
                    if action < self.scenario.accept:
                        offered[self.scenario.prices[action]] += share
                    else:
                        deal = price if action == self.scenario.accept else None
                        found[deal, ply // 2 + 1, role] += share
            standing = offered
        return found

    def deal(self, opener: Role) -> float:
        return sum(chance for (price, *_), chance in self.outcomes(opener).items() if price)

    @property
    def openers(self) -> list[Role]:
        every = self.snapshot.opener is Opener.ALTERNATE
        return list(Role) if every else [self.snapshot.opener.role()]

    @property
    def rounds(self) -> float:
        means = []
        for opener in self.openers:
            deals = {k: chance for k, chance in self.outcomes(opener).items() if k[0]}
            means.append(sum(r * chance for (_, r, _), chance in deals.items()) / self.deal(opener))
        return float(np.mean(means))

    def only(self, opener: Role) -> tuple[int, int]:
        ends = self.outcomes(opener).items()
        ((price, number),) = {(price, n) for (price, n, _), chance in ends if chance > 1e-9}
        assert price
        return price, number

    @property
    def gain(self) -> float:
        tables = self.table(Role.SELLER), self.table(Role.BUYER)
        return nash_conv(self.scenario, *tables, self.snapshot.parameters.discount_rate).total

    @property
    def tables(self) -> list[np.ndarray]:
        return [q for q in self.snapshot.q_tables if q is not None]

    def then(self) -> "World":
        assert self.before
        return self.before


def percent(world: World, role: Role, price: int) -> int:
    share = price / 5
    return round(100 * (share if role is Role.SELLER else 1 - share))


def guessing(fact: training_facts.Guessing, world: World) -> bool:
    return world.snapshot.negotiations == 0 and not any(q.any() for q in world.tables)


def practice(fact: training_facts.Practice, world: World) -> bool:
    parameters, last = world.snapshot.parameters, 2 * world.scenario.rounds - 1
    moved = fact.cycle // (parameters.curriculum_shift_every or 1)
    at_opening = parameters.curriculum_shift_every == 0
    return fact.ply == (0 if at_opening else last - moved) and fact.last_ply == last


def learner(fact: training_facts.Learner, world: World) -> bool:
    assert world.snapshot.negotiation
    return world.snapshot.negotiation.learner is fact.role.other


def together(fact: training_facts.Together, world: World) -> bool:
    shown = world.snapshot.negotiation
    return shown is not None and all(map(shown.learned_from, Role))


def shares(fact: training_facts.Shares, world: World) -> bool:
    ends = tuple(percent(world, Role.SELLER, price) for price in (1, 5))
    played = 2 * world.snapshot.parameters.episodes
    return fact.prices == (1, 5) and fact.shares == ends and world.snapshot.negotiations == played


def training_deals(fact: training_facts.TrainingDeals, world: World) -> bool:
    deals = int(world.snapshot.statistics.agreements[-1].sum())
    shown = world.snapshot.negotiation
    assert shown
    learners = 2 if shown.together else 1
    episodes = world.snapshot.parameters.episodes
    return (fact.deals, fact.negotiations, fact.learners) == (deals, episodes, learners)


def settled(fact: training_facts.Settled, world: World) -> bool:
    worlds = [world]
    while (
        worlds[-1].before
        and worlds[-1].snapshot.negotiations > fact.since * world.snapshot.parameters.episodes
    ):
        worlds.append(worlds[-1].before)
    return all(
        np.array_equal(one.table(role).probabilities, other.table(role).probabilities)
        for one, other in pairwise(worlds)
        for role in Role
    )


def last_decision(fact: plan_facts.LastDecision, world: World) -> bool:
    scenario = world.scenario
    time = scenario.rounds - 1
    accepted = [
        price
        for price in scenario.prices
        if world.choices(fact.role, time, price, False) == [scenario.accept]
    ]
    nothing = [price for price in scenario.prices if percent(world, fact.role, price) == 0]
    rest = [price for price in scenario.prices if price not in accepted]
    same = list(fact.prices) == accepted and list(fact.worthless) == nothing
    return same and set(rest) <= set(nothing)


def last_offer(fact: plan_facts.LastOffer, world: World) -> bool:
    scenario = world.scenario
    asked = {
        action
        for price in scenario.prices
        for action in world.choices(fact.role, scenario.rounds - 2, price, True)
        if action < scenario.accept
    }
    return {scenario.prices[action] for action in asked} == {fact.price} and fact.round == 5


def answer(fact: plan_facts.Answer, world: World) -> bool:
    for price in world.scenario.prices:
        choices = world.choices(fact.role, fact.round - 1, price, False)
        accepts = choices == [world.scenario.accept]
        if accepts != (price in fact.prices):
            return False
        if not accepts and min(choices) >= world.scenario.accept:
            return False
    return fact.always == (set(fact.prices) == set(world.scenario.prices))


def opens_at(fact: opening_facts.OpensAt, world: World) -> bool:
    at_once = world.outcomes(fact.role)[fact.price, 1, fact.role.other] > 1 - 1e-9
    return world.openings(fact.role) == [fact.price] and at_once == fact.at_once


def opening_moves(fact: opening_facts.OpeningMoves, world: World) -> bool:
    before, after = world.then().openings(fact.role), world.openings(fact.role)
    return (before, after) == ([fact.before], [fact.after]) and fact.before != fact.after


def opening_ties(fact: opening_facts.OpeningTies, world: World) -> bool:
    return world.openings(fact.role) == list(fact.prices) and 1 < len(fact.prices) < 5


def accepts_at_once(fact: opening_facts.AcceptsAtOnce, world: World) -> bool:
    accept = [world.scenario.accept]
    openings = world.openings(fact.role.other)
    return all(world.choices(fact.role, 0, price, False) == accept for price in openings)


def first_gets(fact: opening_facts.FirstGets, world: World) -> bool:
    prices = [world.only(role) for role in Role]
    shares = [percent(world, role, prices[role][0]) for role in Role]
    last = Position(world.scenario, Role.SELLER, world.scenario.rounds - 1, None, 1, opened=False)
    at_once = all(number == 1 for _, number in prices)
    return list(fact.shares) == shares and min(shares) > 50 and at_once and last.last_decision


def split(fact: opening_facts.Split, world: World) -> bool:
    price, _ = world.only(fact.role)
    shares = tuple(percent(world, role, price) for role in Role)
    return (price, shares) == (fact.price, fact.shares)


def more_deals(fact: play_facts.MoreDeals, world: World) -> bool:
    now, then = (
        float(np.mean([each.deal(role) for role in each.openers])) for each in (world, world.then())
    )
    return then < now and fact.tenths <= 10 * now + 1e-6 < fact.tenths + 1 + 1e-6


def always_deal(fact: play_facts.AlwaysDeal, world: World) -> bool:
    return world.deal(fact.role) > 1 - 1e-9


def lost_deals(fact: play_facts.LostDeals, world: World) -> bool:
    now = world.deal(fact.role)
    return now < world.then().deal(fact.role) and round(100 * (1 - now)) == fact.percent


def never_walks(fact: play_facts.NeverWalks, world: World) -> bool:
    def walks(each: World) -> float:
        ends = [item for role in each.openers for item in each.outcomes(role).items()]
        return sum(c for (price, _, by), c in ends if price is None and by is fact.role)

    return walks(world) < 1e-9 < walks(world.then())


def rounds(fact: play_facts.Rounds, world: World) -> bool:
    return world.rounds <= fact.most + 1e-6 and world.then().rounds > fact.most - 1e-6


def could_gain(fact: play_facts.CouldGain, world: World) -> bool:
    return fact.gain == pytest.approx(world.gain)


def gain_falls(fact: play_facts.GainFalls, world: World) -> bool:
    return world.gain < fact.below <= world.then().gain


def nobody_gains(fact: play_facts.NobodyGains, world: World) -> bool:
    return world.gain < 0.0005


def as_theory(fact: play_facts.AsTheory, world: World) -> bool:
    rate, every = world.snapshot.parameters.discount_rate, set[int]()
    for role in Role:
        theory = {solve(AWARE, role, rate, rule).path.outcome.price for rule in TieBreak}
        if world.only(role)[0] != fact.prices[role] or fact.prices[role] not in theory:
            return False
        every |= {price for price in theory if price is not None}
    return every - set(fact.prices) == set(fact.others)


CHECKS: dict[type[Fact], Callable[..., bool]] = {
    training_facts.Guessing: guessing,
    training_facts.Practice: practice,
    training_facts.Learner: learner,
    training_facts.Together: together,
    training_facts.Shares: shares,
    training_facts.TrainingDeals: training_deals,
    training_facts.Settled: settled,
    training_facts.Finished: lambda fact, world: world.snapshot.finished,
    plan_facts.LastDecision: last_decision,
    plan_facts.LastOffer: last_offer,
    plan_facts.Answer: answer,
    opening_facts.OpensAt: opens_at,
    opening_facts.OpeningMoves: opening_moves,
    opening_facts.OpeningTies: opening_ties,
    opening_facts.AcceptsAtOnce: accepts_at_once,
    opening_facts.FirstGets: first_gets,
    opening_facts.Split: split,
    play_facts.MoreDeals: more_deals,
    play_facts.AlwaysDeal: always_deal,
    play_facts.LostDeals: lost_deals,
    play_facts.NeverWalks: never_walks,
    play_facts.Rounds: rounds,
    play_facts.CouldGain: could_gain,
    play_facts.GainFalls: gain_falls,
    play_facts.NobodyGains: nobody_gains,
    play_facts.AsTheory: as_theory,
}


def told(seed: int, recipe: str, *seats: str) -> list[tuple[Fact, World]]:
    """All facts of a training in their order, each with the world in which it was told."""
    seller, buyer = seats or (None, None)
    session = TrainingSession(AWARE, RECIPES[recipe](AWARE), seed, (seller, buyer))
    world = World(session.snapshot, None)
    facts = [(fact, world) for fact in session.snapshot.news]
    while not session.snapshot.finished:
        session.handle(do.PlayCycle())
        news, judged = session.snapshot.news, dict(session.snapshot.nash_convs)
        cycle = session.snapshot.negotiations // session.snapshot.parameters.episodes
        if cycle not in judged:
            continue
        before, world = world, World(session.snapshot, world)
        if news is not before.snapshot.news:
            facts += [(fact, world) for fact in news]
    return facts


def test_every_kind_has_a_check() -> None:
    assert set(CHECKS) == set(KINDS)


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=[pytest.mark.slow] if seed >= 6 else []) for seed in range(12)],
)
def test_the_story_of_the_bare_command_is_true(seed: int) -> None:
    facts = told(seed, "reverse-curriculum")
    for fact, world in facts:
        assert CHECKS[type(fact)](fact, world), fact
        assert fact.cycle * world.snapshot.parameters.episodes == world.snapshot.negotiations
    only = [fact for fact, _ in facts]
    assert len(only) == len(set(only)), "a fact once told is not told again"
    assert len({type(fact) for fact in only}) >= 12
    assert isinstance(only[0], training_facts.Guessing)
    assert isinstance(only[-1], training_facts.Finished)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["exploring-starts", "published", "corrected"])
def test_the_story_of_another_training_is_true(recipe: str) -> None:
    for seed in range(3):
        for fact, world in told(seed, recipe):
            assert CHECKS[type(fact)](fact, world), fact


@pytest.mark.parametrize("seller", ["wolf-phc", pytest.param("sarsa", marks=pytest.mark.slow)])
def test_the_story_of_other_learners_is_true(seller: str) -> None:
    recipe = "exploring-starts" if seller == "sarsa" else "reverse-curriculum"
    facts = told(1, recipe, f"learned:{seller}", "learned:wolf-phc:schedule=alternate")
    for fact, world in facts:
        assert CHECKS[type(fact)](fact, world), fact
    both = any(isinstance(fact, training_facts.Together) for fact, _ in facts)
    assert both == (seller == "wolf-phc")


@pytest.mark.slow
def test_sentences_fit_on_a_narrow_screen_and_end() -> None:
    for recipe in RECIPES:
        for fact, _ in told(4, recipe):
            first = fact.says[0]
            assert len(f"Cycle 120: {first}") <= 80 - 4, first
            assert all(sentence.endswith(".") for sentence in fact.says)
            assert all(sentence[0].isupper() or sentence[0] == "{" for sentence in fact.says)
