"""One negotiation as data, and the plain way to play one: turn by turn."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import START, Scenario

NO_STATE = -1


@dataclass(frozen=True, slots=True)
class Position:
    """What a party knows when it must act.

    `standing_offer` is the price the other just offered, None for the opening; `own_last_offer` is one's own last
    price, None before the first; `time` is the round in which the price on the table was offered;
    `opened` says whether one made the first offer; `offers` are all prices so far, in order.
    """

    scenario: Scenario
    role: Role
    time: int = 0
    own_last_offer: int | None = None
    standing_offer: int | None = None
    opened: bool = False
    offers: tuple[int, ...] = ()

    @property
    def opponent_offers(self) -> tuple[int, ...]:
        """The prices that the other offered, in order."""
        return self.offers[len(self.offers) % 2 ^ 1 :: 2]

    @property
    def own_offers(self) -> tuple[int, ...]:
        """The prices that one offered oneself, in order."""
        return self.offers[len(self.offers) % 2 :: 2]

    @property
    def state(self) -> int:
        """The row of the Q-table this position is."""
        if self.standing_offer is None:
            return START
        return self.scenario.state_index(self.standing_offer, self.time, self.opened)

    @property
    def ply(self) -> int:
        """The number of the decision: even for the opener, odd for the responder, from 0."""
        return 0 if self.standing_offer is None else 2 * self.time + (2 if self.opened else 1)

    @property
    def standing_offer_index(self) -> int:
        """The place of the price on the table in the grid, 0 before the first."""
        return 0 if self.standing_offer is None else self.scenario.prices.index(self.standing_offer)

    @property
    def last_decision(self) -> bool:
        """Whether only accepting and rejecting are left."""
        return self.standing_offer is not None and self.time == self.scenario.rounds - 1

    @property
    def legal(self) -> Sequence[int]:
        """The actions that the rules allow here."""
        return self.scenario.legal_actions(self.state, self.role)

    def turn(self, action: int, explored: bool = False) -> "Turn":
        """What an action is here; see `Turn`."""
        price = self.standing_offer
        if action < self.scenario.accept:
            price = self.scenario.prices[action]
        elif action == self.scenario.walk_away:
            price = None
        return Turn(self.role, self.ply // 2, self.state, action, price, explored)


class Player(Protocol):
    """Whoever can sit in a seat and be asked turn by turn."""

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """The index of a legal action in this position."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One action: who, in which round and state, what, and whether it was drawn to explore.

    The state is NO_STATE where nobody decided: a price put on the table for training to begin at.
    """

    role: Role
    round: int
    state: int
    action: int
    price: int | None  # offered or accepted; None for a rejection
    explored: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a negotiation ended: the price agreed on or None, by whose action, in which round."""

    price: int | None
    closer: Role
    round: int

    @property
    def deal(self) -> bool:
        """Whether the parties agreed."""
        return self.price is not None


