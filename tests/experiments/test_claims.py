"""Claims of the literature: published and own figures by other ways, and how they are told."""

import json
import re
import sys
from fractions import Fraction
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation_tui import Role, Strategy, strategy
from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.experiments.claims import CLAIMS, alternating_offers, delay, one_offer
from negotiation_tui.experiments.claims.alternating_offers import EQUAL_RATES, UNEQUAL
from negotiation_tui.experiments.claims.buyers_role import MIRROR, MIRRORED
from negotiation_tui.experiments.claims.claim import RUNS, SEED, no_change
from negotiation_tui.game.negotiation import Position, play_out
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from negotiation_tui.players.resolve import player_from_spec
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.solvers import payoffs
from negotiation_tui.solvers.best_response import nash_conv
from tests.support.cli import Captured, printed, status_of
from tests.support.game import game, some
from tests.support.paths import DOCS

ORIGINAL = Scenario.original()
scipy = pytest.mark.skipif(not find_spec("scipy"), reason="needs scipy")


def told(capsys: Captured, *words: str) -> list[dict[str, Any]]:
    claims = json.loads(printed(capsys, "reproduce", *words, "--json"))["claims"]
    assert isinstance(claims, list)
    return claims


def ceiling_by_hand(n: int) -> Fraction:
    """The ceiling as a share of first best, with the limits 0 … n − 1 on both sides.

    A buyer of limit j is worth 2j − n + 1 to the budget after its rent, a seller of limit k costs
    2k. So a pair with j − k = d, of which there are n − d, gains d and leaves 2d − n + 1, and what
    all leave must not be below 0. The pairs that leave most for their gain, those with the greatest
    d, trade first, and the last of them by chance.
    """
    budget, gained = 0, Fraction(0)
    for d in range(n - 1, 0, -1):
        left, pairs = 2 * d - n + 1, n - d
        share = Fraction(1) if left >= 0 else min(Fraction(1), Fraction(budget, -left * pairs))
        gained += share * d * pairs
        budget += int(left * pairs) if share == 1 else -budget
    return gained / sum(d * (n - d) for d in range(n))


@scipy
def test_the_ceiling_with_11_limits_is_10_11(capsys: Captured) -> None:
    (claim,) = told(capsys, "ceiling")
    assert ceiling_by_hand(11) == Fraction(10, 11)
    for n in (11, 25, 50):
        assert claim["figures"][f"limits_{n}"] == pytest.approx(float(ceiling_by_hand(n)), abs=1e-9)
    assert claim["figures"]["continuum"] == pytest.approx(27 / 32, abs=5e-4)
    assert float(ceiling_by_hand(2000)) == pytest.approx(27 / 32, abs=5e-4)
    assert claim["verdict"] == "agrees"
    assert "0.9091 with 11" in claim["ours"]


