"""Curves, purses and judgement: NashConv, ▲, marks, advice, and reasons for a number."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from negotiation_tui import Opener, Outcome, Role, States
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.ancestry import MAX_EPISODES, Ancestry
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN, LEARNING, PRICE, PURSES, SELLER_PLAN
from negotiation_tui.tui.negotiation.why import why_lines
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.words import signed
from tests.support.panes import inside
from tests.support.screen_driver import STATIC, Screen


def pane(screen: Screen) -> str:
    """The text of the pane of the curves."""
    return "\n".join(inside(screen.model, screen.frame(), LEARNING))


def outcomes(screen: Screen, n: int) -> Iterator[Outcome]:
    """Play so many negotiations one by one."""
    for _ in range(n):
        screen.press("n").settle()
        yield screen.model.playback.negotiation.transcript.outcome


def test_each_curve_is_of_the_cycles_in_which_its_role_learns() -> None:
    screen = Screen(cycles=8, episodes=6, width=200, height=42).press("5")
    scenario, values = screen.model.snapshot.scenario, {}
    for learner in (*Role, *Role):
        ended = list(outcomes(screen, 6))
        prices = [each.price for each in ended if each.price is not None]
        share = sum(scenario.reward(learner, price) for price in prices) / 6
        values[learner] = share, len(prices) / 6, sum(prices) / len(prices)
    lines = pane(screen) + pane(screen.press("z"))
    for number, name in enumerate(("practice", "deals", "price")):
        line = re.search(rf"\b{name}  .*?(?=   |$)", lines, re.MULTILINE)
        assert line
        expected = [
            f"{values[role][number]:.2f}" if name == "price" else f"{values[role][number]:.0%}"
            for role in Role
        ]
        shown = re.findall(r"(?:seller|buyer)(?:'s cycles)? ([\d.]+(?: %)?)", line[0])
        assert [value.replace(" ", "") for value in shown] == [
            value.removesuffix(".00") for value in expected
        ]


@pytest.mark.parametrize(
    ("opener", "theory"),
    [(Opener.SELLER, "theory 4–5"), (Opener.BUYER, "theory 1"), (Opener.ALTERNATE, "theory 2.5–3")],
)
def test_the_price_in_theory_is_marked(opener: Opener, theory: str) -> None:
    screen = Screen(width=120, opener=opener, strategies=(None, "midpoint")).press("c", "5", "z")
    assert f"mean price, {theory}  " in pane(screen)
    assert "─ ─ ─ ─" in pane(screen)


def test_with_hidden_limits_efficiency_is_drawn_below_the_ceiling() -> None:
    pytest.importorskip("scipy")
    screen, wider = (
        Screen("hidden", width=width, height=50).press(*"ccc", "5", "z") for width in (160, 260)
    )
    snapshot = screen.model.snapshot
    last, ceiling = snapshot.reached[-1], snapshot.ceiling
    assert ceiling == pytest.approx(0.952, abs=5e-4)
    text = pane(screen)
    now = f"efficiency {100 * last.efficiency:.0f} %"
    assert f"{now}, undiscounted ceiling 95 %" in text
    assert f"{now}, undiscounted ceiling 95 %, with waits 96 %" in pane(wider)
    assert "gain by pretending" in text
    rows = [line for line in text.splitlines() if "100 % ┤" in line]
    assert "─ ─ ─" in rows[0]
    unknown = replace(snapshot, ceiling=None, ceiling_with_waits=None)
    screen.model = replace(screen.model, latest=unknown)
    text = pane(screen)
    assert "ceiling" not in text


def purses(screen: Screen) -> Canvas:
    area = screen.model.area_of(PURSES)
    return screen.frame().subcanvas(area)


def words(screen: Screen) -> str:
    return " ".join(purses(screen).text().split())


def test_money_mirrors_and_both_may_gain() -> None:
    screen = Screen(episodes=10, width=120, height=40)
    scenario, prices, gains = screen.model.snapshot.scenario, list[int](), [0, 0]
    for played in range(1, 11):
        screen.press("n").settle()
        price = screen.model.playback.negotiation.transcript.outcome.price
        if price is not None:
            prices.append(price)
            gains = [gains[0] + price, gains[1] + 5 - price]
        lines = purses(screen).text().splitlines()
        amounts = [line.split()[-1] for line in lines if line.lstrip().startswith(("sel", "buy"))]
        money = sum(prices)
        assert amounts == [signed(each) for each in (money, -money, *gains)]
        bars = [line.count("█") + line.count("▒") for line in lines if "er" in line]
        assert bars[0] == bars[1]
        if played == 10:
            assert bars[2:] == sorted(bars[2:], reverse=gains[0] > gains[1])
            assert "▒" in lines[3] or not money
    shares = [sum(scenario.reward(role, each) for each in prices) / 10 for role in Role]
    seller, buyer, lost = (f"{100 * share:.0f} %" for share in (*shares, 1 - sum(shares)))
    page = words(screen.press("4", "z"))
    assert f"in practice this cycle so far: seller {seller}, buyer {buyer}, lost {lost}" in page
    assert f"in all cycles {len(prices)} deals of 10 negotiations" in page
    assert "money per cycle" in page
    assert "gain per cycle" in page


def test_a_screen_without_room_for_the_pane_has_them_on_a_line() -> None:
    screen = Screen(width=80, height=24).press("c")
    money = signed(screen.model.learned.statistics.left_over)
    line = next(line for line in screen.text().splitlines() if line.startswith(" purses"))
    assert f"{money}  buyer" in line
    assert "gain" in line
    assert "1/50" in line


def test_the_players_ways_are_told() -> None:
    screen = Screen().press("4", "z")
    assert "guesses" not in words(screen)
    screen.press("n").settle()
    assert "the seller guesses 100 % of its moves" in words(screen)
    assert "the buyer plays as it knew how to a cycle ago" in words(screen)
    screen = Screen(strategies=("boulware", None)).press("4", "z", "n")
    screen.settle()
    assert "the seller plays boulware" in words(screen)
    screen = Screen(strategies=STATIC).press("4", "z", "n")
    screen.settle()
    assert "nobody learns" in words(screen)
    screen = Screen(cycles=1).press("4", "z", "c", "n")
    screen.settle()
    assert "the bar shows best play" in words(screen)
    both = Screen(strategies=("learned:wolf-phc", "learned:sarsa")).press("4", "z", "n")
    both.settle()
    assert "both guess 100 % of their moves" in words(both)
    assert "both learn in every cycle" in words(both)


def test_the_gain_still_possible_is_told_by_role() -> None:
    screen = Screen().press("c", "c", "4", "z")
    judged = screen.model.snapshot.nash_conv
    assert judged is not None
    seller, buyer = judged.exploitability
    told = f"could still gain {judged.total:.2f} (NashConv): seller {seller:.2f}, buyer {buyer:.2f}"
    assert told in words(screen)


def shown_nash_conv(screen: Screen) -> str:
    found = re.search(r"could still gain (\d\.\d\d)", screen.text())
    assert found, screen.text()
    return found[1]


def expected_nash_conv(screen: Screen) -> str:
    snapshot, policies = screen.model.learned, []
    for role, table in zip(Role, snapshot.q_tables, strict=True):
        policies.append(greedy(snapshot.scenario, role, table))
    return f"{nash_conv(snapshot.scenario, policies[0], policies[1], 0.99).total:.2f}"


def test_nash_conv_is_of_the_tables_as_they_are() -> None:
    screen = Screen(states=States.OPENER_AWARE, width=160)
    seen = [shown_nash_conv(screen)]
    assert seen[0] == expected_nash_conv(screen), "of untrained tables"
    for _ in range(4):
        screen.press("c").settle()
        seen.append(shown_nash_conv(screen))
        assert seen[-1] == expected_nash_conv(screen)
    assert len(set(seen)) > 2
    series = screen.model.snapshot.nash_convs
    assert [f"{value:.2f}" for _, value in series] == seen[1:]
    assert [cycle for cycle, _ in series] == [1, 2, 3, 4]


def marks(screen: Screen) -> list[int]:
    """The prices behind the signs ▲ on the scale."""
    lines = inside(screen.model, screen.frame(), PRICE)
    scale = next(line for line in lines if line.replace("▲", "").split() == [*"12345"])
    return [int(mark[1]) for mark in scale.split() if mark.startswith("▲")]


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 36)])
def test_the_equilibrium_of_who_opens_is_marked(width: int, height: int) -> None:
    screen = Screen(width=width, height=height)
    for _ in range(3):
        screen.press("n").settle()
        playback = screen.model.playback
        opener = playback.negotiation.transcript.opener
        expected = {Role.SELLER: [4, 5], Role.BUYER: [1]}[opener]
        assert marks(screen) == expected
        words = f"▲ theory: {' or '.join(map(str, expected))}"
        heading = inside(screen.model, screen.frame(), PRICE)[1]
        assert heading.endswith(words) == (width >= 100)


def test_advice_for_the_position_on_the_bar() -> None:
    wide, narrow = (Screen(width=width, height=50).press("i", *"ccc") for width in (200, 80))
    footer = wide.text().splitlines()[-1]
    for role, best, others in (
        ("buyer", "Accept 1: waiting is worth 0.78, this is 0.80",
         "in equilibrium: accept 1 · its table: accept 1 (0.15)"),
        ("seller", "Ask 4: accepting is worth 0.20, this is 0.80",
         "in equilibrium: ask 4/5 · its table: ask 4 (0.08)"),
    ):  # fmt: skip
        lines = wide.press(".").text().splitlines()
        assert lines[-4].strip() == f"advice for the {role}: {best} · {others}"
        assert lines[-1] == footer
        shown = narrow.press(".").text().splitlines()[-4].strip()
        assert shown.startswith(f"{role}: {best}"), "the rest as far as there is room"
    assert "in equilibrium" not in wide.press("i").text()


def trained(**options: object) -> Screen:
    screen = Screen(recipe="exploring-starts", states="opener-aware", **options)  # type: ignore[arg-type]
    return screen.press(*"ccc")


def entry(snapshot: Snapshot, role: Role, found: Ancestry) -> float:
    table = snapshot.q_tables[role]
    assert table is not None
    return float(table[found.state, found.action])


def test_enter_says_which_negotiations_a_number_comes_from() -> None:
    screen = trained().press(str(BUYER_PLAN), "enter")
    found = screen.model.latest.ancestry
    assert found is not None
    assert found.role is Role.BUYER
    assert found.value == entry(screen.model.latest, Role.BUYER, found)
    assert f"worth {found.value:.4f}" in screen.text()
    assert "Why the buyer" in screen.text()
    assert f"#{found.sources[0].episode + 1:,}" in screen.text()


def test_enter_again_goes_there() -> None:
    screen = trained().press(str(SELLER_PLAN), "enter")
    found = screen.model.latest.ancestry
    assert found is not None
    screen.press("enter")
    shown = screen.model.snapshot
    assert shown.negotiations == found.sources[0].episode + 1
    assert screen.model.modal is None
    outcome = screen.model.playback.negotiation.transcript.outcome
    assert outcome.price == found.sources[0].price


def test_parts_add_up_on_the_screen() -> None:
    screen = trained().press(str(SELLER_PLAN), "enter")
    found = screen.model.latest.ancestry
    assert found is not None
    assert len(found.sources) < MAX_EPISODES
    parts = re.findall(r"^#.* ([+−]\d\.\d{4}) ", "\n".join(why_lines(screen.model)), re.MULTILINE)
    total = sum(float(part.replace("−", "-")) for part in parts)
    assert total == pytest.approx(found.value, abs=1e-4 * len(parts))


def test_other_learners_have_no_reasons() -> None:
    screen = trained(strategies=("learned:wolf-phc", None)).press(str(SELLER_PLAN), "enter")
    assert screen.line("reasons are kept for Q-learning only")
    assert screen.press(str(BUYER_PLAN), "enter").line("Why the buyer")
