"""The ribbon of games: a column per game, cut as the price divides it. Pure.

It has the games that were shown, and one by the plans after each cycle. Games that the seller
opened stand apart from those that the buyer opened, the first ones at the left. Where there is one
row for each opener, a game is the digit of what the opener got.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.runtime.text import money
from negotiation_tui.tui.toolkit.canvas import Canvas, Rect
from negotiation_tui.tui.widgets.price_bar import FILLS

MOST_GAMES = 2000  # the most games that are kept
_SPOKEN = 12  # the most games of an opener in words
_TALL = 3  # rows of a column from which it is cut; below it a game is one digit
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


class AxisUnit(NamedTuple):
    """The unit of the columns of a ribbon."""

    name: str
    first: int  # the number of the first one
    empty: str  # told in place of the columns if there is no game
    lasts: bool  # true if a game stands until the next one, and the last one at the end, too


BY_CYCLE = AxisUnit("cycle", 1, "no game yet", lasts=True)


class Past(NamedTuple):
    """The games of a training, and what its ribbon is drawn by."""

    games: Sequence[Game]
    coins: int  # what there is to divide: the height of a column
    cycles: int  # of the whole training: the axis has its length at every moment
    per: int  # games per cycle
    theory: tuple[tuple[float, ...], tuple[float, ...]]
    """The coins that the seller gets in theory, if the seller and if the buyer opens."""
    unit: AxisUnit = BY_CYCLE


def draw_ribbon(canvas: Canvas, past: Past, indent: int = 0, margin: int = 0) -> None:
    """Draw the games that each role opened, on the left and right half or on a row each.

    Row 0 has the openers, that of the left half from the column `indent` on. The cycles begin
    `margin` columns or more to the right of where a half begins.
    """
    games = past.games
    by_opener = {role: [game for game in games if game.opener is role] for role in Role}
    canvas.tell("pane", *_words(by_opener))
    ruled = any(game.players == "rules" for game in games)
    if canvas.height < _TALL:
        gets = "gets tenths: " if past.coins > _DIGITS else "gets "
        label = len(f"{Role.SELLER} opens, {gets}")
        for y, (role, played) in enumerate(by_opener.items()):
            canvas.write(y, 1, f"{role} opens, {gets}", str(role))
            line = canvas.subcanvas(Rect(y, label + 1, 1, canvas.width - label - 2))
            _draw_digits(line, played, ruled, past)
        return
    width = canvas.width // 2
    for role, played in by_opener.items():
        half = canvas.subcanvas(Rect(0, role * width, canvas.height, width - 1))
        half.write(0, 0 if role else indent, f" {str(role).upper()} opens ", str(role))
        area = half.rows(1, half.height)
        _draw_columns(area, played, past, past.theory[role], margin)


def axis_of(width: int, past: Past, margin: int) -> int:
    """Return the column of a half before its first cycle, in a ribbon of a width."""
    ruled = any(game.players == "rules" for game in past.games)
    columns = _by_column((), room_of(width, past.coins, margin), ruled, past)[1]
    return width // 2 - 3 - len(columns)


def room_of(width: int, coins: int, margin: int = 0) -> int:
    """Return the number of columns of each half of a ribbon of a width."""
    return width // 2 - 2 - max(len(str(coins)) + 1, margin)


def _by_column(
    games: Sequence[Game], room: int, ruled: bool, past: Past
) -> tuple[list[Game], list[Game | None]]:
    """Return the last games of fixed rules, and the last game of the cycles of each column."""
    rules = [game for game in games if game.players == "rules"][-max(1, min(3, room // 12)) :]
    room = max(1, room - (max(1, min(3, room // 12)) + 1) * ruled)
    last: dict[int, Game] = {}
    rest = [game for game in games if game.players != "rules"]
    cycles = [max(1, -(-game.key[0] // past.per)) for game in rest]
    end = max(past.cycles, *cycles, 1)
    for cycle, game in zip(cycles, rest, strict=True):
        first = (cycle - 1) * room // end
        last |= dict.fromkeys(range(first, max(first + 1, cycle * room // end)), game)
    columns, hold = list[Game | None](), 1 + 2 * room // end * past.unit.lasts
    for x in range(room):  # a game stands until the next one of the same opener
        columns.append(next((last[y] for y in range(x, max(-1, x - hold), -1) if y in last), None))
        if x > max(last, default=0):
            columns[x] = None
    return rules, columns


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


def _draw_columns(
    canvas: Canvas, games: Sequence[Game], past: Past, theory: tuple[float, ...], margin: int
) -> None:
    """Draw the columns with a scale at the left, cycles below, and theory's mark at the end."""
    top, high = str(past.coins), canvas.height - 1
    left = max(len(top) + 1, margin)
    area = canvas.subcanvas(Rect(0, left, high, canvas.width - left - 1))
    canvas.write(0, 0, top, "faint")
    canvas.write(high - 1, 0, "0".rjust(len(top)), "faint")
    ruled = any(game.players == "rules" for game in past.games)
    rules, columns = _by_column(games, area.width, ruled, past)
    begin = area.width - len(columns)
    for y in range(high if ruled else 0):
        area.write(y, begin - 1, "┊", "faint")
    shown, x = [*rules, None, *columns], begin - 1 - len(rules)
    for _, alike in groupby(shown, lambda game: game and (game.price, game.practice, game.gains)):
        game, *others = alike
        if game is not None:
            _draw_game(area, x, 1 + len(others), game, past.coins)
        x += 1 + len(others)
    for level in theory:
        y = high - 1 - max(0, min(high - 1, round(level / max(1, past.coins) * high) - 1))
        canvas.write(y, canvas.width - 1, "▲", "bold")
    if not any(shown):
        area.write(high - 1, begin, past.unit.empty, "faint")
    label, x0 = "rules" if ruled else "", left + begin
    canvas.write(high, max(0, x0 - 1 - len(label)), label[-(x0 - 1) :] if x0 > 1 else "", "faint")
    if ruled:
        canvas.write(high, x0 - 1, "│", "faint")
    free = x0
    step = next(n for n in _steps() if n * len(columns) / max(1, past.cycles) >= 8)
    before, last = past.unit.first - 1, f"{past.unit.first - 1 + past.cycles}"
    for cycle in (1, *range(step, past.cycles, step)):
        text = f"{f'{past.unit.name} ' if cycle == 1 else ''}{before + cycle}"
        x = x0 + (cycle - 1) * len(columns) // max(1, past.cycles)
        if x >= free and x + len(text) < canvas.width - len(last) - 3:
            canvas.write(high, x, text, "faint")
            free = x + len(text) + 1
    canvas.write_right(high, f"{last}  ", "faint")


