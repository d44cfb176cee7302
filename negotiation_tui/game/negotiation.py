"""One negotiation as data, and functions that play one turn by turn."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any, NotRequired, Protocol, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.limits import drawn_pairs
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import CLOSING, START, Scenario
from negotiation_tui.runtime.records import replace, sealed

NO_STATE = -1
_TURN = 150  # of memory, as measured with tracemalloc


@sealed(frozen=True, slots=True)
class Position:
    """The information of a player at its turn.

    `standing_offer` is the price that the opponent just offered, None at the opening;
    `own_last_offer` is the player's own last price, None before its first. `time` is the round of
    the standing offer. `opened` is True for the player that made the first offer. `offers` are all
    prices so far, in order. `heard` is what the opponent said with the standing offer, in a
    scenario with talk; programs are told, no strategy reads it.
    """

    scenario: Scenario
    role: Role
    time: int = 0
    own_last_offer: int | None = None
    standing_offer: int | None = None
    opened: bool = False
    offers: tuple[int, ...] = ()
    heard: str = ""

    @classmethod
    def after(
        cls,
        scenario: Scenario,
        opener: Role,
        offers: tuple[int, ...],
        first_ply: int = 0,
        heard: str = "",
    ) -> Position:
        """Return the position after these offers, of which the first was made at `first_ply`."""
        n = first_ply + len(offers)
        role = opener if n % 2 == 0 else opener.other
        own, standing = offers[-2] if len(offers) > 1 else None, offers[-1] if offers else None
        time, seen = max(0, n - 1) // 2, scenario.seen_by(role)
        return cls(seen, role, time, own, standing, role is opener, offers, heard)

    @property
    def opponent_offers(self) -> tuple[int, ...]:
        return self.offers[len(self.offers) % 2 ^ 1 :: 2]

    @property
    def own_offers(self) -> tuple[int, ...]:
        return self.offers[len(self.offers) % 2 :: 2]

    @property
    def state(self) -> int:
        if self.standing_offer is None:
            return START
        return self.scenario.state_index(self.standing_offer, self.time, self.opened)

    @property
    def row(self) -> int:
        """The row of this position in the tables of all the role's limits, end to end."""
        return self.scenario.limit_index(self.role) * self.scenario.n_states + self.state

    @property
    def ply(self) -> int:
        """The number of the decision: even for the opener, odd for the responder, from 0."""
        return 0 if self.standing_offer is None else 2 * self.time + (2 if self.opened else 1)

    @property
    def standing_offer_index(self) -> int:
        """The grid index of the standing offer; 0 at the opening."""
        return 0 if self.standing_offer is None else self.scenario.prices.index(self.standing_offer)

    @property
    def last_decision(self) -> bool:
        """True if the only actions left are to accept or to walk away."""
        return self.standing_offer is not None and self.time == self.scenario.rounds - 1

    @property
    def limit(self) -> int:
        return self.scenario.limit(self.role)

    @property
    def legal(self) -> Sequence[int]:
        return self.scenario.legal_actions(self.state, self.role)


class Player(Protocol):
    """An agent that plays turn by turn."""

    def act(self, position: Position, rng: np.random.Generator) -> int:
        """Return the index of a legal action in this position."""


class Listener:
    """The base of players that are told how each of their negotiations ended."""

    def ended(self, transcript: Transcript, role: Role) -> None:
        raise NotImplementedError


class Spoken(int):
    """The index of an action, and the words that came with it."""

    said: str
    failed: bool

    def __new__(cls, action: int, said: str = "", *, failed: bool = False) -> Self:
        spoken = super().__new__(cls, action)
        spoken.said, spoken.failed = said, failed
        return spoken


@sealed(frozen=True, slots=True)
class Turn:
    """One action of a role; the state is NO_STATE for an offer that no player chose."""

    role: Role
    round: int
    state: int
    action: int
    price: int | None  # offered or accepted; None for walking away
    explored: bool = False
    said: str = ""  # words beside the action; no rule reads them
    failed: bool = False  # True if the table acted for a player that gave no answer

    @property
    def words(self) -> str:
        """The words of the player, without the reason for a failure."""
        return "" if self.failed else self.said


