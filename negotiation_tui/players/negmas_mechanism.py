"""A NegMAS mechanism over one price: its negotiators play against our players, and ours in it.

Importing NegMAS takes seconds: `negmas_player.protocol` imports this module when it is needed.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from negmas.gb import GBNegotiator
from negmas.outcomes import make_issue
from negmas.preferences import AffineUtilityFunction, ExpDiscountedUFun
from negmas.sao import ResponseType, SAOMechanism, SAONegotiator, SAOResponse

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.strategies.bidding import ROUNDING

Base = GBNegotiator
"""The base class of every negotiator that can take part, also of those of `negmas.sao`."""
Decide = Callable[[Position], int]


class IsolatedGlobalRandom:
    """Global states of `random` and numpy that only one negotiator uses and advances."""

    def __init__(self, seed: int) -> None:
        self._python = random.Random(seed).getstate()  # noqa: S311 - no secret
        self._numpy = np.random.RandomState(seed).get_state()

    @contextmanager
    def active(self) -> Iterator[None]:
        """Replace the global states inside the `with` block, and restore them after it."""
        before = random.getstate(), np.random.get_state()  # noqa: NPY002
        random.setstate(self._python)
        np.random.set_state(self._numpy)  # noqa: NPY002
        try:
            yield
        finally:
            self._python, self._numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
            random.setstate(before[0])
            np.random.set_state(before[1])  # noqa: NPY002


def mechanism(scenario: Scenario) -> Any:
    """Return an empty `SAOMechanism`: the price grid is its issue, the rounds are its steps."""
    issue = make_issue(list(scenario.prices), "price")
    return SAOMechanism(issues=[issue], n_steps=scenario.rounds, name=scenario.name)


def utility(scenario: Scenario, role: Role) -> Any:
    """Return a role's reward as an `AffineUtilityFunction` of the price.

    The reserved value is 0, the reward of no deal. If the first price outside the range has a
    higher reward, it is the mean of the last price inside and the first outside. It is lowered by
    `ROUNDING`, so that floating-point errors do not exclude the last price. Time costs discount it.
    """
    seller = role is Role.SELLER
    offers, prices = scenario.offers(role), scenario.prices
    last, beyond = (offers[0], offers[0] - 1) if seller else (offers[-1], offers[-1] + 1)
    reserved = 0.0
    if 0 <= beyond < len(prices):
        ends = (scenario.reward(role, prices[last]), scenario.reward(role, prices[beyond]))
        reserved = max(0.0, sum(ends) / 2)
    start = scenario.reward(role, 0)
    at_once = AffineUtilityFunction(
        weights=[scenario.reward(role, 1) - start],
        bias=start,
        issues=[make_issue(list(prices), "price")],
        reserved_value=reserved - ROUNDING,
    )
    delta = scenario.delta[role]
    return (
        at_once if delta == 1 else _Discounted(at_once, delta, reserved_value=reserved - ROUNDING)
    )


class _Discounted(ExpDiscountedUFun):  # type: ignore[misc]
    """A utility that each offer discounts; those of NegMAS discount once per step of two offers.

    The standing offer is worth what accepting it pays, another what its acceptance will pay.
    """

    def eval_on_state(self, offer: Any, nmi: Any = None, state: Any = None) -> float:
        at_once = float(self._ufun(offer))
        if offer is None or nmi is None or state is None or state.current_offer is None:
            return at_once
        step = state.step - (state.agreement is not None)  # at the end the next one has begun
        made = 2 * step + (state.current_proposer == nmi.negotiator_ids[0])
        return float(self.discount ** (made - (offer == state.current_offer))) * at_once


class MechanismRun:
    """A negotiation in NegMAS's own mechanism, paused whenever its negotiator must answer."""

    def __init__(
        self, kind: Callable[[], Any], scenario: Scenario, role: Role, opened: bool, seed: int
    ) -> None:
        self.scenario, self.opened = scenario, opened
        self.offers: tuple[int, ...] = ()  # every price so far, up to the negotiator's last offer
        self._own_response: Any = None
        self._random = IsolatedGlobalRandom(seed)
        with self._isolated():
            self._mechanism = mechanism(scenario)
            self._negotiator, self._opponent = kind(), _Opponent()
            parties = [(self._negotiator, role), (self._opponent, role.other)]
            for party, side in parties if opened else reversed(parties):
                party.id = party.name = str(side)
                if not self._mechanism.add(party, ufun=utility(scenario, side)):
                    raise ValueError("it does not take part in alternating offers over one price")

    def response_to(self, offer: int | None) -> tuple[bool, Any]:
        """Return (accepts, counter-offer) to an offer, None for the opening; then call `record`."""
        own, opponent = self._negotiator.id, self._opponent.id
        with self._isolated():
            responses = {} if offer is None else {opponent: _offer(offer)}
            if self.opened and offer is not None:
                self._mechanism.step({own: self._own_response, **responses})
                responses = {}
            elif self._own_response is not None:
                self._mechanism.step({own: self._own_response})
            self._mechanism.step({**responses, own: SAOResponse(ResponseType.WAIT)})
            state = self._mechanism.state_for(self._negotiator)
            state.waiting = False
            answer = self._negotiator(state=state, dest=opponent)
        self.offers = self.offers if offer is None else (*self.offers, offer)
        if answer is None:
            return False, None
        accepts = answer.response == ResponseType.ACCEPT_OFFER
        counters = answer.response == ResponseType.REJECT_OFFER
        return accepts, price_of(answer.outcome) if counters else None

    def record(self, price: int) -> None:
        """Record the negotiator's legal offer, which may differ from its answer."""
        self.offers = (*self.offers, price)
        self._own_response = _offer(price)

    @contextmanager
    def _isolated(self) -> Iterator[None]:
        with self._random.active(), catch_warnings():
            simplefilter("ignore")  # warnings would damage the screen
            yield


