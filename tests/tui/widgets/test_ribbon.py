"""The ribbon of the games shown: a column per game, cut as the price divides it."""

import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.ribbon import MOST_GAMES, Game, draw_ribbon, with_game

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


def drawn(
    games: list[Game], height: int = COINS + 1, width: int = 62, coins: int = COINS
) -> Canvas:
    canvas = Canvas(width, height)
    draw_ribbon(canvas, games, coins)
    return canvas


def column(canvas: Canvas, x: int) -> str:
    """Return the cells of a column, from its foot up."""
    return "".join(canvas.line(y)[x] for y in range(canvas.height - 1, 0, -1)).rstrip()


@pytest.mark.parametrize("rows", [3, 5, 10])
@pytest.mark.parametrize("practice", [False, True])
def test_a_column_is_cut_as_the_cake_is(rows: int, practice: bool) -> None:
    seller, buyer = "▒░" if practice else "█▓"
    canvas = drawn([game(price, practice=practice) for price in SCENARIO.prices], rows + 1)
    for x, price in enumerate(SCENARIO.prices):
        cells = column(canvas, x)
        assert cells == seller * cells.count(seller) + buyer * cells.count(buyer)
        assert len(cells) == rows
        assert abs(cells.count(seller) - rows * price / COINS) <= 0.5
    assert column(drawn([game(None)]), 0) == "·"
    few = Game((1, 0), False, Role.SELLER, "learned", False, 3, (1, 1))  # near limits
    assert column(drawn([few]), 0) == "█▓", "the rest of the column is nobody's"


def test_rules_come_first_in_the_half_of_each_opener() -> None:
    games = [game(5), game(1, Role.BUYER), game(3, players="rules"), game(None)]
    for width, name, both in (
        (58, "{} opens", ""),
        (80, "{} opens", "rules 3 ┊ "),
        (104, "{} opens and gets", "rules 3 ┊ "),
    ):
        half = width // 2 + 1
        canvas = drawn(games, width=width)
        first, second = canvas.line(0)[:half], canvas.line(0)[half:]
        assert first.strip() == f"{name.format('SELLER')}: {both}last 0"
        assert second.strip() == f"{name.format('BUYER')}: last 4"
    columns = [column(canvas, x) for x in range(5)]
    assert columns == ["███▓▓", "┊" * COINS, "█" * COINS, "·", ""]
    assert column(canvas, half) == "█▓▓▓▓"


def test_a_new_game_leaves_the_columns_of_the_past() -> None:
    games = [game(n % 5 + 1) for n in range(60)]
    before, after = (drawn(games[:n], 5, width=42) for n in (59, 60))
    assert [column(before, x) for x in range(19)] == [column(after, x) for x in range(19)]


def test_both_openers_stay_when_there_are_too_many_games() -> None:
    games: tuple[Game, ...] = ()
    for n in range(MOST_GAMES + 1):
        games = with_game(games, game(3, Role(n % 2)))
    counts = [sum(each.opener is role for each in games) for role in Role]
    assert abs(counts[0] - counts[1]) <= 1


def test_two_rows_have_a_digit_per_game() -> None:
    games = [game(3, players="rules"), game(4), game(None), game(1, Role.BUYER)]
    canvas = drawn(games, 2)
    assert canvas.line(0).strip() == "seller opens, gets rules 3│4·"
    assert canvas.line(1).strip() == "buyer opens, gets         4"
    x = canvas.line(0).index("3")
    styles = [canvas.style_at(0, x), canvas.style_at(0, x + 2), canvas.style_at(1, x + 2)]
    assert styles == ["seller", "seller", "buyer"], "who got more"
    hundred = [
        Game((1, 0), False, Role.SELLER, "learned", False, 20 + got, (got, 60 - got))
        for got in (0, 60)
    ]
    assert drawn(hundred, 2, coins=60).line(0).strip() == "seller opens, gets tenths: 09"


@pytest.mark.parametrize("height", [2, 8])
def test_many_games_are_an_even_choice_with_the_newest(height: int) -> None:
    rules = [game(3, players="rules")] * 40
    learned = [game(1 + n * 5 // 400) for n in range(400)]
    canvas = drawn([*rules, *learned], height)
    text = canvas.line(0)[19:] if height == 2 else canvas.line(height - 1)[:30]
    assert len(text.rstrip()) >= 23
    if height == 2:
        _, _, rest = text.partition("│")
        assert "".join(sorted(rest.strip())) == rest.strip(), "in their order"
        assert {*rest.strip()} == {*"12345"}
    else:
        assert column(canvas, 29) == "█" * 7, "the newest"


def test_the_newest_game_is_in_sight_after_any_number() -> None:
    for number in range(1, 100):
        canvas = drawn([*[game(5)] * (number - 1), game(None)], width=22)
        assert canvas.line(COINS)[:10].rstrip().endswith("·"), number


def test_only_some_games_are_kept_with_the_newest() -> None:
    games: tuple[Game, ...] = ()
    for number in range(3 * MOST_GAMES):
        games = with_game(games, game(3, number=number))
    numbers = [each.key[0] for each in games]
    assert len(games) <= MOST_GAMES
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 3 * MOST_GAMES - 1
    assert numbers[0] == 0