def test_without_scipy_the_ceiling_cannot_be_told(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    payoffs.ceiling.cache_clear()
    for name in ("scipy", "scipy.optimize", "scipy.sparse"):
        monkeypatch.setitem(sys.modules, name, None)
    (claim,) = told(capsys, "ceiling")
    assert claim["verdict"] == "cannot be told"
    assert 'pip install ".[theory]"' in claim["reason"]


def one_offer_by_hand(n: int, best: Any) -> Fraction:
    """The share of first best if each seller makes its best ask, `best` of equally good ones."""
    gained = 0
    for k in range(n):
        worth = {p: (p - k) * (n - p) for p in range(k, n)}
        asked = best(p for p in worth if worth[p] == max(worth.values()))
        gained += sum(j - k for j in range(asked, n))
    return Fraction(gained, sum(d * (n - d) for d in range(n)))


def test_one_offer_with_11_limits_reaches_3_4_to_9_11(capsys: Captured) -> None:
    (claim,) = told(capsys, "one-offer")
    least, most = one_offer_by_hand(11, max), one_offer_by_hand(11, min)
    assert (least, most) == (Fraction(3, 4), Fraction(9, 11))
    for role in Role:
        assert claim["figures"][f"{role}_offers_least"] == pytest.approx(float(least))
        assert claim["figures"][f"{role}_offers_most"] == pytest.approx(float(most))
    assert claim["figures"]["continuum"] == pytest.approx(3 / 4, abs=5e-4)
    for best in (min, max):
        assert float(one_offer_by_hand(400, best)) == pytest.approx(3 / 4, abs=3e-3)
    assert claim["verdict"] == "agrees"
    for opener in Role:
        assert [found.total for found in one_offer.extremes(11, opener)] == [0, 0]


SMALL = game(
    2,
    2,
    name="small",
    opener="seller",
    delta=0.9,
    seller={"reservation": 0},
    buyer={"limits": [1, 2], "weights": [1, 3]},
)
Table = tuple[int, ...]


def all_tables(game: Scenario, role: Role, states: range) -> list[Table]:
    return [*product(*(game.legal_actions(state, role) for state in states))]


@cache
def played(limit: int, seller: Table, buyer: Table) -> tuple[float, float, delay.Deal]:
    """The returns of both, and the deal: by a negotiation."""
    game = SMALL.drawn(0, limit)

    def choose(at: Position) -> int:
        return seller[at.state] if at.role is Role.SELLER else buyer[at.state - 1]

    transcript = play_out(game, Role.SELLER, choose)
    price, number = transcript.outcome.price, len(transcript.turns) - 2
    if price is None:
        return 0.0, 0.0, delay.NEVER
    one, other = (0.9**number * game.reward(role, price) for role in Role)
    return one, other, (number, game.prices.index(price))


P = SMALL.n_prices
SELLERS = all_tables(SMALL, Role.SELLER, range(START, P + 1))
STRONG, WEAK = (all_tables(SMALL.drawn(0, k), Role.BUYER, range(1, 2 * P + 1)) for k in (0, 1))


Equilibrium = tuple[Table, Table, Table]  # of the seller, the strong and the weak


@cache
def answers_best(limit: int, seller: Table, buyer: Table) -> bool:
    """True if a buyer answers the opening best, and its last answers lose nothing."""
    view = SMALL.views[Role.BUYER][limit]
    for price, action in zip(SMALL.prices, buyer[P:], strict=True):
        if view.reward(Role.BUYER, price) > 0 and action != SMALL.accept:
            return False
    most = max(played(limit, seller, each)[1] for each in (STRONG, WEAK)[limit])
    return played(limit, seller, buyer)[1] >= most - 1e-12


def replies_best(seller: Table, *buyers: Table) -> bool:
    """True if each reply is best by Bayes' rule, or else for some of 101 beliefs."""
    for offer in range(P):
        chosen = [n * (each[seller[0]] == offer) for n, each in zip((1, 3), buyers, strict=True)]
        beliefs = [(n / 100, 1 - n / 100) for n in range(101)]
        if SMALL.prices[offer] > 1:  # beyond the limit of the strong
            beliefs = [(0, 1)]
        if any(chosen):
            beliefs = [(chosen[0] / sum(chosen), chosen[1] / sum(chosen))]
        taken = [[each[P + n] == SMALL.accept for each in buyers] for n in range(P)]
        found = []
        for one, other in beliefs:
            worth = [
                0.81 * SMALL.prices[n] * (one * a + other * b) for n, (a, b) in enumerate(taken)
            ]
            worth += [0.9 * SMALL.prices[offer], 0]
            found.append(worth[seller[1 + offer]] >= max(worth) - 1e-12)
        if not any(found):
            return False
    return True


def gained(seller: Table, one: Table, other: Table) -> float:
    return (played(0, seller, one)[0] + 3 * played(1, seller, other)[0]) / 4


@cache
def continued() -> list[Equilibrium]:
    """Tables that are an equilibrium after the opening: compared with all others, in each state."""
    return [
        (seller, one, other)
        for seller, one, other in product(SELLERS, STRONG, WEAK)
        if answers_best(0, seller, one) and answers_best(1, seller, other)
        if replies_best(seller, one, other)
    ]


def test_outcomes_are_those_of_all_negotiations() -> None:
    least = max(min(gained(*each) for each in continued() if each[0][0] == n) for n in range(P))
    assert delay.deal_pairs(SMALL) == {
        (played(0, seller, one)[2], played(1, seller, other)[2])
        for seller, one, other in continued()
        if gained(seller, one, other) >= least - 1e-12
    }


def test_delay_cannot_be_told_because_outcomes_differ(capsys: Captured) -> None:
    (claim,) = told(capsys, "delay")
    figures = claim["figures"]
    parts = [figures[name] for name in ("later", "never", "same", "sooner")]
    assert sum(parts) == figures["outcomes"] == 11
    assert figures["sooner"] == 0 < min(parts[:3])
    told_there = f"of {sum(parts)} outcomes later in {parts[0]}, never in {parts[1]}"
    assert told_there in (DOCS / "findings.md").read_text(encoding="utf-8")
    assert claim["verdict"] == "cannot be told"


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ([((2, 1), (0, 1)), (delay.NEVER, (0, 1))], "agrees"),
        ([((2, 1), (0, 1)), ((0, 1), (0, 1))], "cannot be told"),
        ([((0, 1), (0, 1))], "differs"),
        ([((0, 1), (1, 1)), ((2, 1), (0, 1))], "differs"),
    ],
)
def test_the_claim_of_delay_can_fail(outcomes: list[delay.DealPair], verdict: str) -> None:
    assert delay.answer(outcomes).verdict == verdict