def _offer(price: int) -> Any:
    return SAOResponse(ResponseType.REJECT_OFFER, (price,))


def price_of(outcome: Any) -> float | None:
    """Return the price of an outcome, or None. Raise ValueError if it is not finite."""
    outcome = getattr(outcome, "outcome", outcome)
    if outcome is None:
        return None
    (price,) = outcome
    if not np.isfinite(float(price)):
        raise ValueError(f"price: expected a finite number, got {price}")
    return float(price)


class _Opponent(SAONegotiator):  # type: ignore[misc]
    def propose(self, *_args: Any, **_named: Any) -> Any:
        return None


class OurNegotiator(SAONegotiator):  # type: ignore[misc]
    """A player of ours in a `SAOMechanism`; ends the negotiation if our rules have no answer."""

    def __init__(self, act: Decide, role: Role, scenario: Scenario, **named: Any) -> None:
        super().__init__(ufun=utility(scenario, role), **named)
        self._act, self._side, self._scenario = act, role, scenario
        self._begin()

    def _begin(self) -> None:
        self._offers: tuple[int, ...] = ()
        self._opened = False
        self._last_step = -1
        self._last_action = self._scenario.walk_away

    def join(self, nmi: Any, *args: Any, **named: Any) -> bool:
        """Enter a mechanism; BadInputError if its rules are not those of the scenario."""
        _check(nmi, self._scenario)
        return bool(super().join(nmi, *args, **named))

    def on_negotiation_start(self, state: Any) -> None:
        super().on_negotiation_start(state)
        self._begin()

    def respond(self, state: Any, source: str | None = None) -> Any:  # noqa: ARG002
        action = self._action(state)
        if action == self._scenario.accept:
            return ResponseType.ACCEPT_OFFER
        if action == self._scenario.walk_away:
            return ResponseType.END_NEGOTIATION
        return ResponseType.REJECT_OFFER

    def propose(self, state: Any, dest: str | None = None) -> tuple[int] | None:  # noqa: ARG002
        action = self._action(state)
        return (self._scenario.prices[action],) if action < self._scenario.accept else None

    def _action(self, state: Any) -> int:
        """Return the action, decided once per step. If the player raises, nothing changes."""
        if (n := self.nmi.n_negotiators) > len(Role):
            raise BadInputError(f"mechanism: expected 2 negotiators, got {n}")
        if state.step == self._last_step:
            return self._last_action
        position = self._position(state.step, price_of(state.current_offer))
        action = self._scenario.walk_away if position is None else int(self._act(position))
        if position is not None:
            self._opened, self._offers = position.opened, position.offers
        if action < self._scenario.accept:
            self._offers = (*self._offers, self._scenario.prices[action])
        self._last_step, self._last_action = state.step, action
        return action

    def _position(self, step: int, standing_offer: float | None) -> Position | None:
        """Return the position by our rules, None if our rules have no such position."""
        if standing_offer is None and step == 0 and self.nmi.negotiator_ids[0] == self.id:
            return Position(self._scenario, self._side, opened=True)
        if standing_offer not in self._scenario.prices:
            return None
        opener = self._side if self._opened else self._side.other
        return Position.after(self._scenario, opener, (*self._offers, int(standing_offer)))


def _check(nmi: Any, scenario: Scenario) -> None:
    name = f"mechanism for scenario {scenario.name}"
    if nmi.n_steps != scenario.rounds:
        raise BadInputError(f"{name}: expected n_steps {scenario.rounds}, got {nmi.n_steps}")
    space, prices = nmi.outcome_space, [(price,) for price in scenario.prices]
    if space.cardinality != len(prices) or sorted(space.enumerate_or_sample()) != prices:
        ends = f"{scenario.prices[0]}…{scenario.prices[-1]}"
        expected = f"one issue of the {len(prices)} prices {ends}"
        raise BadInputError(f"{name}: expected {expected}, got other outcomes")
    if nmi.one_offer_per_step or not nmi.offering_is_accepting:
        expected = "one_offer_per_step False and offering_is_accepting True"
        got = f"{nmi.one_offer_per_step} and {nmi.offering_is_accepting}"
        raise BadInputError(f"{name}: expected {expected}, got {got}")
