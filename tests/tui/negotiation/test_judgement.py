"""Judgement of play on the screen: NashConv, ▲, marked entries, advice."""

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.game.tabulation import tabulate
from negotiation_tui.solvers.best_response import BestResponse, best_response, nash_conv
from negotiation_tui.solvers.subgame_perfect import TieBreak, solve
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tui.negotiation.layout import PRICE
from negotiation_tui.tui.negotiation.panes.advice import WIDE
from tests.support.panes import inside
from tests.support.screen_driver import Screen

RATE = 0.99
SIZES = [(80, 24), (120, 36), (200, 50)]


def q_table(screen: Screen, role: Role) -> NDArray[np.float64]:
    table = screen.model.learned.q_tables[role]
    assert table is not None
    return table


def seats(screen: Screen) -> tuple[TabularPolicy, TabularPolicy]:
    """Both seats as they would play a test."""
    snapshot = screen.model.learned
    seller, buyer = (
        greedy(snapshot.scenario, role, q_table(screen, role))
        if (name := snapshot.strategies[role]) is None
        else tabulate(snapshot.scenario, role, STRATEGIES[name])
        for role in Role
    )
    return seller, buyer


def shown_nash_conv(screen: Screen) -> str:
    found = re.search(r"could still gain (\d\.\d\d) \(NashConv\)", screen.text())
    assert found, screen.text()
    return found[1]


def expected_nash_conv(screen: Screen) -> str:
    found = nash_conv(screen.model.snapshot.scenario, *seats(screen), RATE)
    return f"{found.total:.2f}"


@pytest.mark.parametrize("states", States)
def test_nash_conv_is_of_the_tables_as_they_are(states: States) -> None:
    screen = Screen(states=states, width=160)
    seen = [shown_nash_conv(screen)]
    assert seen[0] == expected_nash_conv(screen), "of untrained tables"
    for _ in range(6):
        screen.press("c").settle()
        seen.append(shown_nash_conv(screen))
        assert seen[-1] == expected_nash_conv(screen)
    assert len(set(seen)) > 3
    series = screen.model.snapshot.nash_convs
    assert [f"{value:.2f}" for _, value in series] == seen[1:]
    assert [cycle for cycle, _ in series] == [1, 2, 3, 4, 5, 6]


def marks(screen: Screen) -> list[int]:
    """The prices above the columns of ▲."""
    lines = inside(screen.model, screen.frame(), PRICE)
    scale = next(line for line in lines if line.split() == [*"12345"])
    foot = next(line for line in lines if "▲" in line and "zone" in line)
    return [int(scale[x]) for x, character in enumerate(foot) if character == "▲"]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_equilibrium_of_who_opens_is_marked(width: int, height: int) -> None:
    screen = Screen(width=width, height=height)
    for _ in range(6):
        screen.press("n").settle()
        playback = screen.model.playback
        assert playback
        opener = playback.negotiation.transcript.opener
        expected = {Role.SELLER: [4, 5], Role.BUYER: [1]}[opener]
        assert marks(screen) == expected
        words = f"▲ theory: {' or '.join(map(str, expected))}"
        heading = inside(screen.model, screen.frame(), PRICE)[1]
        assert heading.endswith(words) == (width >= 100)


def expected_entries(screen: Screen, role: Role) -> dict[tuple[int, int], str]:
    scenario, table = screen.model.snapshot.scenario, q_table(screen, role)
    best_table = best_response(scenario, role, seats(screen)[role.other], RATE).table
    assert best_table is not None
    found = {}
    for state, row in enumerate(table):
        for action, value in enumerate(row):
            best = value > 0 and value == row.max()
            right = "]" if best_table[state, action] else "!"
            found[state, action] = "[" + right if best else "  "
    return found


@pytest.mark.parametrize("states", States)
@pytest.mark.parametrize("key", [["v"], ["v", "v"]])
def test_exactly_the_wrong_entries_are_marked(states: States, key: list[str]) -> None:
    screen = Screen(states=states, width=120, height=60).press(*key)
    kinds = set()
    for cycles in (1, 1, 4):
        screen.press(*"c" * cycles).settle()
        for role in Role:
            shown, expected = screen.entries(role), expected_entries(screen, role)
            assert shown == {place: expected[place] for place in shown}
            kinds |= set(shown.values())
    assert kinds == {"[]", "[!", "  "}