@pytest.mark.parametrize("pair", [(each, each) for each in EQUAL_RATES] + [*UNEQUAL])
def test_rubinstein_without_a_deadline(pair: tuple[float, float]) -> None:
    """Each leaves the other as much as that one's own offer, a period later, is worth to it."""
    one, other = (alternating_offers.published_share(*each) for each in (pair, pair[::-1]))
    assert 1 - one == pytest.approx(pair[1] * other)
    assert alternating_offers.left_by_deadline(*pair, rounds=1) == pytest.approx(1 - one)
    found = alternating_offers.exact(*pair)
    assert found == pytest.approx(one + alternating_offers.left_by_deadline(*pair), abs=0.01)


HASTY = (DOCS / "my_strategy.py").read_text(encoding="utf-8")
"""A strategy that concedes; `step` becomes that of one role alone."""


def earned(spec: str, role: Role) -> float:
    player, found, game = player_from_spec(spec), [], MIRROR
    for name in MIRRORED:
        pair = [some(strategy(name).tabulated(game, each)) for each in Role]
        assert isinstance(player, Strategy)
        pair[role] = some(player.tabulated(game, role))
        found.append(nash_conv(game, pair[0], pair[1], MIRROR.discount()).values[role])
    return float(np.mean(found))


@pytest.mark.parametrize(("role", "verdict"), [("BUYER", "agrees"), ("SELLER", "differs")])
def test_a_player_that_hurries_in_one_role(capsys: Captured, role: str, verdict: str) -> None:
    text = HASTY.replace("self.step *", f"(3 if role is Role.{role} else 0) *")
    assert text != HASTY
    Path("hasty.py").write_text(text, encoding="utf-8")
    (claim,) = told(capsys, "buyers-role", "--player", "hasty.py")
    assert claim["verdict"] == verdict
    expected = earned("hasty.py", Role.SELLER) - earned("hasty.py", Role.BUYER)
    assert claim["figures"]["buyer_less_seller"] == pytest.approx(expected)
    assert claim["ours"].endswith(", exact")


@pytest.mark.parametrize("name", OPPONENTS)
def test_the_game_is_a_mirror(name: str) -> None:
    """What opponents earn from each other does not depend on the role, so nor do best replies."""
    assert {*MIRRORED} == {*OPPONENTS} - {"midpoint"}
    if name in MIRRORED:
        assert earned(name, Role.SELLER) == pytest.approx(earned(name, Role.BUYER))
    else:
        assert earned(name, Role.SELLER) != pytest.approx(earned(name, Role.BUYER))


