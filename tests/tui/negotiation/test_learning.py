"""Curves, wallets and judgement: NashConv, ▲, marks, advice, and reasons for a number."""

import re
from dataclasses import replace

import pytest

from negotiation_tui import Opener, Outcome, Role, Scenario, States
from negotiation_tui.learning.ancestry import MAX_EPISODES
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.runtime.text import coins
from negotiation_tui.solvers.best_response import nash_conv
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN, LEARNING, SELLER_PLAN, WALLETS
from negotiation_tui.tui.negotiation.why import why_lines
from negotiation_tui.tui.widgets.words import percent, signed
from tests.support.game import values_of
from tests.support.screen_driver import STATIC, Screen, Seats, watched
from tests.support.trainings import new_session


def outcome(screen: Screen) -> Outcome:
    """How the next negotiation ends."""
    playback = screen.press("n").settle().model.playback
    ended: Outcome = playback.negotiation.transcript.outcome
    return ended


def test_each_curve_is_of_the_cycles_in_which_its_role_learns() -> None:
    screen = Screen(cycles=8, episodes=6, width=200, height=42).press("7", "z")
    scenario, told = screen.model.snapshot.scenario, list[str]()
    deals, means = list[str](), list[str]()
    for learner in (*Role, *Role):
        ended = [outcome(screen).price for _ in range(6)]
        prices = [price for price in ended if price is not None]
        shares = (sum(scenario.reward(role, price) for price in prices) / 6 for role in Role)
        seller, buyer = map(percent, shares)
        deals.append(percent(len(prices) / 6))
        means.append(f"{sum(prices) / len(prices):.2f}".removesuffix(".00"))
        told.append(f"in practice while {learner} learns  ─ seller {seller}  ┄ buyer {buyer}")
    for name, (seller, buyer) in (("deals in practice", deals[2:]), ("mean price", means[2:])):
        told.append(f"{name}  ─ seller's cycles {seller}  ┄ buyer's cycles {buyer}")
    lines = "\n".join(screen.pane(LEARNING))
    assert all(words in lines for words in told[2:])


@pytest.mark.parametrize(
    ("opener", "theory"),
    [(Opener.SELLER, "theory 4–5"), (Opener.BUYER, "theory 1"), (Opener.ALTERNATE, "theory 2.5–3")],
)
def test_the_price_in_theory_is_marked(opener: Opener, theory: str) -> None:
    screen = Screen(width=120, opener=opener, strategies=(None, "midpoint")).press("c", "7", "z")
    text = "\n".join(screen.pane(LEARNING))
    assert f"mean price, {theory}  " in text
    assert "─ ─ ─ ─" in text


def test_with_hidden_limits_efficiency_is_drawn_below_the_ceiling() -> None:
    pytest.importorskip("scipy")
    screen, wider = (
        Screen("hidden", width=width, height=50).press(*"ccc", "7", "z") for width in (160, 260)
    )
    snapshot = screen.model.snapshot
    last, ceiling = snapshot.reached[-1], snapshot.theory.ceiling
    assert ceiling == pytest.approx(0.952, abs=5e-4)
    text = "\n".join(screen.pane(LEARNING))
    now = f"efficiency {100 * last.efficiency:.0f}%"
    assert f"{now}, undiscounted ceiling 95%" in text
    assert f"{now}, undiscounted ceiling 95%, with waits 96%" in "".join(wider.pane(LEARNING))
    assert "gain by pretending" in text
    rows = [line for line in text.splitlines() if "100% ┤" in line]
    assert "─ ─ ─" in rows[0]
    unknown = replace(snapshot.theory, ceiling=None, ceiling_with_waits=None)
    screen.model = replace(screen.model, here=replace(snapshot, theory=unknown))
    assert "ceiling" not in "".join(screen.pane(LEARNING))


def words(screen: Screen) -> str:
    return " ".join(" ".join(screen.pane(WALLETS)).split())


def test_money_mirrors_while_both_may_gain() -> None:
    screen = Screen(episodes=10).press("3", "z")
    money, gains = 0, [0, 0]
    for _ in range(10):
        price = outcome(screen).price
        if price is not None:
            money += price
            gains = [gains[0] + price, gains[1] + 5 - price]
        assert f"this cycle: seller {signed(money)}, buyer {signed(-money)} " in words(screen)
        assert f"price): {signed(gains[0])}, {signed(gains[1])} " in words(screen)


def test_the_page_of_wallets_has_the_share_of_each() -> None:
    screen = Screen(episodes=10)
    scenario, ends = screen.model.snapshot.scenario, [outcome(screen).price for _ in range(10)]
    prices = [price for price in ends if price is not None]
    shares = [sum(scenario.reward(role, each) for each in prices) / 10 for role in Role]
    seller, buyer, lost = (f"{100 * share:.0f}%" for share in (*shares, 1 - sum(shares)))
    page = words(screen.press("3", "z"))
    assert f"this training cycle: seller {seller}, buyer {buyer}, {lost} lost" in page
    assert f"in all cycles {len(prices)} deals of 10 negotiations" in page
    assert "money per cycle" in page
    assert "gain per cycle" in page


MIXED = "learned:wolf-phc", "learned:sarsa"