def current(screen: Screen) -> Position | None:
    """The position on the bar, from the turns that are shown."""
    playback = screen.model.playback
    if playback is None or playback.over:
        return None
    last, role = playback.turns[-1], playback.turns[-1].role.other
    mine = [turn.price for turn in playback.turns if turn.role is role]
    opened = playback.negotiation.transcript.opener is role
    scenario = screen.model.snapshot.scenario
    return Position(scenario, role, last.round, mine[-1] if mine else None, last.price, opened)


def in_words(position: Position, actions: list[int], most: int) -> str:
    scenario, few = position.scenario, []
    verb = "ask" if position.role is Role.SELLER else "offer"
    for closing, name in ((scenario.accept, "accept"), (scenario.walk_away, "walk away")):
        if closing in actions:
            few.append(f"accept {position.standing_offer}" if name == "accept" else name)
    prices = [scenario.action_label(a) for a in sorted(set(actions)) if a < scenario.accept]
    written = prices[: max(0, most - len(few))]
    offers = sorted(a for a in set(actions) if a < scenario.accept)
    if 0 < len(written) < len(prices) and offers == list(range(offers[0], offers[-1] + 1)):
        return " or ".join([*few, f"{verb} {prices[0]} to {prices[-1]}"])
    more = "/…" if len(written) < len(prices) or len(few) > most else ""
    return " or ".join([*few, *([f"{verb} {'/'.join(written)}"] if written else [])][:most]) + more


def worth(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"


def sentence(at: Position, response: BestResponse, number: int) -> str:
    """The best moves, and the values that a person would compare."""
    scenario, values, best = at.scenario, response.action_value(at), response.best(at)
    does = in_words(at, best, number)
    does = does[0].upper() + does[1:]
    offers = [a for a in at.legal if a < scenario.accept]
    kinds = {a < scenario.accept for a in best}
    if kinds == {True, False} or set(best) == set(at.legal):
        return f"{does}: each is worth {worth(values[best[0]])}"
    most = worth(values[best[0]])
    rest = [a for a in offers if a not in best]
    at_most = "at most " if len(rest) > 1 else ""
    if scenario.accept in best and not offers:
        instead, less = "walking away is worth", "0.00"
    elif scenario.accept in best:
        instead, less = "waiting is worth", worth(max(values[offers]))
    elif scenario.accept in at.legal:
        instead, less = "accepting is worth", worth(values[scenario.accept])
    else:
        instead, less = f"any other price is worth {at_most}".rstrip(), worth(max(values[rest]))
    this = "this a little more" if less == most else f"this is {most}"
    return f"{does}: {instead} {less}, {this}"


def expected_advice(screen: Screen) -> str:
    at, wide = current(screen), screen.model.width >= WIDE
    if at is None:
        return "advice: nothing to decide until the next offer"
    scenario, role, most = at.scenario, at.role, 2 if wide else 1
    opener = role if at.opened else role.other
    moves = [solve(scenario, opener, RATE, rule).action(at) for rule in TieBreak]
    response = best_response(scenario, role, seats(screen)[role.other], RATE)
    row, legal = q_table(screen, role)[at.state], scenario.legal_actions(at.state, role)
    top = max(row[action] for action in legal)
    table = f"{in_words(at, [a for a in legal if row[a] == top], most)} ({top:.2f})"
    parts = (
        f"{f'advice for the {role}' if wide else role}: {sentence(at, response, most)}",
        f"in equilibrium: {in_words(at, moves, most)}",
        f"its table: {table if row.any() else 'nothing learned here'}",
    )
    return " · ".join(parts)


@pytest.mark.parametrize("states", States)
@pytest.mark.parametrize(("width", "height"), [*SIZES, (80, 24)])
def test_advice_for_the_position_on_the_bar(width: int, height: int, states: States) -> None:
    screen = Screen(width=width, height=height, states=states)
    footer = screen.text().splitlines()[-1]
    screen.press("i", "c", "c", "c")
    for _ in range(12):
        screen.press(".").settle()
        lines = screen.text().splitlines()
        shown, whole = lines[-3].strip(), expected_advice(screen)
        if len(whole) < width:
            assert shown == whole, "above the footer"
        else:
            assert [part for part in shown.split(" · ") if part not in whole] == []
        assert lines[-1] == footer
    assert "in equilibrium" not in screen.press("i").text()


def test_opener_aware_states_name_the_opener() -> None:
    screen = Screen(states=States.OPENER_AWARE, height=60).press("2", "v", "z")
    labels = set(re.findall(r"\b[or][1-5]\.[0-4]", screen.text()))
    assert labels == {f"{seat}{p}.{t}" for seat in "or" for p in range(1, 6) for t in range(5)}
    assert not re.search(r"[ ][1-5]\.[0-4] ", screen.text())
