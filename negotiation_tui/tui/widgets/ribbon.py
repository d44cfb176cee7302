"""The ribbon of games: a column per game, cut as the price divides it. Pure.

It has the games that were shown, and one by the plans after each cycle. Games that the seller
opened stand apart from those that the buyer opened, the first ones at the left. Where there is one
row for each opener, a game is the digit of what the opener got.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.text import money
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.widgets.price_bar import FILLS

MOST_GAMES = 2000  # the most games that are kept
_SPOKEN = 12  # the most games of an opener in words
_TALL = 3  # rows of a column from which it is cut; below it a game is one digit
_NO_GAME = "no game yet"
_RULES = "rules "
_DIGITS = 9  # coins up to which a digit is a number of them, above their tenth part
_WORDS = {"rules": True, "last": False}  # the word for the last game of fixed rules, of others


class Game(NamedTuple):
    """A finished game."""

    key: tuple[int, int]  # the key of the game, or of that after which the plans play it
    sample: bool  # True for one by the plans after a cycle, which was not shown
    opener: Role
    players: str  # their kind: `rules`, `learned` or `mixed`
    practice: bool  # True if somebody learned from it
    price: int | None  # None without a deal
    gains: tuple[float, float]  # what seller and buyer got, in coins

    @classmethod
    def of(
        cls,
        key: tuple[int, int],
        transcript: Transcript,
        players: str,
        practice: bool = False,
        sample: bool = False,
    ) -> "Game":
        price, opener = transcript.outcome.price, transcript.opener
        return cls(key, sample, opener, players, practice, price, transcript.gains)


def with_game(games: tuple[Game, ...], game: Game) -> tuple[Game, ...]:
    """Add a game; from MOST_GAMES on every other one of the older half goes, per opener."""
    if len(games) >= MOST_GAMES:
        half, seen, first = MOST_GAMES // 2, Counter[Role](), list[Game]()
        for old in games[:half]:
            seen[old.opener] += 1
            first += [old] * (seen[old.opener] % 2)
        games = (*first, *games[half:])
    return (*games, game)


def draw_ribbon(canvas: Canvas, games: Sequence[Game], coins: int, indent: int = 0) -> None:
    """Draw the games that each role opened, on the left and right half or on a row each.

    `coins` is what there is to divide: the height of a column. Row 0 has who opens, the left half
    from the column `indent` on.
    """
    by_opener = {role: [game for game in games if game.opener is role] for role in Role}
    canvas.tell("pane", *_words(by_opener))
    if canvas.height < _TALL:
        gets = "gets tenths: " if coins > _DIGITS else "gets "
        label = len(f"{Role.SELLER} opens, {gets}")
        for y, (role, played) in enumerate(by_opener.items()):
            canvas.write(y, 0, f"{role} opens, {gets}".rjust(label), str(role))
            ruled = any(game.players == "rules" for game in games)
            line = canvas.subcanvas(Rect(y, label, 1, canvas.width - label - 1))
            _draw_digits(line, played, ruled, coins)
        return
    width, begins = (canvas.width - 2) // 2, (indent, 0)
    heads = [_heads(role, played) for role, played in by_opener.items()]
    room = [width - x for x in begins]
    forms = range(len(heads[0]))
    form = next((n for n in forms if all(len(heads[r][n]) <= room[r] for r in Role)), forms[-1])
    for role, played in by_opener.items():
        half = canvas.subcanvas(Rect(0, role * (width + 2), canvas.height, width))
        half.write(0, begins[role], heads[role][form], str(role))
        columns = partial(_draw_columns, games=played, coins=coins)
        half.draw(Rect(1, 0, half.height - 1, width), (played, coins), columns)


def _heads(opener: Role, games: Sequence[Game]) -> list[str]:
    """Return headings, ever shorter: who opens, and its coins in the last games of both kinds."""
    name = f"{str(opener).upper()} opens"
    last = {game.players == "rules": money(game.gains[opener]) for game in games}
    gains = [f"{word} {last[each]}" for word, each in _WORDS.items() if each in last]
    both = " ┊ ".join(gains)
    forms = [f"{name} and gets: {both}", f"{name}: {both}", f"{name}: {gains[-1]}"] if gains else []
    return [f" {text} " for text in (*forms, *[name] * (4 - len(forms)))]


def _words(by_opener: Mapping[Role, Sequence[Game]]) -> Iterator[str]:
    """Yield what each opener got, in some of the games: those of a ribbon of a few columns."""
    for role, played in by_opener.items():
        for kind, some in zip((", by fixed rules", ""), _fitting(played, _SPOKEN), strict=True):
            got = ("no deal" if g.price is None else money(g.gains[role]) for g in some)
            if some:
                yield f"{role} opens and gets{kind}: {', '.join(got)}"


def _fitting(games: Sequence[Game], room: int) -> tuple[list[Game], list[Game]]:
    """Return the games of fixed rules, then of the others every so many, with the newest."""
    rules = [game for game in games if game.players == "rules"][-max(1, room // 6) :]
    rest = [game for game in games if game.players != "rules"]
    room = max(1, room - len(rules) - bool(rules))
    every = max(1, -(-len(rest) // room))
    newest = rest[-1:] if len(rest) % every else []
    return rules, [*rest[every - 1 :: every], *newest]


def _draw_columns(canvas: Canvas, games: Sequence[Game], coins: int) -> None:
    if not games:
        canvas.write(canvas.height - 1, 0, f" {_NO_GAME}", "faint")
    rules, rest = _fitting(games, canvas.width)
    for y in range(canvas.height if rules else 0):
        canvas.write(y, len(rules), "┊", "faint")
    for x, game in (*enumerate(rules), *enumerate(rest, len(rules) + bool(rules))):
        _draw_column(canvas, x, game, coins)


def _draw_column(canvas: Canvas, x: int, game: Game, coins: int) -> None:
    """Draw one game: the seller's part from the foot on, the buyer's down to it from the top."""
    high = canvas.height
    if game.price is None:
        canvas.write(high - 1, x, "·", "faint")
        return
    seller, buyer = (max(0, round(gain / max(1, coins) * high)) for gain in game.gains)
    parts = {
        Role.SELLER: range(high - seller, high),
        Role.BUYER: range(high - seller - buyer, high - seller),
    }
    for role, rows in parts.items():
        style = f"{role}-range" if game.practice else str(role)
        for y in rows:
            canvas.write(y, x, FILLS[role][not game.practice], style)


def _draw_digits(canvas: Canvas, games: Sequence[Game], ruled: bool, coins: int) -> None:
    """Draw the last game of fixed rules, then the others; `ruled`: either row has such a game."""
    if not games:
        canvas.write(0, 0, _NO_GAME, "faint")
        return
    x = len(_RULES) + 2 if ruled else 0
    rules, rest = _fitting(games, canvas.width - 1 - x)
    if rules:
        canvas.write(0, 0, _RULES, "faint")
        canvas.write_parts(0, len(_RULES), [_digit(rules[-1], coins)])
        canvas.write(0, x - 1, "│", "faint")
    canvas.write_parts(0, x, (_digit(game, coins) for game in rest))


def _digit(game: Game, coins: int) -> tuple[str, str]:
    """Return what the opener got, in coins or tenths of all coins, and who got more."""
    if game.price is None:
        return "·", "faint"
    seller, buyer = game.gains
    gain = game.gains[game.opener]
    text = str(min(9, max(0, round(gain) if coins <= _DIGITS else int(10 * gain / coins))))
    ahead = Role.SELLER if seller > buyer else Role.BUYER
    style = "normal" if seller == buyer else str(ahead)
    return text, f"{ahead}-range" if game.practice and style != "normal" else style
