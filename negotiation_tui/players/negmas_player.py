"""A NegMAS negotiator in one of our seats, played in NegMAS's own mechanism turn by turn."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, TypeGuard

import numpy as np

from negotiation_tui.errors import BadInputError, error_line
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.players.global_random import IsolatedGlobalRandom
from negotiation_tui.strategies.base import Dependency, UserSupplied
from negotiation_tui.strategies.bidding import best_price, nearest_offer

NAME = "negmas"
"""The word that begins the words of such a seat."""
_SOME = ("BoulwareTBNegotiator", "MiCRONegotiator", "NaiveTitForTatNegotiator")
"""What to propose to who names none."""


@dataclass(frozen=True)
class NegmasPlayer(UserSupplied):
    """A class of NegMAS negotiators; each negotiation is played by a new one.

    It is told the price grid, the rounds, its reward as its utility, and every offer. An offer
    outside the rules becomes the nearest price of its range on its own side; so does accepting a
    price outside that, which is no answer to anybody. Whatever else it does quits, which as the
    opening is its best price. At the last decision all but accepting rejects.
    """

    name: ClassVar[str] = NAME
    summary: ClassVar[str] = "a negotiator of NegMAS"
    source: ClassVar[str] = "NegMAS; docs/negmas.md"
    kind: type
    """The class, made without arguments."""
    _talks: dict[Role, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    """The negotiation going on in each seat: what `_resumed` would come to, not played anew."""

    @property
    def depends_on(self) -> frozenset[Dependency]:
        """Anything."""
        return frozenset({"time", "own", "opener", "history"})

    def support(self, position: Position) -> Sequence[int]:
        """What a new one does after these offers, its draws those of seed 0.

        Raises BadInputError where its own code fails.
        """
        return (self._answered(self._resumed(position, 0), position),)

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """What it does; a new negotiation takes its seed from `rng`, as does one taken up midway.

        Raises BadInputError where its own code fails.
        """
        talk = self._talks.pop(position.role, None)
        if talk is None or not _follows(position, talk):
            talk = self._resumed(position, int(rng.integers(2**32)))
        action = self._answered(talk, position)
        self._talks[position.role] = talk
        return action

    def _resumed(self, position: Position, seed: int) -> Any:
        """A new negotiator that has heard and, whatever it would have, made the offers so far."""
        scenario, role, opened = position.scenario, position.role, position.opened
        try:
            talk = protocol().MechanismRun(self.kind, scenario, role, opened, seed)
            heard = [None, *position.opponent_offers] if opened else position.opponent_offers
            for theirs, own in zip(heard, position.own_offers, strict=False):
                talk.ask(theirs)
                talk.say(own)
        except (Exception, SystemExit) as error:
            raise self._failed(error, position) from None
        return talk

    def _answered(self, talk: Any, position: Position) -> int:
        try:
            accepts, offer = talk.ask(position.standing_offer)
        except (Exception, SystemExit) as error:
            raise self._failed(error, position) from None
        action = legal_answer(position, accepts, offer)
        if action < position.scenario.accept:
            talk.say(position.scenario.prices[action])
        return action

    def _failed(self, error: BaseException, position: Position) -> BadInputError:
        return BadInputError(
            f"{self.spec} failed as the {position.role} in round {position.ply // 2 + 1} of"
            f" {position.scenario.name}: {error_line(error)}"
        )


def legal_answer(position: Position, accepts: bool, offer: float | None) -> int:
    """The action that an answer comes to by our rules; see `NegmasPlayer`."""
    scenario, role = position.scenario, position.role
    acceptable = position.standing_offer in scenario.acceptable_range(role)
    if accepts and acceptable:
        return scenario.accept
    if position.last_decision:
        return scenario.walk_away
    price = position.standing_offer if accepts else offer
    if price is not None:
        return nearest_offer(scenario, role, price)
    if position.standing_offer is None:
        return nearest_offer(scenario, role, best_price(scenario, role))
    return scenario.walk_away


def names_one(words: str) -> bool:
    """Whether words seat a negotiator of NegMAS."""
    return words.partition(":")[0] == NAME


def from_words(words: str) -> NegmasPlayer:
    """The seat that `negmas:Class` or `negmas:package.module.Class` describes.

    A class without a module is one of `negmas.sao`. The module is imported. Raises BadInputError
    where NegMAS is not installed, and for what is no negotiator that can be made as it is.
    """
    base, name = protocol().Base, words.partition(":")[2]
    place, _, last = name.rpartition(".")
    try:
        module = import_module(place or "negmas.sao")
    except (Exception, SystemExit) as error:
        raise BadInputError(f"{words}: {place} cannot be imported: {error_line(error)}") from None
    kind = getattr(module, last, None)
    if not (isinstance(kind, type) and issubclass(kind, base)):
        from difflib import get_close_matches

        held = {each: it for each, it in vars(module).items() if _makes(it, base)}
        written = [each for each, it in held.items() if it.__module__ == module.__name__]
        known = written or [*held]  # a package has what its modules wrote
        near = get_close_matches(last, known) or sorted(each for each in _SOME if each in known)
        use = ", ".join(near or sorted(known)[:3]) or "a class that inherits from SAONegotiator"
        raise BadInputError(f"{words}: {module.__name__} has no negotiator {last!r}, use {use}")
    try:
        with IsolatedGlobalRandom(0).taken():
            kind()
    except (Exception, SystemExit) as error:
        raise BadInputError(
            f"{words} cannot be made without arguments: {error_line(error)}"
        ) from None
    return NegmasPlayer(words, kind)


def protocol() -> ModuleType:
    """The module that speaks with NegMAS; BadInputError where that is not installed."""
    try:
        from negotiation_tui.players import negmas_mechanism
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "negmas":
            raise
        raise BadInputError(
            "NegMAS is not installed: pip install 'negotiation-tui[negmas]'"
        ) from None
    return negmas_mechanism


def _follows(position: Position, talk: Any) -> bool:
    """Whether a position comes of a negotiation by one more offer."""
    return bool(
        talk.offers
        and talk.offers == position.offers[:-1]
        and talk.opened == position.opened
        and talk.scenario == position.scenario
    )


def _makes(held: object, base: type) -> TypeGuard[type]:
    return isinstance(held, type) and issubclass(held, base) and not inspect.isabstract(held)
