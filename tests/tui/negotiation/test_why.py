"""The reason for a number in a plan."""

import re

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.ancestry import MAX_EPISODES, Ancestry
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.layout import BUYER_PLAN, SELLER_PLAN
from negotiation_tui.tui.negotiation.why import why_lines
from tests.support.screen_driver import Screen


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
    assert screen.model.playback is not None
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
