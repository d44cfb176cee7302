"""The tree in Gambit's format, read again: values and best responses are those of the solvers."""

import re
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from negotiation_tui import Role, Scenario
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.extensive_form import check_tree, tree_lines, tree_size
from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Opener
from negotiation_tui.runtime.records import replace
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.lotteries import lottery, stack

LINE = re.compile(r'(\w) "" ([\d ]+)(?:"\w*" )?(?:"" )?\{(.*)\}(?: 0)?\n')


class Node(NamedTuple):
    """A node as the file has it: its kind, player (from 1), number, moves and numbers in braces."""

    kind: str
    ids: tuple[int, ...]
    moves: tuple[str, ...]
    numbers: tuple[float, ...]
    after: tuple["Node", ...]


def read(lines: Iterator[str]) -> Node:
    found = LINE.fullmatch(next(lines))
    assert found is not None
    kind, ids, body = found.groups()
    moves = tuple(re.findall(r'"([^"]*)"', body))
    numbers = re.sub(r'"[^"]*"|,', " ", body).split()
    after = tuple(read(lines) for _ in moves)
    values = tuple(float(Fraction(number)) for number in numbers)
    return Node(kind, tuple(map(int, ids.split())), moves, values, after)


class Tree:
    """A tree, and a random player in each seat of it."""

    def __init__(self, scenario: Scenario, opener: Role, rng: np.random.Generator) -> None:
        self.scenario, self.opener = scenario, opener
        lines = tree_lines(scenario, opener)
        assert next(lines).startswith('EFG 2 R "')
        self.root = read(lines)
        assert list(lines) == []
        self.policies, plans = zip(*(stack(scenario, role, rng) for role in Role), strict=True)
        self.chances: dict[tuple[int, ...], list[float]] = {}
        self.sets: dict[tuple[int, ...], list[tuple[Node, tuple[float, float]]]] = defaultdict(list)
        if not scenario.hidden:
            self.visit(self.root, scenario, (), (1.0, 1.0), plans)
        for name, chance, node in zip(*self.root[2:], strict=True) if scenario.hidden else ():
            limits = map(int, name.split(" and "))
            pair = [
                scenario.find_limit(role, each if scenario.limits[role] else None)
                for role, each in zip(Role, limits, strict=True)
            ]
            self.visit(node, scenario.drawn(*pair), (), (chance, chance), plans)

    def visit(
        self,
        node: Node,
        game: Scenario,
        offers: tuple[int, ...],
        reach: tuple[float, float],
        plans: Any,
    ) -> None:
        """Note a node with the chance that all but each role play to it."""
        if node.kind == "t":
            return
        at = Position.after(game, self.opener, offers)
        assert node.ids[0] == at.role + 1
        closing = {"accept": game.accept, "walk away": game.walk_away}
        actions = [closing[m] if m in closing else game.prices.index(int(m)) for m in node.moves]
        assert actions == list(at.legal)
        given = plans[at.role][game.limit_index(at.role)](at)
        chances = [given.get(action, 0.0) for action in actions]
        assert self.chances.setdefault(node.ids, chances) == chances
        self.sets[node.ids].append((node, reach))
        for move, chance, after in zip(node.moves, chances, node.after, strict=True):
            others = (
                (reach[0], reach[1] * chance)
                if at.role is Role.SELLER
                else (reach[0] * chance, reach[1])
            )
            self.visit(
                after, game, offers if move in closing else (*offers, int(move)), others, plans
            )

    def value(self, role: Role, best: bool) -> float:
        """Return the value of the tree to a role that plays its plan, or its best plan."""

        @cache
        def chosen(ids: tuple[int, ...]) -> list[float]:
            nodes = self.sets[ids]
            gains = [
                sum(reach[role] * worth(node.after[n]) for node, reach in nodes)
                for n in range(len(nodes[0][0].moves))
            ]
            return [float(n == int(np.argmax(gains))) for n in range(len(gains))]

        def worth(node: Node) -> float:
            if node.kind == "t":
                return node.numbers[role]
            mine = best and node.ids[0] == role + 1
            chances = (
                node.numbers
                if node.kind == "c"
                else chosen(node.ids)
                if mine
                else self.chances[node.ids]
            )
            return sum(
                chance * worth(after) for chance, after in zip(chances, node.after, strict=True)
            )

        return worth(self.root)


@pytest.mark.parametrize("seed", range(30))
def test_values_are_those_of_solvers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = lottery(rng, 3, 2, known=seed % 3 == 0)
    for opener in Role:
        game = replace(drawn, opener=Opener.of(opener))
        tree = Tree(game, opener, rng)
        seller, buyer = tree.policies
        found = nash_conv(game, seller, buyer, 1.0)
        own = [tree.value(role, best=False) for role in Role]
        best = [tree.value(role, best=True) for role in Role]
        assert found.values == pytest.approx(own, abs=1e-9)
        if found.exact:
            assert found.exploitability == pytest.approx(np.subtract(best, own), abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_the_size_is_that_of_the_file(seed: int) -> None:
    game = lottery(np.random.default_rng(seed), 4, 3)
    for opener in Role:
        lines = list(tree_lines(game, opener))
        assert tree_size(game, opener) == len(lines) - 1
        numbers = {tuple(line.split()[2:4]) for line in lines if line[0] == "p"}
        assert all(int(number) > 0 for _, number in numbers)


def test_too_large_a_tree_names_the_fit() -> None:
    assert check_tree(Scenario.original(), Role.BUYER) == 7_324_216
    with pytest.raises(
        BadInputError, match="10,000,000 nodes, got 98,354,765; at most 4 rounds would fit"
    ):
        check_tree(Scenario.of("hidden"), Role.SELLER)
    assert check_tree(replace(Scenario.of("hidden"), rounds=4), Role.SELLER) <= 10_000_000
    with pytest.raises(BadInputError, match=r"got about 10\^79; at most 2 rounds"):
        check_tree(Scenario.of("patience"), Role.SELLER)