def _steps() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def _draw_game(canvas: Canvas, x: int, wide: int, game: Game, coins: int) -> None:
    """Draw a game on `wide` columns: the seller's part from the foot on, the buyer's above it."""
    high = canvas.height
    if game.price is None:
        canvas.write(high - 1, x, "·" * wide, "faint")
        return
    seller, buyer = (max(0, round(gain / max(1, coins) * high)) for gain in game.gains)
    parts = {
        Role.SELLER: range(high - seller, high),
        Role.BUYER: range(high - seller - buyer, high - seller),
    }
    for role, rows in parts.items():
        style = f"{role}-range" if game.practice else str(role)
        for y in rows:
            canvas.write(y, x, FILLS[role][not game.practice] * wide, style)


def _draw_digits(canvas: Canvas, games: Sequence[Game], ruled: bool, past: Past) -> None:
    """Draw the last game of fixed rules, then the others; `ruled`: either row has such a game."""
    coins = past.coins
    if not games:
        canvas.write(0, 0, past.unit.empty, "faint")
        return
    x, end = len(_RULES) + 2 if ruled else 0, f"│last {coins}.0" * past.unit.lasts
    rules, columns = _by_column(games, canvas.width - x - len(end), False, past)
    if rules:
        canvas.write_parts(
            0, canvas.write_parts(0, 0, [(_RULES, "faint")]), [_digit(rules[-1], coins)]
        )
    if ruled:
        canvas.write(0, x - 1, "│", "faint")
    for n, game in enumerate(columns):
        if game is not None and game.players != "rules":
            canvas.write_parts(0, x + n, [_digit(game, coins)])
    newest = [game for game in games if game.players != "rules"][-1:]
    if end:
        got = ["·" if game.price is None else money(game.gains[game.opener]) for game in newest]
        canvas.write(0, canvas.width - len(end), end[:6], "faint")
        canvas.write(0, canvas.width - len(end) + 6, "".join(got), "bold")


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
