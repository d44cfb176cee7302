"""The reason for a number in a plan."""

import re
from dataclasses import replace

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.ancestry import MAX_EPISODES, Ancestry, Source
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


@pytest.mark.parametrize(
    ("amounts", "since", "first", "last"),
    [
        ((0.5,), 0, "100% of it from one negotiation", "+0.5000 100.0%"),
        ((0.3, 0.1, 0.1), 0, "80% of it from 2 negotiations, all of it from 3", "+0.1000  20.0%"),
        ((0.2, 0.1), 7, "60% of it from 2 negotiations", "negotiation #8, 20,000 are played again"),
        ((), 7, "no negotiation with a deal led here", "+0.5000 100.0%"),
    ],
)
def test_the_first_line_counts_the_negotiations_that_make_most_of_a_value(
    amounts: tuple[float, ...], since: int, first: str, last: str
) -> None:
    model = trained().press(str(SELLER_PLAN), "enter").model
    assert model.latest.ancestry
    sources = tuple(Source(n, 3, 1.0, amount, False) for n, amount in enumerate(amounts))
    rest = 0.5 - sum(amounts)
    made = replace(model.latest.ancestry, value=0.5, since=since, initial=rest, sources=sources)
    lines = why_lines(replace(model, latest=replace(model.latest, ancestry=made)))
    assert lines[0] == f"worth 0.5000: {first}"
    assert last in lines[-1]


def test_other_learners_have_no_reasons() -> None:
    screen = trained(strategies=("learned:wolf-phc", None)).press(str(SELLER_PLAN), "enter")
    assert screen.line("reasons are kept for Q-learning only")
    assert screen.press(str(BUYER_PLAN), "enter").line("Why the buyer")
