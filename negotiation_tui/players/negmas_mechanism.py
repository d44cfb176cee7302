"""A NegMAS mechanism over one price, in which a NegMAS negotiator plays against one of ours.

Imports NegMAS, which takes seconds: `negmas_player.protocol` does so when it is first needed.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from negmas.gb import GBNegotiator
from negmas.outcomes import make_issue
from negmas.preferences import AffineUtilityFunction
from negmas.sao import ResponseType, SAOMechanism, SAONegotiator, SAOResponse

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.global_random import IsolatedGlobalRandom
from negotiation_tui.strategies.bidding import ROUNDING

Base = GBNegotiator
"""What every negotiator that can take part inherits from, those of `negmas.sao` too."""
Decide = Callable[[Position], int]


def mechanism(scenario: Scenario) -> Any:
    """An empty `SAOMechanism` with the scenario's grid as its issue and its rounds as steps."""
    issue = make_issue(list(scenario.prices), "price")
    return SAOMechanism(issues=[issue], n_steps=scenario.rounds, name=scenario.name)


def utility(scenario: Scenario, role: Role) -> Any:
    """A role's reward as a `AffineUtilityFunction` of the price.

    Its reserved value is 0, what no deal is worth; or, where prices just outside the range would
    be worth more than that, half-way between the last price inside and the first outside. A
    trifle is taken from it, lest rounding make the last price worth less.
    """
    seller = role is Role.SELLER
    offers, prices = scenario.offers(role), scenario.prices
    last, beyond = (offers[0], offers[0] - 1) if seller else (offers[-1], offers[-1] + 1)
    reserved = 0.0
    if 0 <= beyond < len(prices):
        ends = (scenario.reward(role, prices[last]), scenario.reward(role, prices[beyond]))
        reserved = max(0.0, sum(ends) / 2)
    start = scenario.reward(role, 0)
    return AffineUtilityFunction(
        weights=[scenario.reward(role, 1) - start],
        bias=start,
        issues=[make_issue(list(prices), "price")],
        reserved_value=reserved - ROUNDING,
    )


class MechanismRun:
    """A negotiation of NegMAS's own mechanism, halted whenever its negotiator must answer.

    Who sits opposite is played from outside. Everything random that NegMAS does in it follows
    from the seed.
    """

    def __init__(
        self, kind: Callable[[], Any], scenario: Scenario, role: Role, opened: bool, seed: int
    ) -> None:
        self.scenario, self.opened = scenario, opened
        self.offers: tuple[int, ...] = ()
        """Every price so far, up to the negotiator's last."""
        self._own: Any = None
        self._chance = IsolatedGlobalRandom(seed)
        with self._held():
            self._mechanism = mechanism(scenario)
            self._negotiator, self._other = kind(), _Absent()
            parties = [(self._negotiator, role), (self._other, role.other)]
            for party, seat in parties if opened else reversed(parties):
                party.id = party.name = str(seat)
                if not self._mechanism.add(party, ufun=utility(scenario, seat)):
                    raise ValueError("it does not take part in alternating offers over one price")

    def ask(self, heard: int | None) -> tuple[bool, Any]:
        """Its answer to the price just heard, None for the opening: whether it accepts; its offer.

        The offer is None where it does neither. Call `say` before asking again.
        """
        me, other = self._negotiator.id, self._other.id
        with self._held():
            theirs = {} if heard is None else {other: _offer(heard)}
            if self.opened and heard is not None:
                self._mechanism.step({me: self._own, **theirs})
                theirs = {}
            elif self._own is not None:
                self._mechanism.step({me: self._own})
            self._mechanism.step({**theirs, me: SAOResponse(ResponseType.WAIT)})
            state = self._mechanism.state_for(self._negotiator)
            state.waiting = False
            said = self._negotiator(state=state, dest=other)
        self.offers = self.offers if heard is None else (*self.offers, heard)
        if said is None:
            return False, None
        accepts = said.response == ResponseType.ACCEPT_OFFER
        counters = said.response == ResponseType.REJECT_OFFER
        return accepts, price_of(said.outcome) if counters else None

    def say(self, price: int) -> None:
        """What its answer came to: an offer inside the rules."""
        self.offers = (*self.offers, price)
        self._own = _offer(price)

    @contextmanager
    def _held(self) -> Iterator[None]:
        with self._chance.taken(), catch_warnings():
            simplefilter("ignore")  # they would be written over the screen
            yield


def _offer(price: int) -> Any:
    return SAOResponse(ResponseType.REJECT_OFFER, (price,))


def price_of(outcome: Any) -> float | None:
    """The price in an outcome, or in an extended one; ValueError where it is none."""
    outcome = getattr(outcome, "outcome", outcome)
    if outcome is None:
        return None
    (price,) = outcome
    if not np.isfinite(float(price)):
        raise ValueError(f"{price} is no price")
    return float(price)


class _Absent(SAONegotiator):  # type: ignore[misc]
    """Whose answers come from outside; waits for them."""

    def __call__(self, *_args: Any, **_named: Any) -> Any:
        return SAOResponse(ResponseType.WAIT)

    def propose(self, *_args: Any, **_named: Any) -> Any:
        return None
