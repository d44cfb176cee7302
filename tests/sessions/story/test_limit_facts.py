"""Facts about hidden limits are checked against play between every pair of limits."""

from collections.abc import Callable
from dataclasses import replace
from textwrap import wrap

import numpy as np
import pytest

from negotiation_tui import Opener, Position, Role, Scenario, States
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, stacked
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.runtime.text import coins, money
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.solvers.expected_play import expected_play
from tests.support.game import some, values_of
from tests.support.trainings import new_session

HIDDEN = Scenario.of("hidden")
SMALL = Scenario.from_dict(
    {"prices": [1, 2, 3], "rounds": 1, "seller": {"limits": [0, 1]}, "buyer": {"limits": [3, 4]}}
)
"""One offer and one answer; a deal is always possible."""


def tables(snapshot: Snapshot, role: Role) -> tuple[TabularPolicy, ...]:
    return greedy(snapshot.scenario, role, values_of(snapshot.agents[role])[:]).tables


def between(snapshot: Snapshot) -> dict[tuple[int, int, Role], tuple[float, float]]:
    """The chance of a deal and its mean round of each pair of indices and opener, pair by pair."""
    found, (sellers, buyers) = {}, (tables(snapshot, role) for role in Role)
    for k, seller in enumerate(sellers):
        for j, buyer in enumerate(buyers):
            play = expected_play(snapshot.scenario.drawn(k, j), seller, buyer)
            for opener in Role:
                deals = play.opened_by(opener)
                found[k, j, opener] = deals.deal, deals.rounds or 0.0
    return found


def gained(snapshot: Snapshot) -> float:
    """The share of the possible surplus that both gain by their tables, pair by pair of limits."""
    found = possible = 0.0
    for (k, j, _), (deal, _) in between(snapshot).items():
        game = snapshot.scenario.drawn(k, j)
        surplus = max(0, game.limit(Role.BUYER) - game.limit(Role.SELLER))
        found, possible = found + surplus * deal, possible + surplus
    return 100 * found / possible


def openings(snapshot: Snapshot, role: Role) -> list[list[int]]:
    views = snapshot.scenario.views[role]
    return [
        [view.prices[action] for action in table.support(Position(view, role, opened=True))]
        for view, table in zip(views, tables(snapshot, role), strict=True)
    ]


def alike(_: Fact, now: Snapshot, __: Snapshot, role: Role, price: int) -> bool:
    return all(prices == [price] for prices in openings(now, role))


def tells(_: Fact, now: Snapshot, __: Snapshot, role: Role) -> bool:
    each = openings(now, role)
    return len({price for (price,) in each}) == len(each)


def gains(_: Fact, now: Snapshot, before: Snapshot, percent: int) -> bool:
    return gained(before) < percent <= gained(now) + 1e-6


def gains_fall(_: Fact, now: Snapshot, before: Snapshot, percent: int) -> bool:
    return round(gained(now)) == percent < gained(before) - 9.5


def above(fact: Fact, now: Snapshot, _: Snapshot) -> bool:
    share = round(gained(now))
    most = "undiscounted, no equilibrium gains more than 95 %"
    return fact.says[0] == f"The plans gain {share} % of what is possible; {most}." and share > 95


def tells_limits(fact: Fact, now: Snapshot, _: Snapshot, role: Role) -> bool:
    """The sentence of a bluff names each opening with its limits, one of which bluffs."""
    limits, at = some(now.scenario.limits[role]), some(fact.limits)[role]
    opens = [prices[0] for prices in openings(now, role)]
    alike = [limits.values[n] for n, price in enumerate(opens) if price == opens[at]]
    bluff = limits.values[at]
    weakest = alike[0] if role is Role.SELLER else alike[-1]
    holds = f"the {role.other} must think {listed(alike)} possible."
    said = all(f"at {price} with" in fact.says[0] for price in opens)
    return said and bluff == weakest and fact.says[1].endswith(f"{bluff} that is a bluff: {holds}")


def no_deal(fact: Fact, now: Snapshot, _: Snapshot) -> bool:
    game = now.scenario.drawn(*some(fact.limits))
    gains = game.limit(Role.SELLER) < game.limit(Role.BUYER)
    return gains and between(now)[*some(fact.limits), some(fact.opener)][0] < 1e-9


def later(fact: Fact, now: Snapshot, _: Snapshot) -> bool:
    role = next(role for role in Role if f"a {role} can gain" in fact.says[0])
    limits, rounds = some(now.scenario.limits[role]), list[float]()
    for own in range(len(limits.values)):
        each = [deal for key, deal in between(now).items() if key[role] == own]
        if (deals := sum(chance for chance, _ in each)) > 1e-9:
            rounds.append(sum(chance * mean for chance, mean in each) / deals)
    rounds = rounds if role is Role.SELLER else rounds[::-1]
    ends = all(f"in round {mean:.1f} with" in fact.says[0] for mean in (rounds[0], rounds[-1]))
    return rounds == sorted(rounds) and ends


