"""Every fact that is told is checked against the tables, by another way of computing it.

Three trainings tell facts of every kind.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from textwrap import wrap

import numpy as np
import pytest

from negotiation_tui import Opener, Position, Role, Scenario, States, Transcript
from negotiation_tui.game.learned import WithValues
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.text import coins
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.sessions.story.facts import KINDS, waiting
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
        known = self.snapshot.agents[role].policy_in(self.scenario, role)
        return self.snapshot.policies[role] or known

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


def gets(role: Role, price: int) -> int:
    """What a role gets at a price: the good costs 0 and is worth 5."""
    return price if role is Role.SELLER else 5 - price


def divided(price: int) -> str:
    return f"seller {price} coin{'s' * (price != 1)}, buyer {5 - price}."


def fixed_rules(fact: Fact, world: World, role: Role) -> bool:
    assert guessing(fact, world)
    assert fact.rules
    if role is Role.BUYER:
        return fact.says[0].endswith(f"the same rules end at 2: {divided(2)}")
    assert fact.says[0].endswith("the seller 0 and is worth 5 to the buyer: 5 coins to divide.")
    first, *turns = fact.per_turn
    assert first == f"{fact.says[0]} The seller asks 5: it would get 5 coins, the buyer 0."
    assert turns[1] == "The seller comes down to 4: it would get 4 coins, the buyer 1."
    assert turns[2] == "The buyer stays at 3: it would get 2 coins, the seller 3."
    return turns[3:] == ["The seller accepts 3: it gets 3 coins, the buyer 2."]


def guessing(fact: Fact, world: World) -> bool:
    return world.snapshot.negotiations == 0 and not any(q.any() for q in world.tables)


def practice(fact: Fact, world: World, ply: int, width: int) -> bool:
    last = 2 * world.scenario.rounds - 1
    if world.snapshot.parameters.curriculum_shift_every == 0:
        return fact.sample and (ply, width) == (0, last + 1)
    # it is shown by the last decision of who has learned
    learned = [role for role in Role if len(world.tables) == 2 and world.tables[role].any()]
    shown = fact.opener is None or learned == [fact.opener.other]
    return shown and (ply, fact.cycle) == (last, 1) and " at the end, in round 5," in fact.says[0]


def learner(fact: Fact, world: World) -> bool:
    shown = world.snapshot.negotiation
    assert shown
    begins = f"The {shown.learners[0].other} learns now and tries bad moves too;"
    return fact.sample and fact.says[0].startswith(begins)


def together(fact: Fact, world: World) -> bool:
    shown = world.snapshot.negotiation
    return shown is not None and len(shown.learners) == len(Role)


def settled(fact: Fact, world: World, since: int) -> bool:
    worlds = [world]
    while (
        worlds[-1].before
        and worlds[-1].snapshot.negotiations > since * world.snapshot.parameters.episodes
    ):
        worlds.append(worlds[-1].before)
    assert fact.says[0].startswith(f"No plan has changed for {fact.cycle - since} cycles:")
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
        if any(gets(role, price) for price in rest):
            return False
        if f"the {role} accepts {listed(accepted)}" not in fact.says[0]:
            return False
    return (fact.opener, fact.begun, number) == (Role.SELLER, 7, 5)


def last_price(world: World, role: Role) -> int:
    """The only price of the opener's last offer, which the other accepts."""
    scenario = world.scenario
    (asked,) = {
        action
        for on_table in scenario.prices
        for action in world.choices(role, scenario.rounds - 2, on_table, True)
        if action < scenario.accept
    }
    price = scenario.prices[asked]
    assert world.choices(role.other, scenario.rounds - 1, price, False) == [scenario.accept]
    return price


def last_offer(fact: Fact, world: World) -> bool:
    assert fact.opener is not None
    price = last_price(world, fact.opener)
    verb = "asks" if fact.opener is Role.SELLER else "offers"
    said = f"If the {fact.opener} opened, it {verb} {price} in round 5: {divided(price)}"
    return fact.says[0].startswith(said) and fact.begun == 7