class IllegalActionError(ValueError):
    """An action that the rules do not allow there."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A negotiation: every turn in order. It is over when the last one closed it."""

    scenario: Scenario
    opener: Role
    turns: tuple[Turn, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the last turn accepted or rejected."""
        return bool(self.turns) and self.turns[-1].action >= self.scenario.accept

    @property
    def outcome(self) -> Outcome:
        """How it ended."""
        last = self.turns[-1]
        return Outcome(last.price, last.role, last.round)

    @property
    def prices(self) -> tuple[int | None, ...]:
        """The price of every turn; the closing turn repeats the price it accepts."""
        return tuple(turn.price for turn in self.turns)

    @property
    def position(self) -> Position | None:
        """What the party knows that must act now, None when it is over."""
        if self.over:
            return None
        if not self.turns:
            return Position(self.scenario, self.opener, opened=True)
        last = self.turns[-1]
        role = last.role.other
        own = next((turn.price for turn in reversed(self.turns) if turn.role is role), None)
        offers = tuple(turn.price for turn in self.turns if turn.price is not None)
        opened = role is self.opener
        return Position(self.scenario, role, last.round, own, last.price, opened, offers)

    def to_dict(self) -> dict[str, list[Any]]:
        """A column for each thing to say of a turn; labels are those of the Q-tables."""
        scenario = self.scenario
        return {
            "round": [turn.round + 1 for turn in self.turns],
            "role": [str(turn.role) for turn in self.turns],
            "state": [
                None if turn.state == NO_STATE else scenario.state_label(turn.state)
                for turn in self.turns
            ],
            "action": [scenario.action_label(turn.action) for turn in self.turns],
            "price": list(self.prices),
            "explored": [turn.explored for turn in self.turns],
        }

    def __str__(self) -> str:
        """In a line: who opened, every price in order, and how it ended."""
        prices = self.scenario.prices
        closing = {self.scenario.accept: "accept", self.scenario.walk_away: "quit"}
        actions = (turn.action for turn in self.turns)
        said = (closing.get(action) or str(prices[action]) for action in actions)
        return f"{self.opener}: {' '.join(said)}"

    def __repr__(self) -> str:
        return f"<Transcript {self.scenario.name}, {self}>"

    def first(self, turns: int) -> "Transcript":
        """The negotiation as it was after so many turns."""
        return replace(self, turns=self.turns[:turns])

    def followed_by(self, action: int, explored: bool = False) -> "Transcript":
        """The negotiation one turn further; IllegalActionError where that breaks the rules."""
        position = self.position
        if position is None:
            raise IllegalActionError("the negotiation is over")
        check_legal(position, action)
        return replace(self, turns=(*self.turns, position.turn(action, explored)))


def check_legal(position: Position, action: int) -> None:
    """Raise IllegalActionError, in words, for an action that the rules do not allow there."""
    legal = position.legal
    if action not in legal:
        raise IllegalActionError(
            f"{position.role}: action {action} is not legal in state"
            f" {position.scenario.state_label(position.state)}, use one of {list(legal)}"
        )


def negotiate(
    scenario: Scenario,
    seller: Player,
    buyer: Player,
    opener: Opener | Role | str | None = None,
    rng: np.random.Generator | None = None,
) -> Transcript:
    """Play one negotiation turn by turn.

    The opener is the scenario's where none is given (the seller where that alternates); without
    `rng` the draws come from seed 0. Raises IllegalActionError if a player breaks the rules.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    players = {Role.SELLER: seller, Role.BUYER: buyer}

    def ask(position: Position) -> int:
        action = operator.index(players[position.role].act(position, rng))
        check_legal(position, action)
        return action

    first = Opener.of(scenario.opener if opener is None else opener).role()
    return play_out(scenario, first, ask)


def play_out(
    scenario: Scenario,
    opener: Role,
    choose: Callable[[Position], int],
    explored: Sequence[bool] = (),
    begun: int = 0,
) -> Transcript:
    """The negotiation that follows from asking for the action in each position, until one closes.

    `explored` says of the turns, in order, which were drawn to explore; none where it is short.
    With `begun` the first turn is a price put on the table at that ply.
    """
    turns: list[Turn] = []
    offers: list[int] = []
    own: dict[Role, int | None] = {Role.SELLER: None, Role.BUYER: None}
    role, on_table = opener if begun % 2 == 0 else opener.other, None
    while True:
        n = begun + len(turns)
        position = Position(
            scenario, role, max(0, n - 1) // 2, own[role], on_table, role is opener, tuple(offers)
        )
        action = choose(position)
        drawn = len(turns) < len(explored) and bool(explored[len(turns)])
        turn = position.turn(action, drawn)
        if begun and not turns:
            turn = replace(turn, round=n // 2, state=NO_STATE)
        turns.append(turn)
        if turn.price is None or action == scenario.accept:
            return Transcript(scenario, opener, tuple(turns))
        own[role] = on_table = turn.price
        offers.append(turn.price)
        role = role.other