@pytest.mark.parametrize(
    ("strategies", "told"),
    [
        ((None, None), "the seller guesses 100% of its moves"),
        ((None, None), "the buyer plays as it knew how to a cycle ago"),
        (("boulware", None), "the seller plays boulware"),
        (STATIC, "nobody learns"),
        (MIXED, "both guess 100% of their moves"),
        (MIXED, "both learn in every cycle"),
    ],
)
def test_the_ways_of_both_players_are_told(strategies: Seats, told: str) -> None:
    screen = Screen(strategies=strategies).press("3", "z")
    assert "guess" not in words(screen), "nothing was played"
    assert told in words(screen.press("n"))


def test_after_the_training_best_play_is_shown() -> None:
    assert "the bar shows best play" in words(Screen(cycles=1).press("3", "z", "c", "n"))


def test_the_gain_still_possible_is_told() -> None:
    screen = Screen().press("c", "c", "3", "z")
    judged = screen.model.snapshot.theory.nash_conv
    assert judged is not None
    total, seller, buyer = (5 * gain for gain in (judged.total, *judged.exploitability))
    told = f"would earn the seller {seller:.2f} more, the buyer {buyer:.2f} more"
    assert told in words(screen)
    assert f"still to gain: {total:.2f} coins together (NashConv)" in words(screen)


def test_nash_conv_is_of_the_tables_as_they_are() -> None:
    screen, seen = Screen(states=States.OPENER_AWARE, width=160), list[float]()
    for keys in ("", *"cccc"):
        scenario, tables = (
            screen.press(*keys).settle().model.pane_snapshot.scenario,
            screen.model.pane_snapshot,
        )
        seller, buyer = (tables.agents[role].policy_in(scenario, role) for role in Role)
        seen.append(nash_conv(scenario, seller, buyer, 0.99).total)
        told = re.search(r"to gain +(?:· +)?(\d+\.\d) ", screen.text())
        assert (told and told[1]) == (f"{5 * seen[-1]:.1f}" if keys else None)
    assert len(set(seen)) > 2
    series = screen.model.snapshot.nash_convs
    assert [value for _, value in series] == seen[1:]
    assert [cycle for cycle, _ in series] == [1, 2, 3, 4]


def test_advice_for_the_position_on_the_bar() -> None:
    wide, narrow = (Screen(width=width, height=50).press("i", *"ccc") for width in (200, 80))
    footer = wide.text().splitlines()[-1]
    for role, best, others in (
        ("buyer", "Accept 1: waiting is worth 3.9, this is 4",
         "in equilibrium: accept 1 · its table: accept 1 (0.8)"),
        ("seller", "Ask 4: accepting is worth 1, this is 4",
         "in equilibrium: ask 4/5 · its table: ask 4 (0.4)"),
    ):  # fmt: skip
        lines = wide.press(".").text().splitlines()
        assert lines[-5].strip() == f"advice for the {role}: {best} · {others}"
        assert lines[-1] == footer
        shown = narrow.press(".").text().splitlines()[-5].strip()
        assert shown.startswith(f"{role}: {best}"), "the rest as far as there is room"
    assert "in equilibrium" not in wide.press("i").text()
    aware = Screen(states=States.OPENER_AWARE, width=200).press("i", *"ccc...")
    assert aware.line("in equilibrium: accept 5 or offer 1 ")


@pytest.mark.parametrize(("prices", "worth"), [(2, "0"), (3, "at most 1")])
def test_advice_tells_the_best_of_several_other_prices(prices: int, worth: str) -> None:
    limits, seats = {"min": 1, "max": prices}, ("midpoint", "boulware")
    of = {"prices": prices, "rounds": 1, "seller": limits, "buyer": limits}
    parameters = Parameters(cycles=1, episodes=1)
    session = new_session(Scenario.from_dict(of), parameters, 7, seats, Opener.SELLER)
    text = watched(session).press("p", "p").tick(3).press("i").text()
    assert f"Ask {prices}: any other price is worth {worth}, this is" in text


def trained(**options: object) -> Screen:
    screen = Screen(recipe="exploring-starts", states="opener-aware", **options)  # type: ignore[arg-type]
    return screen.press(*"ccc")


@pytest.mark.parametrize(("pane", "role"), [(SELLER_PLAN, Role.SELLER), (BUYER_PLAN, Role.BUYER)])
def test_enter_says_which_negotiations_a_number_comes_from_and_goes_there(
    pane: int, role: Role
) -> None:
    screen = trained().press(str(pane), "enter")
    found = screen.model.latest.replies.ancestry
    assert found.entry.role is role
    values = values_of(screen.model.latest.agents[role])
    assert found.value == values[found.entry.state, found.entry.action]
    assert f"worth {coins(5 * found.value)}" in screen.text()
    assert f"Why the {role}" in screen.text()
    source = found.sources[0]
    assert f"#{source.episode + 1:,}" in screen.text()
    assert len(found.sources) < MAX_EPISODES
    parts = re.findall(r"^#.* ([+−]\d\.\d{3}) ", "\n".join(why_lines(screen.model)), re.MULTILINE)
    total = sum(float(part.replace("−", "-")) for part in parts)
    assert total == pytest.approx(5 * found.value, abs=1e-3 * len(parts)), "the parts add up"
    assert screen.press("enter").model.snapshot.negotiations == source.episode + 1
    assert screen.model.modal is None
    assert screen.model.playback.negotiation.transcript.outcome.price == source.price


def test_other_learners_have_no_reasons() -> None:
    screen = trained(strategies=("learned:wolf-phc", None)).press(str(SELLER_PLAN), "enter")
    assert screen.line("reasons are kept for Q-learning only")
    assert screen.press(str(BUYER_PLAN), "enter").line("Why the buyer")
