"""Coins per game of each kind of players that were shown: fixed rules, learned, mixed. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.snapshot import Seating, Snapshot
from negotiation_tui.solvers.expected_play import Coins
from negotiation_tui.tui.negotiation.model import Model

PLAYER_KINDS = "rules", "learned", "mixed"
UNKNOWN = "·"


class Wallet(NamedTuple):
    """The coins of one kind of players per game: exact if both have tables, else as watched."""

    kind: str  # see `seats_kind`
    present: bool  # True if they sit now
    watched: int  # number of games that were watched
    games: Sequence[tuple[Role, tuple[float, float], float]]
    """The opener, the coins of both, and 1 for a deal; if exact, the means for each opener."""
    exact: bool  # True if the games are a forecast from the plans

    def mean(self, role: Role) -> str:
        """The coins of a role, over both openers."""
        return _mean([gains[role] for _, gains, _ in self.games], _coins)

    @property
    def source(self) -> str:
        """The origin of the coins: a forecast, or the mean of the games that were watched."""
        return "by plans" if self.exact else f"{self.watched} seen" if self.watched else UNKNOWN

    @property
    def other(self) -> str:
        """The coins of the role that does not open, over both openers."""
        return _mean([gains[opener.other] for opener, gains, _ in self.games], _coins)

    @property
    def opener(self) -> str:
        """The coins of the opener, over both openers."""
        return _mean([gains[opener] for opener, gains, _ in self.games], _coins)


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
    coins_of = known_coins(model.coins if model.in_present else {}, shown)
    present = seats_kind(shown.seating)
    shows = [game for game in model.games_shown if not (game.sample or game.practice)]
    for kind in PLAYER_KINDS:
        learned = shown.negotiations or kind != "learned"  # a guess has earned nothing
        watched = [game for game in shows if game.players == kind] if learned else []
        if kind == "mixed" and not (kind in coins_of or watched or kind == present):
            continue
        if (exact := coins_of.get(kind)) is not None:
            seller, buyer = exact.gains
            games = [(each, (seller[each], buyer[each]), exact.deals[each]) for each in openers]
        else:
            games = [(game.opener, game.gains, game.price is not None) for game in watched]
        yield Wallet(kind, kind == present, len(watched), games, exact is not None)