def last_word(fact: Fact, world: World) -> bool:
    left = {gets(role.other, last_price(world, role)) for role in Role}
    first, then = fact.says
    assert first.startswith("Who opens will win: it makes the last offer too (round 5)")
    return left == {1} and then.startswith("The other can only take 1 coin or get nothing, so it")


def opens_at(fact: Fact, world: World, role: Role, price: int) -> bool:
    takes = f"The {role} now opens at {price} and the {role.other} takes it: {divided(price)}"
    return fact.says == (takes,) and fact.opener is role and world.only(role) == (price, 1)


def agree_later(fact: Fact, world: World, role: Role, price: int) -> bool:
    number = world.only(role)[1]
    ends = f"If the {role} opens, they agree on {price} in round {number}: {divided(price)}"
    return fact.says == (ends,) and number > 1 and world.only(role)[0] == price


def opening_moves(fact: Fact, world: World, role: Role, old: int, new: int) -> bool:
    before, after = world.then().openings(role), world.openings(role)
    told = ("rises" if new > old else "falls") in fact.says[0]
    return told and (before, after) == ([old], [new]) and old != new


def more_deals(fact: Fact, world: World, tenths: int) -> bool:
    now, then = (
        float(np.mean([each.deal(role) for role in each.openers])) for each in (world, world.then())
    )
    return then < now and tenths <= 10 * now + 1e-6 < tenths + 1 + 1e-6


def always_deal(fact: Fact, world: World) -> bool:
    return all(world.deal(role) > 1 - 1e-9 for role in Role)


def lost_deals(fact: Fact, world: World, role: Role, percent: int) -> bool:
    now = world.deal(role)
    return now < world.then().deal(role) and round(100 * (1 - now)) == percent


def could_gain(fact: Fact, world: World) -> bool:
    return f" still gain {5 * world.gain:.1f} coin" in fact.says[0]


def nobody_gains(fact: Fact, world: World) -> bool:
    return world.gain < 0.0005 and fact.says[1:] == theory(world)


def theory(world: World) -> tuple[str, ...]:
    """What theory says of the prices at which both openings end, if each is one of its own."""
    rate, each = world.snapshot.parameters.discount_rate, [*map(world.deals, Role)]
    if any(len(deals) != 1 for deals in each):
        return ()
    prices = [price for deals in each for _, price in deals]
    paths = [[solve(AWARE, role, rate, rule).path for rule in TieBreak] for role in Role]
    agreed = [{path.outcome.price for path in every} for every in paths]
    if any(price not in of for price, of in zip(prices, agreed, strict=True)):
        return ()
    others = sorted({price for of in agreed for price in of if price} - {*prices})
    first = f"Theory agrees: price {prices[0]} if the seller opens, {prices[1]} if the buyer does."
    return first, *[f"It also allows {listed(others)}."] * bool(others)


def finished(fact: Fact, world: World, cycles: int) -> bool:
    if fact.says[0] == "Who opens wins 4 of the 5 coins: it makes the last offer too (round 5).":
        assert [world.only(role) for role in Role] == [(4, 1), (1, 1)]
        assert [last_price(world, role) for role in Role] == [4, 1]
    else:
        ends = [end for role in Role for end in world.deals(role).items()]
        mean = [sum(gets(role, at[1]) * chance for at, chance in ends) / 2 for role in Role]
        won = f"The {Role(int(np.argmax(mean)))} wins {coins(max(mean))} per game, the "
        assert fact.says[0].startswith(won)
    return world.snapshot.finished and cycles == fact.cycle


CHECKS: dict[str, Callable[..., bool]] = {
    kind.__name__: globals()[kind.__name__] for kind in KINDS if kind is not waiting
}
TRAININGS = (
    ("reverse-curriculum", None),
    ("reverse-curriculum", "learned:roth-erev"),
    ("exploring-starts", "conceder"),
)
CYCLES = 120
"""NashConv is computed after each of them."""


