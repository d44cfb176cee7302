"""Our players as NegMAS negotiators. Importing this module imports NegMAS, which takes seconds."""

from typing import Any

from negmas.sao import ResponseType, SAONegotiator

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.negmas_mechanism import Decide, price_of, utility


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
