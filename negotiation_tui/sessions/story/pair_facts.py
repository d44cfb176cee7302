"""Facts of a learner beside a fixed rule, and of two fixed rules. Pure."""

from collections.abc import Iterator
from typing import NamedTuple

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import Specs
from negotiation_tui.runtime.text import coins
from negotiation_tui.sessions.story.fact import Fact, listed
from negotiation_tui.solvers.expected_play import ExpectedPlay

_NOTHING = 1e-9  # coins that are 0, but for rounding


class Rivals(NamedTuple):
    """A learner and the fixed rule opposite, after a whole cycle."""

    parameters: Parameters
    cycle: int  # number of cycles done
    learner: Role
    rule: str  # the name of the rule
    play: ExpectedPlay
    could_gain: float | None  # coins per game, by a best answer; None if that was not computed

    @property
    def scenario(self) -> Scenario:
        return self.play.scenario

    @property
    def openers(self) -> tuple[Role, ...]:
        return self.scenario.opener.roles

    @property
    def finished(self) -> bool:
        return self.cycle >= self.parameters.cycles

    @property
    def gets(self) -> float:
        return self.play.coins.mean(self.learner, self.openers)


def first_deal(now: Rivals) -> Iterator[Fact]:
    for opener in now.openers:
        if (agree := _agreement(now.play, opener)) and not now.finished:
            found = f"Against {now.rule} the {now.learner} has found a deal."
            yield Fact((found, f"If the {opener} opens, {agree}."), (now.rule,), opener)
            return


def best_answer(now: Rivals) -> Iterator[Fact]:
    if now.could_gain is not None and now.could_gain < _NOTHING and not now.finished:
        best = f"Against {now.rule} no other plan would earn the {now.learner} more"
        yield Fact((f"{best} than its {coins(now.gets)} per game.",), (now.rule,))


def end(now: Rivals) -> Iterator[Fact]:
    if now.finished:
        gets, more = f"the {now.learner} gets {coins(now.gets)} per game", ""
        if now.could_gain is not None:
            much = "nothing" if now.could_gain < _NOTHING else coins(now.could_gain)
            more = f", and the best plan would earn {much} more"
        yield Fact((f"The training is over: against {now.rule} {gets}{more}.",), (now.rule,))


PAIR_KINDS = {first_deal: 80, best_answer: 95, end: 100}
"""Each kind, and its importance."""
PAIR_NAMES = {kind.__name__ for kind in PAIR_KINDS}


def taken_seats(rules: Specs, opener: Opener, play: ExpectedPlay | None) -> Fact:
    """Return the fact of a pair that took its seats; the play of two rules says how they end."""
    seller, buyer = rules
    if seller is None or buyer is None:
        learner = Role.SELLER if seller is None else Role.BUYER
        return Fact((f"Now only the {learner} learns, against {seller or buyer}.",), rules)
    ends = "; ".join(
        f"if the {role} opens, {agree}"
        for role in opener.roles
        if play and (agree := _agreement(play, role))
    )
    says = f"Now {seller} sells to {buyer}; nobody learns.", f"{ends[:1].upper()}{ends[1:]}."
    return Fact(says if ends else says[:1], rules)


def _agreement(play: ExpectedPlay, opener: Role) -> str:
    """Say on what price both agree if they surely do; empty otherwise."""
    outcomes = play.opened_by(opener)
    if not outcomes.always_deal:
        return ""
    if outcomes.only:
        number, price = outcomes.only
        return f"they agree on {price} in round {number}"
    prices = [play.scenario.prices[n] for n in outcomes.deals.sum(axis=0).nonzero()[0].tolist()]
    return f"they agree on {listed(prices)}"
