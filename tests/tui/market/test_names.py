"""Names too long for the screen of a market: they are cut, and still tell one from another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation_tui.game.roles import Role
from negotiation_tui.market.agents import Agent, population
from negotiation_tui.runtime.text import abbreviate, split_width
from negotiation_tui.tui.market.layout import ROOM
from negotiation_tui.tui.market.render import render
from tests.support.market_screen import Screen

SIZES = [(80, 24), (120, 36), (200, 60)]


def named(seller: str, buyer: str, n: int = 12) -> list[Agent]:
    rng = np.random.default_rng(0)
    return [
        *population(Role.SELLER, seller, n, [1, 2, 3], rng),
        *population(Role.BUYER, buyer, n, [5, 4, 3], rng),
    ]


@pytest.mark.parametrize(
    ("name", "width", "cut"),
    [
        ("reinforcement-12", 16, "reinforcement-12"),
        ("reinforcement-12", 12, "reinforc…-12"),
        ("reinforcement-12", 4, "…-12"),
        ("reinforcement-12", 3, "…12"),
        ("north-market-square", 12, "north-m…uare"),
        ("20261231", 4, "…231"),
        ("anna", 0, "…"),
    ],
)
def test_a_name_is_cut_where_its_number_stays(name: str, width: int, cut: str) -> None:
    assert abbreviate(name, width) == cut


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_two_names_share_what_room_there_is(width: int, one: int, other: int) -> None:
    first, second = split_width(width, one, other)
    assert (first + second == width) or (first, second) == (one, other)
    assert first == one or first >= width // 2
    assert second == other or second >= width // 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("length", [1, 12, 39, 84])
def test_every_pair_has_its_price_and_numbers_that_tell_it_apart(
    size: tuple[int, int], length: int
) -> None:
    screen = Screen(*size, agents=named("s" * length, "b" * length)).press("n")
    placed = screen.model.layout().panes[ROOM]  # type: ignore[union-attr]
    room = render(screen.settle()).subcanvas(placed).text()
    meetings = screen.model.played.encounters
    for seller, buyer in zip(meetings.sellers + 1, meetings.buyers + 1, strict=True):
        assert f"-{seller} " in room
        assert f"-{buyer} " in f"{room} ".replace("\n", " ")
    signs = [room.count(sign) for sign in "◀▶×"]
    assert sum(signs) - 3 + room.count("=") // 2 >= len(meetings), "three signs are the tally's"


def test_where_names_do_not_fit_there_are_none() -> None:
    lines = Screen(40, 10, agents=named("s" * 39, "b" * 39, 30)).press("n").text.splitlines()
    assert "◀" in lines[2]
    assert not {"s", "b"} & set("".join(lines[3:7]))
