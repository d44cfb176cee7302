"""The ribbon of the games shown: a column per game, cut as the price divides it."""

import re
from itertools import groupby

import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.ribbon import MOST_GAMES, Game, Past, draw_ribbon, with_game

SCENARIO = Scenario.original()
COINS = 5


def game(
    price: int | None,
    opener: Role = Role.SELLER,
    players: str = "learned",
    practice: bool = False,
    number: int = 1,
) -> Game:
    got = (0.0, 0.0) if price is None else (price, COINS - price)
    return Game((number, 0), False, opener, players, practice, price, got)


def drawn(games: list[Game], height: int = COINS + 2, width: int = 62, cycles: int = 6) -> Canvas:
    """Draw games, each of a cycle of its own."""
    canvas = Canvas(width, height)
    draw_ribbon(canvas, Past(games, COINS, cycles, 1, ((4, 5), (1,))))
    return canvas


def columns(canvas: Canvas, role: Role = Role.SELLER) -> list[str]:
    """Return the columns of the half of an opener, each from its foot up, once if repeated."""
    half = (canvas.width - 2) // 2
    x = role * (half + 1) + 2
    rows = [canvas.line(y)[x : x + half - 3] for y in range(canvas.height - 2, 0, -1)]
    return [each for each, _ in groupby(map("".join, zip(*rows, strict=True)))]


@pytest.mark.parametrize("rows", [5, 10])
@pytest.mark.parametrize("practice", [False, True])
def test_a_column_is_cut_as_the_cake_is(rows: int, practice: bool) -> None:
    seller, buyer = "▒░" if practice else "█▓"
    games = [game(n, practice=practice, number=n) for n in SCENARIO.prices]
    for price, cells in zip(SCENARIO.prices, columns(drawn(games, rows + 2)), strict=False):
        assert cells == seller * cells.count(seller) + buyer * cells.count(buyer)
        assert len(cells) == rows
        assert abs(cells.count(seller) - rows * price / COINS) <= 0.5
    assert columns(drawn([game(None)]))[0].strip() == "·"
    few = Game((1, 0), False, Role.SELLER, "learned", False, 3, (1, 1))  # near limits
    assert columns(drawn([few]))[0].strip() == "█▓", "the rest of the column is nobody's"


def test_a_new_game_leaves_the_columns_of_the_past() -> None:
    games = [game(n % 5 + 1, number=n) for n in range(1, 61)]
    before, after = (columns(drawn(games[:n], width=150, cycles=60)) for n in (40, 41))
    assert after[: len(before) - 1] == before[:-1]
    assert after != before


def test_halves_have_scale_and_theory() -> None:
    canvas = drawn([game(3, players="rules", number=0), game(4), game(2, Role.BUYER)], cycles=50)
    lines = canvas.text().splitlines()
    assert re.fullmatch(r"\s*SELLER opens\s+BUYER opens\s*", lines[0])
    assert [line[0] for line in lines[1:-1]] == ["5", " ", " ", " ", "0"]
    half = (canvas.width - 2) // 2
    marks = [[y for y in range(1, 6) if canvas.line(y)[x] == "▲"] for x in (half - 1, 60)]
    assert marks == [[1, 2], [5]], "the seller's coins, the top row being 5"
    assert "cycle 1" in lines[-1]
    assert "50" in lines[-1]
    empty = drawn([], cycles=50).text().splitlines()
    assert empty[-1].split() == ["cycle", "1", *empty[-1].split()[2:]], "all from the start"


def test_two_rows_have_a_digit_per_game() -> None:
    games = [game(3, players="rules", number=0), game(4), game(None, number=6)]
    canvas = drawn([*games, game(1, Role.BUYER)], 2)
    assert re.fullmatch(r" seller opens, gets rules 3│4+ +·+│last ·\s*", canvas.line(0))
    assert re.fullmatch(r" buyer opens, gets         │4+ +│last 4\s*", canvas.line(1))


def test_both_openers_stay_when_there_are_too_many_games() -> None:
    games: tuple[Game, ...] = ()
    for n in range(MOST_GAMES + 1):
        games = with_game(games, game(3, Role(n % 2)))
    counts = [sum(each.opener is role for each in games) for role in Role]
    assert abs(counts[0] - counts[1]) <= 1


def test_only_some_games_are_kept_with_the_newest() -> None:
    games: tuple[Game, ...] = ()
    for number in range(3 * MOST_GAMES):
        games = with_game(games, game(3, number=number))
    numbers = [each.key[0] for each in games]
    assert len(games) <= MOST_GAMES
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 3 * MOST_GAMES - 1
    assert numbers[0] == 0