def told(
    recipe: str, buyer: str | None, game: Scenario = AWARE, cycles: int = CYCLES
) -> list[tuple[Fact, World]]:
    parameters = replace(RECIPES[recipe](game), cycles=cycles)
    session = new_session(game, parameters, 2, (None, buyer))
    world = World(session.snapshot, None)
    facts = [(fact, world) for fact in session.snapshot.story.news]
    for _ in range(cycles):
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
            for text in (" ".join(fact.says), *fact.per_turn):
                assert len(wrap(text, 76)) <= 2, "two rows of a narrow screen"
            assert all(sentence.endswith(".") for sentence in fact.says)
            assert all(sentence[0].isupper() for sentence in fact.says)
        only = [fact for fact, _ in facts]
        assert len(only) == len(set(only)), "a fact once told is not told again"
        assert only[0].rules == (buyer != "conceder")
        assert only[-1].kind == "finished"
        kinds |= {fact.kind for fact in only}
    assert kinds == set(CHECKS)


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_story_is_short_says_early_why_the_opener_wins_and_ends_with_it(seed: int) -> None:
    session = new_session(AWARE, RECIPES["reverse-curriculum"](AWARE), seed)
    while not session.snapshot.finished:
        session.handle(do.PlayCycle())
    facts = session.snapshot.story.found
    assert len(facts) <= 20
    assert "last_word" in [fact.kind for fact in facts[:7]]
    assert facts[-1].says[0].startswith("Who opens wins 4 of the 5 coins: it makes the last offer")


DELTA = 0.9, 0.6
WAITING_COSTS = "Each refusal costs the seller 10 %, the buyer 40 % of what is left to gain."


def left(world: World, played: Transcript) -> Floats:
    """What both get on average as the tables play on, by the rule alone: the good is worth 5."""
    price, n = played.turns[-1].price if played.turns else 0, len(played.turns)
    if played.over:
        gains = (0, 0) if price is None else (price, 5 - price)
        return np.array([gain * d ** (n - 2) for gain, d in zip(gains, DELTA, strict=True)])
    assert played.position
    actions = world.table(played.position.role).support(played.position)
    every = [left(world, played.followed_by(each)) for each in actions]
    return np.array(np.mean(every, axis=0))


def test_no_fact_holds_that_waiting_is_free() -> None:
    game = replace(AWARE, rounds=3, delta=DELTA)
    facts = told("reverse-curriculum", None, game, 60)
    only = [fact for fact, _ in facts]
    assert {"waiting", "opens_at", "last_offer", "finished"} <= {fact.kind for fact in only}
    assert not any("last offer too" in text for fact in only for text in fact.says)
    for fact, world in facts:
        first, *others = fact.says
        assert len(wrap(" ".join(fact.says), 76)) <= 2
        if fact.rules and fact.per_turn:
            assert fact.per_turn[2].endswith(f"would get 3.2 coins, the buyer 0.4. {WAITING_COSTS}")
            assert fact.per_turn[-1].endswith("buyer 0.4; waiting cost them 48 % of the 5 coins.")
        if fact.kind == "opens_at":
            assert fact.opener is not None
            gains = left(world, Transcript(game, fact.opener))
            assert first.endswith(f"seller {gains[0]:.0f} coins, buyer {gains[1]:.0f}.")
        if fact.kind == "last_offer":
            assert fact.opener is not None
            price = last_price(world, fact.opener)
            assert f": seller {price * 0.9**4:.1f} coins, buyer {(5 - price) * 0.6**4:.1f}" in first
        if fact.kind in {"waiting", "finished"}:
            each = [left(world, Transcript(game, opener)) for opener in Role]
            deals = np.mean([world.deal(opener) for opener in Role])
        if fact.kind == "waiting":
            lost = 100 * (1 - np.mean([sum(gains) for gains in each]) / 5 / deals)
            assert first.startswith(f"By these plans waiting costs them {lost:.0f} % of what")
        if fact.kind == "finished":
            seller, buyer = np.mean(each, axis=0)
            assert first == f"The seller wins {seller:.1f} coins per game, the buyer {buyer:.1f}."
            assert others == [f"They agree at once. {WAITING_COSTS}"]