@pytest.mark.skipif(sys.platform == "win32", reason="no sh")
@pytest.mark.parametrize("generous", [0, 1])
def test_a_program_has_an_interval(capsys: Captured, generous: int) -> None:
    """A mirrored program, and one that offers a price more as the buyer: 0 is not excluded."""
    text = (DOCS / "players" / "hardliner.sh").read_text(encoding="utf-8")
    best = "*) best=$low"
    assert best in text
    Path("hard.sh").write_text(text.replace(best, f"*) best=$((low + {generous}))"))
    assert status_of("reproduce", "buyers-role", "--player", "cmd:sh hard.sh", "--json") == 0
    out, err = capsys.readouterr()
    assert re.fullmatch(
        r"about \d+ to 1,\d+ questions without talk, in at most 10 min \(--minutes\)\n", err
    )
    (claim,) = json.loads(out)["claims"]
    figures = claim["figures"]
    assert figures["buyer_less_seller"] >= 0
    assert (figures["buyer_less_seller"] > 0) == bool(generous)
    assert figures["buyer_less_seller"] < figures["error"]
    assert claim["verdict"] == "cannot be told"
    assert " ± " in claim["ours"]


@pytest.mark.slow
def test_wallets_and_distances_are_those_of_trainings_that_stop_on_the_way(
    capsys: Captured,
) -> None:
    episodes, stability = (told(capsys, name)[0]["figures"] for name in ("episodes", "stability"))
    left, conv = np.zeros((RUNS, 2)), np.zeros((RUNS, 2))
    for n in range(RUNS):
        for first in Role:
            short = Parameters(episodes=25)
            training = ConcurrentTraining(ORIGINAL, short, SEED + n, train_agent=first)
            training.run()
            left[n, first] = training.statistics.wallets[-1, Role.SELLER]
        training = ConcurrentTraining(ORIGINAL, seed=SEED + n, backend=fastest_backend())
        for k, cycles in enumerate((10, 40)):
            training.run(cycles)
            now = nash_conv_of(training)
            assert now
            conv[n, k] = now.total
    assert episodes["last_cycle_seller_wallet_25"] == pytest.approx(-np.diff(left).mean())
    assert [stability["nash_conv_10"], stability["nash_conv_50"]] == pytest.approx(conv.mean(0))
    change = np.diff(conv)
    error = 2.000995 * change.std(ddof=1) / RUNS**0.5  # Student's quantile, 59 degrees of freedom
    assert [stability["change"], stability["error"]] == pytest.approx([change.mean(), error], 1e-4)


@pytest.mark.parametrize(("change", "said"), [(3.0, "cannot be told"), (-5.0, "differs")])
def test_that_nothing_changes_can_be_refuted_but_not_proved(change: float, said: str) -> None:
    assert no_change(Estimate(change, 4.0)) == said


def test_the_list_has_every_claim_with_its_source(capsys: Captured) -> None:
    text = " ".join(printed(capsys, "reproduce", "--list").split())
    for claim in CLAIMS.values():
        assert f"{claim.name}: {claim.source}" in text
        assert claim.published in text
    assert [each["name"] for each in told(capsys, "--list")] == [*CLAIMS]


@pytest.mark.slow
def test_all_are_told_with_a_reason(capsys: Captured) -> None:
    lines = printed(capsys, "reproduce", "all", "--runs", "2").splitlines()
    assert max(map(len, lines)) <= 96
    text, claims = " ".join(" ".join(lines).split()), told(capsys, "all", "--runs", "2")
    assert [each["name"] for each in claims] == [*CLAIMS]
    for each in claims:
        for key in ("published", "ours", "reason"):
            assert " ".join(each[key].split()) in text
        assert f"{each['name']} {each['source']} {each['verdict']}" in text
    (claim,) = (each for each in claims if each["name"] == "alternating-offers")
    assert claim["verdict"] == "agrees"
    for line in (DOCS / "time.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| with 100 rounds |"):
            for rate, share in zip(EQUAL_RATES, line.split("|")[2:], strict=False):
                assert f"{rate:g}: {share.strip()}" in claim["ours"]
    for name in alternating_offers.SUITED:
        assert 0.45 < claim["figures"][f"{name}_mean"] < 0.6, "an equilibrium: 0.50 or 0.55"