def accepted(fact: Fact, now: Snapshot, _: Snapshot) -> bool:
    role, last = some(fact.opener).other, now.scenario.rounds - 1
    for view, table in zip(now.scenario.views[role], tables(now, role), strict=True):
        for price in view.prices:
            if view.reward(role, price) > 0:
                position = Position(view, role, last, None, price, opened=False)
                assert table.support(position) == [view.accept]
    return True


def risked(fact: Fact, now: Snapshot, _: Snapshot, role: Role) -> bool:
    at = some(fact.limits)[role]
    view, table = now.scenario.views[role][at], tables(now, role)[at]
    time, offers = now.scenario.rounds - 2, set[int]()
    for price in view.prices:
        position = Position(view, role, time, None, price, opened=True)
        offers |= {view.prices[a] for a in table.support(position) if a < view.accept}
    nearest = min(offers) if role is Role.SELLER else max(offers)
    verb = "asks" if role is Role.SELLER else "offers"
    return f"with limit {view.limit(role)} {verb} {nearest} or" in fact.says[0]


def gains_by_pretending(fact: Fact, now: Snapshot, _: Snapshot) -> bool:
    role = next(role for role in Role if f"A {role} with" in fact.says[0])
    play = expected_play(now.scenario, *(stacked(now.scenario, tables(now, r)) for r in Role))
    most = max(play.pretending(role)) * now.scenario.width
    return f"would gain {coins(most)} more" in fact.says[0]


def summed_up(fact: Fact, now: Snapshot, _: Snapshot, __: int) -> bool:
    games = {key: now.scenario.drawn(*key[:2]) for key in between(now)}
    fails = [
        1 - chance
        for key, (chance, _) in between(now).items()
        if games[key].limit(Role.SELLER) < games[key].limit(Role.BUYER)
    ]
    lost = 100 * sum(fails) / len(fails)
    assert fact.says[1:] == (f"Hidden limits cost {lost:.0f} % of all deals worth making.",)
    play = expected_play(now.scenario, *(stacked(now.scenario, tables(now, r)) for r in Role))
    gains = [np.array(play.returns(role)) * now.scenario.width for role in Role]
    own, other = (np.mean([gains[r ^ side][r] for r in Role]) for side in (0, 1))
    says = f"Who opens gains {coins(own)} per game, the other {money(other)}"
    return fact.says[0] == says + (": it makes the last offer too." if own > other else ".")


CHECKS: dict[str, Callable[..., bool]] = {
    "opens_alike": alike,
    "opening_tells": tells,
    "gains": gains,
    "gains_fall": gains_fall,
    "above_ceiling": above,
    "bluffs": tells_limits,
    "never_agree": no_deal,
    "waits": later,
    "last_answers": accepted,
    "risks": risked,
    "pretending_pays": gains_by_pretending,
    "in_the_end": summed_up,
}


AWARE = replace(HIDDEN, states=States.OPENER_AWARE)
SELDOM = {"gains_fall", "opens_alike", "opening_tells", "above_ceiling"}
TRAININGS = {
    "published": (HIDDEN, Parameters(cycles=45), {"gains", "above_ceiling"}),
    "small": (SMALL, Parameters(cycles=45), {"opens_alike"}),
    "story": (AWARE, RECIPES["reverse-curriculum"](AWARE), {*CHECKS} - SELDOM),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n == "story" else ()) for n in TRAININGS]
)
def test_what_is_told_of_limits_is_true(name: str) -> None:
    pytest.importorskip("scipy")
    scenario, parameters, expected = TRAININGS[name]
    session, kinds = new_session(scenario, parameters, 1 + (name == "small")), set[str]()
    before = session.snapshot
    if scenario is not SMALL:
        text = " ".join(text for fact in before.story.found for text in fact.says)
        assert "In 24 % of all games no price suits both limits" in text
    for _ in range(parameters.cycles):
        session.handle(do.PlayCycle())
        now = session.snapshot
        for fact in now.story.found:
            if fact.cycle * parameters.episodes == now.negotiations and fact.kind in CHECKS:
                assert CHECKS[fact.kind](fact, now, before, *fact.about), fact
                kinds.add(fact.kind)
        before = now
    assert kinds >= expected
    for fact in before.story.found:
        for text in (" ".join(fact.says), *fact.per_turn):
            assert len(wrap(text, 76)) <= 2, "two rows of a narrow screen"


@pytest.mark.parametrize("opener", [Opener.SELLER, Opener.BUYER])
def test_if_one_role_opens_the_last_answer_that_is_told_is_that_of_the_other(
    opener: Opener,
) -> None:
    session = new_session(SMALL, Parameters(cycles=12), 1, opener=opener)
    while not session.snapshot.finished:
        session.handle(do.PlayCycle())
    facts = session.snapshot.story.found
    (said,) = (fact.says[0] for fact in facts if fact.kind == "last_answers")
    assert said == f"At the end the {opener.role().other} accepts any price within its limit."