@sealed(frozen=True, slots=True)
class Outcome:
    """The end of a negotiation; the price is None without a deal."""

    price: int | None
    closer: Role
    round: int

    @property
    def deal(self) -> bool:
        return self.price is not None


class IllegalActionError(ValueError):
    """An action that is not legal in its position."""


@sealed(frozen=True, slots=True)
class Transcript:
    """All turns of a negotiation in order; with hidden limits in the game that was drawn."""

    scenario: Scenario
    opener: Role
    turns: tuple[Turn, ...] = ()

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        opener: Role,
        actions: Sequence[int],
        explored: Sequence[int] = (),
        first_ply: int = 0,
    ) -> Self:
        """Return the negotiation of these actions, which are not checked; see `play_out`."""
        empty, turns, standing = cls(scenario, opener), list[Turn](), None
        for ply, (action, random) in enumerate(zip_longest(actions, explored), first_ply):
            turns.append(empty.turn(ply, standing, action, bool(random)))
            standing = turns[-1].price
        return cls(scenario, opener, tuple(turns))

    def turn(self, ply: int, standing: int | None, action: int, explored: bool) -> Turn:
        """Return an action at a ply, after the price that stands; None stands before the first."""
        role, price = self.opener if ply % 2 == 0 else self.opener.other, standing
        state = NO_STATE if ply else START
        if standing is not None:
            state = self.scenario.state_index(standing, (ply - 1) // 2, role is self.opener)
        if action != self.scenario.accept:
            price = self.scenario.prices[action] if action < self.scenario.accept else None
        said, failed = (action.said, action.failed) if isinstance(action, Spoken) else ("", False)
        return Turn(role, ply // 2, state, operator.index(action), price, explored, said, failed)

    @property
    def nbytes(self) -> int:
        return _TURN * len(self.turns)

    @property
    def over(self) -> bool:
        return bool(self.turns) and self.turns[-1].action >= self.scenario.accept

    @property
    def first_ply(self) -> int:
        """The ply of the first turn: 0 unless it is an offer that no player chose."""
        first = self.turns[0] if self.turns else None
        return 2 * first.round + (first.role is not self.opener) if first else 0

    @property
    def outcome(self) -> Outcome:
        last = self.turns[-1]
        return Outcome(last.price, last.role, last.round)

    def reward(self, role: Role) -> float:
        """The reward of a role at the end, with time costs; 0 without a deal."""
        price = self.turns[-1].price
        return 0.0 if price is None else self.scenario.reward(role, price, self.offer)

    @property
    def offer(self) -> int:
        """The number of the newest offer, from 0; −1 before the first one."""
        return self.first_ply + len(self.turns) - 1 - self.over

    @property
    def gains(self) -> tuple[float, float]:
        """The coins that seller and buyer get by the deal, or would get by the standing offer."""
        price = self.turns[-1].price
        return (0.0, 0.0) if price is None else self.scenario.gains(price, self.offer)

    @property
    def lost_to_time(self) -> float:
        """The share of what there is to divide at the price that the offers before it cost."""
        price = self.turns[-1].price
        whole = 0.0 if price is None else sum(self.scenario.gains(price))
        return 1 - sum(self.gains) / whole if whole > 0 else 0.0

    @property
    def prices(self) -> tuple[int | None, ...]:
        """The price of every turn: offered, or accepted, or None for walking away."""
        return tuple(turn.price for turn in self.turns)

    @property
    def position(self) -> Position | None:
        """The position of the player that must act now; None if the negotiation is over."""
        if self.over:
            return None
        offers = tuple(turn.price for turn in self.turns if turn.price is not None)
        return Position.after(self.scenario, self.opener, offers, self.first_ply, self.heard)

    @property
    def heard(self) -> str:
        """The words of the last turn, if the other side hears them."""
        return self.turns[-1].words if self.scenario.talk and self.turns else ""

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns with one entry per turn; states and actions as labels of the Q-tables."""
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
            **({"said": [turn.words for turn in self.turns]} if scenario.talk else {}),
        }

    def __str__(self) -> str:
        actions = [*self.scenario.prices, *CLOSING]
        return f"{self.opener}: {' '.join(str(actions[turn.action]) for turn in self.turns)}"

    def __repr__(self) -> str:
        return f"<Transcript {self.scenario.name}, {self}>"

    def first(self, turns: int) -> Transcript:
        return self if turns >= len(self.turns) else replace(self, turns=self.turns[:turns])

    def followed_by(self, action: int, explored: bool = False) -> Transcript:
        """Append an action; raises IllegalActionError if it is not legal."""
        position = self.position
        if position is None:
            raise IllegalActionError("the negotiation is over")
        check_legal(position, action)
        ply, standing = position.ply, position.standing_offer
        return replace(self, turns=(*self.turns, self.turn(ply, standing, action, explored)))


def check_legal(position: Position, action: int) -> None:
    legal = position.legal
    if action not in legal:
        raise IllegalActionError(
            f"{position.role}: action {action} is not legal in state"
            f" {position.scenario.state_label(position.state)}; use one of {list(legal)}"
        )


def negotiate(
    scenario: Scenario,
    seller: Player,
    buyer: Player,
    opener: Opener | Role | str | None = None,
    rng: np.random.Generator | None = None,
) -> Transcript:
    """Play one negotiation turn by turn. Hidden limits are drawn first.

    The default opener is the scenario's; for alternating openers it is the seller. Without `rng`
    random numbers come from seed 0. Raises IllegalActionError if a player breaks the rules.
    """
    rng = np.random.default_rng(0) if rng is None else rng
    players = {Role.SELLER: seller, Role.BUYER: buyer}

    def choose(position: Position) -> int:
        action = players[position.role].act(position, rng)
        check_legal(position, operator.index(action))
        return action

    first = Opener.of(scenario.opener if opener is None else opener).role()
    transcript = play_out(draw_limits(scenario, rng), first, choose)
    tell_end((seller, buyer), transcript)
    return transcript


def tell_end(players: Sequence[object], transcript: Transcript) -> None:
    """Tell the end of a negotiation to those of its players, seller first, who listen."""
    for role, player in zip(Role, players, strict=True):
        if isinstance(player, Listener):
            player.ended(transcript, role)


def draw_limits(scenario: Scenario, rng: np.random.Generator) -> Scenario:
    """Return the game of limits that are drawn; the scenario itself if it has no hidden ones."""
    if not scenario.hidden:
        return scenario
    seller, buyer = drawn_pairs(scenario.limits, rng.random((1, 2)))[0].tolist()
    return scenario.drawn(seller, buyer)


def play_out(
    scenario: Scenario,
    opener: Role,
    choose: Callable[[Position], int],
    explored: Sequence[bool] = (),
    first_ply: int = 0,
) -> Transcript:
    """Return the negotiation in which `choose` picks every action; no action is checked.

    `explored` marks, turn by turn, the random explorations; missing entries count as False. If
    `first_ply` is above 0, the first turn is an offer that no player chose, at that ply.
    """
    empty, turns = Transcript(scenario, opener), list[Turn]()
    offers: tuple[int, ...] = ()
    heard = ""
    while True:
        position = Position.after(scenario, opener, offers, first_ply, heard)
        action, n = choose(position), len(turns)
        random = n < len(explored) and bool(explored[n])
        turn = empty.turn(first_ply + n, position.standing_offer, action, random)
        turns.append(turn)
        if turn.price is None or action == scenario.accept:
            return Transcript(scenario, opener, tuple(turns))
        offers, heard = (*offers, turn.price), turn.words if scenario.talk else ""


class Observation(TypedDict):
    """A state and its legal actions, under PettingZoo's names."""

    observation: np.int64  # the row of the agent's own Q-table, 0 … n_states − 1
    action_mask: NDArray[np.int8]  # shape (n_actions,): 1 where the rules allow the action, else 0
    limit: NotRequired[np.int64]
    """With hidden limits, the index of the agent's own in increasing order, from 0."""


def observe(position: Position) -> Observation:
    """Return the observation of the agent that must act."""
    return observation_of(position.scenario, position.role, position.state, position.legal)


def observation_of(
    scenario: Scenario, role: Role, state: int, legal: Sequence[int] = ()
) -> Observation:
    """Return the observation of a state; no action is legal for an agent that need not act."""
    mask = np.zeros(scenario.n_actions, np.int8)
    mask[list(legal)] = 1
    seen: Observation = {"observation": np.int64(state), "action_mask": mask}
    if scenario.origin.hidden:
        seen["limit"] = np.int64(scenario.limit_index(role))
    return seen
