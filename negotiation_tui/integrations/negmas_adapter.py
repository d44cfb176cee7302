"""One of our players as a negotiator in a NegMAS mechanism. Imports NegMAS, which takes seconds."""

from typing import Any

from negmas.sao import ResponseType, SAONegotiator

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.negmas_mechanism import Decide, price_of, utility


class TranslatedPlayer:
    """One of ours through a negotiation of NegMAS: what it does in each step, by our rules."""

    def __init__(self, act: Decide, role: Role, scenario: Scenario) -> None:
        self.act, self.role, self.scenario = act, role, scenario
        self.begin()

    def begin(self) -> None:
        """A new negotiation."""
        self._offers: tuple[int, ...] = ()
        self._own: int | None = None
        self._opened = False
        self._asked = -1
        self._action = self.scenario.walk_away

    def action(self, step: int, heard: float | None, first: bool) -> int:
        """The action in a step with a price on the table, None for none; decided once a step.

        `first` says whether it speaks before the other. What the player raises changes nothing.
        """
        if step == self._asked:
            return self._action
        position = self._position(step, heard, first)
        action = self.scenario.walk_away if position is None else self.act(position)
        if position is not None:
            self._opened, self._offers = position.opened, position.offers
        if action < self.scenario.accept:
            self._own = self.scenario.prices[action]
            self._offers = (*self._offers, self._own)
        self._asked, self._action = step, action
        return action

    def _position(self, step: int, heard: float | None, first: bool) -> Position | None:
        """Where it stands by our rules, None where these know no such place."""
        if heard is None and step == 0 and first:
            return Position(self.scenario, self.role, opened=True)
        if heard not in self.scenario.prices:
            return None
        price, time = int(heard), step - 1 if self._opened else step
        offers = (*self._offers, price)
        return Position(self.scenario, self.role, time, self._own, price, self._opened, offers)


class OurNegotiator(SAONegotiator):  # type: ignore[misc]
    """One of ours in a `SAOMechanism`; ends it where our rules have no answer."""

    def __init__(self, act: Decide, role: Role, scenario: Scenario, **named: Any) -> None:
        super().__init__(ufun=utility(scenario, role), **named)
        self._ours = TranslatedPlayer(act, role, scenario)

    def join(self, nmi: Any, *args: Any, **named: Any) -> bool:
        """Enter a mechanism; BadInputError where its negotiation is not that of the scenario."""
        _check(nmi, self._ours.scenario)
        return bool(super().join(nmi, *args, **named))

    def on_negotiation_start(self, state: Any) -> None:
        """Forget the one before."""
        super().on_negotiation_start(state)
        self._ours.begin()

    def respond(self, state: Any, source: str | None = None) -> Any:  # noqa: ARG002
        """Accept, reject for a counter-offer, or end it."""
        action, scenario = self._action(state), self._ours.scenario
        if action == scenario.accept:
            return ResponseType.ACCEPT_OFFER
        if action == scenario.walk_away:
            return ResponseType.END_NEGOTIATION
        return ResponseType.REJECT_OFFER

    def propose(self, state: Any, dest: str | None = None) -> tuple[int] | None:  # noqa: ARG002
        """A price, None where it quits."""
        action, scenario = self._action(state), self._ours.scenario
        return (scenario.prices[action],) if action < scenario.accept else None

    def _action(self, state: Any) -> int:
        first = self.nmi.negotiator_ids[0] == self.id
        return self._ours.action(state.step, price_of(state.current_offer), first)


def _check(nmi: Any, scenario: Scenario) -> None:
    """Raise BadInputError unless a mechanism negotiates what the scenario does."""
    named = f"scenario {scenario.name}"
    if nmi.n_steps != scenario.rounds:
        raise BadInputError(
            f"{named} has {scenario.rounds} rounds, the mechanism n_steps {nmi.n_steps}: use the"
            " same"
        )
    space, prices = nmi.outcome_space, [(price,) for price in scenario.prices]
    if space.cardinality != len(prices) or sorted(space.enumerate_or_sample()) != prices:
        ends = f"{scenario.prices[0]}…{scenario.prices[-1]}"
        raise BadInputError(
            f"{named} has {len(prices)} prices {ends}, the mechanism other outcomes: use one issue"
            " of these prices"
        )
    if nmi.one_offer_per_step or not nmi.offering_is_accepting:
        raise BadInputError(
            f"{named} has rounds of two offers, each binding who makes it: use one_offer_per_step"
            " False and offering_is_accepting True"
        )
