"""Judgement of play on the screen: NashConv, ▲, marks, advice, and reasons for a number."""

import re

import pytest

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.tabular_policy import greedy
from negotiation_tui.learning.ancestry import MAX_EPISODES, Ancestry
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN, PRICE, SELLER_PLAN
from negotiation_tui.tui.negotiation.why import why_lines
from tests.support.panes import inside
from tests.support.screen_driver import Screen


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
