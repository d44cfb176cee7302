"""The game tree of a scenario in the format `.efg`, which Gambit and OpenSpiel read.

Hidden limits are moves of chance at the root; a role's information sets tell its own limit and all
offers. Payoffs are rewards, with time costs. The discount rate of learners is not part of the game.

The format: Gambit's documentation, "The extensive game (.efg) file format".
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count, product
from math import log10

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import KNOWN_LIMIT
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.records import replace
from negotiation_tui.runtime.text import plural

Sets = tuple[dict[tuple[int, int, int], int], dict[tuple[int, int, int], int]]
"""The number of each information set of both roles, by ply, offers so far, and own limit."""
MAX_NODES = 10_000_000  # of a tree that is written; it takes a minute


def tree_size(scenario: Scenario, opener: Role) -> int:
    """Return the number of nodes of the tree: of chance, decisions and ends."""
    return scenario.hidden + sum(_size(game, opener) for game, _ in _games(scenario))


def check_tree(scenario: Scenario, opener: Role) -> int:
    """Return the size of the tree; raise BadInputError if it is above `MAX_NODES`."""
    nodes = tree_size(scenario, opener)
    if nodes > MAX_NODES:
        fits = _most_rounds(scenario, opener)
        hint = f"at most {plural(fits, 'round')} would fit"
        got = f"{nodes:,}" if nodes < 10**15 else f"about 10^{log10(nodes):.0f}"
        name = f"game tree of {scenario.name}"
        raise BadInputError(f"{name}: expected at most {MAX_NODES:,} nodes, got {got}; {hint}")
    return nodes


def tree_lines(scenario: Scenario, opener: Role) -> Iterator[str]:
    """Yield the lines of the tree of the negotiations that `opener` opens, a node each."""
    title = scenario.name.replace("\\", "\\\\").replace('"', '\\"')
    yield f'EFG 2 R "{title}, the {opener} opens" {{ "seller" "buyer" }}\n'
    games, ends = list(_games(scenario)), count(1)
    if scenario.hidden:
        limits = (" and ".join(map(str, game.reservation_values)) for game, _ in games)
        moves = (f'"{name}" {chance}' for name, (_, chance) in zip(limits, games, strict=True))
        yield f'c "" 1 "limits" {{ {" ".join(moves)} }} 0\n'
    sets: Sets = ({}, {})
    for game, _ in games:
        yield from _tree(game, opener, ends, sets)


def _games(scenario: Scenario) -> Iterator[tuple[Scenario, Fraction]]:
    """Yield the game of each pair of limits with its probability."""
    of_role: list[list[Fraction]] = []
    for limits in scenario.limits:
        weights = [Fraction(repr(weight)) for weight in (limits or KNOWN_LIMIT).weights]
        of_role.append([weight / sum(weights) for weight in weights])
    for (seller, one), (buyer, other) in product(*map(enumerate, of_role)):
        if one * other:
            yield scenario.drawn(seller, buyer), one * other


def _size(game: Scenario, opener: Role) -> int:
    """Return the number of decisions and ends of one game.

    After each offer the other role may walk away, and accept if the price is one of its own.
    """
    deals, decisions, nodes = len(game.possible_deals), 1, 1
    for ply in range(2 * game.rounds - 1):
        offers = len(game.offers(_mover(opener, ply)))
        nodes += decisions * (2 * offers + deals)  # each offer, walking away from it, and accepting
        decisions *= offers
    return nodes


def _most_rounds(scenario: Scenario, opener: Role) -> int:
    """Return the most rounds with at most `MAX_NODES` nodes."""
    low, high = 0, scenario.rounds  # the first fits, the last does not
    while high - low > 1:
        rounds = (low + high) // 2
        fits = tree_size(replace(scenario, rounds=rounds), opener) <= MAX_NODES
        low, high = (rounds, high) if fits else (low, rounds)
    return low


def _mover(opener: Role, ply: int) -> Role:
    return opener if ply % 2 == 0 else opener.other


def _tree(game: Scenario, opener: Role, ends: Iterator[int], sets: Sets) -> Iterator[str]:
    """Yield the nodes of one game, each before those that follow it.

    The information sets of a role are numbered from 1, without a gap, as they are met.
    """
    moves = list[tuple[str, str]]()
    for ply in range(2 * game.rounds):
        role = _mover(opener, ply)
        offers = game.offers(role) if ply < 2 * game.rounds - 1 else ()
        closing = ["walk away"] * (ply > 0)
        moves.append((_moves(game, offers, closing), _moves(game, offers, ["accept", *closing])))
    stack: list[tuple[int, int, int] | str] = [(0, 0, -1)]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield f't "" {next(ends)} "" {node}\n'
            continue
        ply, history, standing = node
        role = _mover(opener, ply)
        accepts = standing in game.offers(role)
        key = ply, history, game.limit_index(role)
        number = sets[role].setdefault(key, len(sets[role]) + 1)
        yield f'p "" {role + 1} {number} "" {moves[ply][accepts]} 0\n'
        if ply:
            stack.append("{ 0, 0 }")
        if accepts:
            stack.append(_payoffs(game, standing, ply - 1))
        if ply < 2 * game.rounds - 1:
            earlier = history * game.n_prices
            stack += [(ply + 1, earlier + offer, offer) for offer in reversed(game.offers(role))]


def _moves(game: Scenario, offers: Sequence[int], closing: Sequence[str]) -> str:
    names = [*(f'"{game.prices[offer]}"' for offer in offers), *(f'"{each}"' for each in closing)]
    return f"{{ {' '.join(names)} }}"


def _payoffs(game: Scenario, standing: int, offer: int) -> str:
    price = game.prices[standing]
    seller, buyer = (game.seen_by(role).reward(role, price, offer) for role in Role)
    return f"{{ {seller!r}, {buyer!r} }}"
