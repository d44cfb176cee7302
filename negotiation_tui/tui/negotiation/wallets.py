"""Coins per game of each kind of players that were shown: fixed rules, learned, mixed. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Seating, Snapshot
from negotiation_tui.solvers.expected_play import Coins
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.widgets.ribbon import Game
from negotiation_tui.tui.widgets.words import percent

PLAYER_KINDS = "rules", "learned", "mixed"
UNKNOWN = "·"


class Wallet(NamedTuple):
    """The coins of one kind of players per game: exact if both have tables, else as watched."""

    kind: str  # see `seats_kind`
    present: bool  # True if they sit now
    coins: Coins | None  # None unless both have tables
    watched: Sequence[Game]
    openers: Sequence[Role]

    @property
    def deals(self) -> str:
        """The share of games that end in a deal."""
        if self.coins is not None:
            return percent(sum(self.coins.deals[each] for each in self.openers) / len(self.openers))
        return _mean([game.price is not None for game in self.watched], percent)

    def mean(self, role: Role) -> str:
        """The coins of a role, over both openers."""
        if self.coins is not None:
            return _coins(self.coins.mean(role, self.openers))
        return _mean([game.gains[role] for game in self.watched], _coins)

    def opens(self, role: Role) -> str:
        """The coins of a role in the games that it opens."""
        if self.coins is not None:
            return _coins(self.coins.gains[role][role]) if role in self.openers else UNKNOWN
        gains = [game.gains[role] for game in self.watched if game.opener is role]
        return _mean(gains, _coins)

    @property
    def opener(self) -> str:
        """The coins of who opens, over both openers."""
        if self.coins is not None:
            return _coins(self.coins.of_opener(self.openers))
        return _mean([game.gains[game.opener] for game in self.watched], _coins)


def _coins(amount: float) -> str:
    return f"{amount:z.1f}".replace("-", "−")


def _mean(values: Sequence[float], form: Callable[[float], str]) -> str:
    return form(sum(values) / len(values)) if values else UNKNOWN


def seats_kind(seating: Seating) -> str:
    """Return `rules` if fixed rules have both seats, `learned` if learners do, else `mixed`."""
    fixed = sum(strategy is not None for strategy in seating.strategies)
    return PLAYER_KINDS[{2: 0, 0: 1, 1: 2}[fixed]]


def known_coins(before: Mapping[str, Coins], now: Snapshot) -> Mapping[str, Coins]:
    """Add the coins of the present players to those seen before.

    Players without exact coins, and learners that have not begun, have none under their kind.
    """
    coins_of, kind, coins = dict(before), seats_kind(now.seating), now.theory.coins
    if now.theory.rules is not None:
        coins_of.setdefault(PLAYER_KINDS[0], now.theory.rules)
    if now.score is not None:
        return coins_of
    if not now.negotiations:
        coins_of.pop("learned", None)
    if coins is None or not (now.negotiations or kind == PLAYER_KINDS[0]):
        coins_of.pop(kind, None)
    else:
        coins_of[kind] = coins
    return coins_of


def wallets_of(model: Model) -> Iterator[Wallet]:
    """Yield the wallets of fixed rules and of what was learned, then of mixed players, if any."""
    shown, openers = model.pane_snapshot, model.pane_snapshot.opener.roles
    coins_of, present = known_coins(model.coins, shown), seats_kind(shown.seating)
    if model.fixed:
        present = PLAYER_KINDS[0]
    shows = [game for game in model.games if game.number and not game.practice]
    for kind in PLAYER_KINDS:
        watched = [game for game in shows if game.players == kind]
        if kind != "mixed" or kind in coins_of or watched or kind == present:
            yield Wallet(kind, kind == present, coins_of.get(kind), watched, openers)
