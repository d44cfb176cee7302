"""A NegMAS negotiator as a player, run in NegMAS's own mechanism turn by turn."""

import inspect
from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from negotiation_tui.errors import BadInputError, error_line, how_to_install
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.players.user_code import turned
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.settings_text import own_dict
from negotiation_tui.strategies.base import Dependency, UserSupplied
from negotiation_tui.strategies.bidding import best_price, nearest_offer

_EXAMPLES = ("BoulwareTBNegotiator", "MiCRONegotiator", "NaiveTitForTatNegotiator")
"""Examples shown in the error message for an unknown class."""


@sealed(frozen=True)
class NegmasPlayer(UserSupplied):
    """A class of NegMAS negotiators; a new instance plays each negotiation.

    Illegal offers become the nearest price of its range, rounded in its favour. So does accepting a
    price outside its range. Any other response ends the negotiation; at the opening, where that is
    illegal, its best price is offered instead. At the last decision every response but acceptance
    counts as walking away.
    """

    depends_on: ClassVar[frozenset[Dependency]] = frozenset({"time", "own", "opener", "history"})
    kind: type  # the class, instantiated without arguments
    _runs: dict[Role, Any] = own_dict()
    """The current negotiation of each role, saved so that `_resumed` need not replay it."""

    def support(self, position: Position) -> Sequence[int]:
        """Return the action of a new instance after these offers, with seed 0."""
        return (self._action(self._resumed(position, 0), position),)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Return the action; a negotiation new or joined midway takes its seed from `rng`."""
        run = self._runs.pop(position.role, None)
        same = run and (run.opened, run.scenario) == (position.opened, position.scenario)
        if not (same and run.offers and run.offers == position.offers[:-1]):
            run = self._resumed(position, int(rng.integers(2**32)))
        action = self._action(run, position)
        self._runs[position.role] = run
        return action

    def _resumed(self, position: Position, seed: int) -> Any:
        """Return a negotiation with a new instance, whose own answers are the offers so far."""
        scenario, role, opened = position.scenario, position.role, position.opened
        with self._guarded(position):
            run = protocol().MechanismRun(self.kind, scenario, role, opened, seed)
            offers = [None, *position.opponent_offers] if opened else position.opponent_offers
            for offer, here in zip(offers, position.own_offers, strict=False):
                run.response_to(offer)
                run.record(here)
        return run

    def _action(self, run: Any, position: Position) -> int:
        with self._guarded(position):
            accepts, offer = run.response_to(position.standing_offer)
        action = legal_answer(position, accepts, offer)
        if action < position.scenario.accept:
            run.record(position.scenario.prices[action])
        return action

    def _guarded(self, position: Position) -> AbstractContextManager[None]:
        at = f"in round {position.ply // 2 + 1} of {position.scenario.name}"
        failed = f"{self.spec} failed as the {position.role} {at}"
        return turned(lambda error: BadInputError(f"{failed}: {error_line(error)}"))


def legal_answer(position: Position, accepts: bool, offer: float | None) -> int:
    scenario, role = position.scenario, position.role
    if accepts and position.standing_offer in scenario.acceptable_range(role):
        return scenario.accept
    if position.last_decision:
        return scenario.walk_away
    price = position.standing_offer if accepts else offer
    if price is not None:
        return nearest_offer(scenario, role, price)
    if position.standing_offer is None:
        return nearest_offer(scenario, role, best_price(scenario, role))
    return scenario.walk_away


def from_spec(spec: str) -> NegmasPlayer:
    """Return the player of a spec `negmas:Class` or `negmas:package.module.Class`.

    A class without a module is one of `negmas.sao`. The module is imported. Raises BadInputError
    if NegMAS is not installed, or if the class is not a negotiator or needs arguments.
    """
    base, name = protocol().Base, spec.partition(":")[2]
    place, _, last = name.rpartition(".")
    failed = f"{spec}: {place} cannot be imported"
    with turned(lambda error: BadInputError(f"{failed}: {error_line(error)}")):
        module = import_module(place or "negmas.sao")
    kind = getattr(module, last, None)
    if not (isinstance(kind, type) and issubclass(kind, base)):
        from difflib import get_close_matches

        types = {each: it for each, it in vars(module).items() if isinstance(it, type)}
        bases = {each: it for each, it in types.items() if issubclass(it, base)}
        classes = {each: it for each, it in bases.items() if not inspect.isabstract(it)}
        here = [each for each, it in classes.items() if it.__module__ == module.__name__]
        names = here or [*classes]  # a package only re-exports the classes of its modules
        near = get_close_matches(last, names) or sorted(each for each in _EXAMPLES if each in names)
        use = ", ".join(near or sorted(names)[:3]) or "a class that inherits from SAONegotiator"
        raise BadInputError(f"{spec}: {module.__name__} has no negotiator {last!r}; use {use}")
    unmade = f"{spec}: {last} cannot be created without arguments"
    with (
        turned(lambda error: BadInputError(f"{unmade}: {error_line(error)}")),
        protocol().IsolatedGlobalRandom(0).active(),
    ):
        kind()
    return NegmasPlayer(spec, kind)


def protocol() -> ModuleType:
    """Return `negmas_mechanism`. Raise BadInputError if NegMAS is not installed."""
    try:
        from negotiation_tui.players import negmas_mechanism
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "negmas":
            raise
        raise BadInputError(f"NegMAS is not installed: {how_to_install('negmas')}") from None
    return negmas_mechanism
