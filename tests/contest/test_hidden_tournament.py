"""A tournament on a scenario with hidden limits: its columns, counted again one by one."""

from pathlib import Path

import pytest

from negotiation_tui.contest.tournament import StrategyContest, last_game, limits_of, spe_price
from negotiation_tui.game.negotiation import Transcript, negotiate
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.result_file import Row
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import strategy
from tests.support.contests import pairing_row

HIDDEN = Scenario.with_hidden_limits()
WEIGHTED = Scenario.of(
    {
        "prices": 6,
        "rounds": 3,
        "seller": {"limits": [0, 3, 5], "weights": [1, 0, 2]},
        "buyer": {"limits": [2, 4, 7]},
    }
)
FEW = ("boulware", "midpoint", "tit-for-tat")
"""None of them draws a random number; tit-for-tat is played turn by turn."""
MET = [
    pytest.param(seller, buyer, marks=[pytest.mark.slow] * ("midpoint" in {seller, buyer}))
    for seller in FEW
    for buyer in ("boulware", "midpoint")
]
"""Pairs; for midpoint the compiled loop is another, which takes seconds to compile."""


N = 41
"""Negotiations of a pairing that is counted again."""


def pairing(scenario: Scenario, seller: str, buyer: str, seed: int = 0) -> Run:
    return Run.by_recipe(scenario, "published", seed, (seller, buyer))


def negotiations(job: Run) -> list[Transcript]:
    """All negotiations of a pairing without chance, one by one, the seller's openings first."""
    drawn = limits_of(job).pairs(0, N).tolist()
    seller, buyer = map(strategy, job.players)
    players = ready_players(job.scenario, seller, buyer)
    halves = (Role.SELLER, -(-N // 2)), (Role.BUYER, N // 2)
    return [
        negotiate(job.scenario.drawn(*pair), *players, opener)
        for opener, n in halves
        for pair in drawn[:n]
    ]


def recounted(job: Run) -> Row:
    """The row, from its definitions in docs/tournament.md."""
    played = negotiations(job)
    games = [each.scenario for each in played]
    deals = [
        (each.scenario, each.opener, each.outcome.price, each.outcome.round) for each in played
    ]
    made = [(g, o, price, r) for g, o, price, r in deals if price is not None]
    could = [g for g in games if set(g.offers(Role.SELLER)) & set(g.offers(Role.BUYER))]
    known = [(p, spe_price(game, o)) for game, o, p, _ in made]
    gaps = [abs(price - expected) for price, expected in known if expected is not None]
    gains = [sum(game.reward(role, price) for game, _, price, _ in made) for role in Role]
    first_best = sum(max(0, g.limit(Role.BUYER) - g.limit(Role.SELLER)) for g in could)
    return {
        "possible": len(could),
        "efficiency": sum(gains) * job.scenario.width / first_best,
        "deals": len(made),
        "deal_share": len(made) / len(could),
        "mean_price": sum(price for _, _, price, _ in made) / len(made),
        "reward_seller": gains[0] / len(played),
        "reward_buyer": gains[1] / len(played),
        "share_seller": gains[0] / sum(gains),
        "share_buyer": gains[1] / sum(gains),
        "mean_rounds": sum(r + 1 for *_, r in made) / len(made),
        "spe_gap": sum(gaps) / len(gaps),
    }


@pytest.mark.parametrize("scenario", [HIDDEN, WEIGHTED], ids=["hidden", "weighted"])
@pytest.mark.parametrize(("seller", "buyer"), MET)
def test_a_row_is_that_of_its_negotiations(scenario: Scenario, seller: str, buyer: str) -> None:
    job = pairing(scenario, seller, buyer, 5)
    row = pairing_row(job, N)
    assert {name: row[name] for name in recounted(job)} == pytest.approx(recounted(job))
    assert row["sample"] == str(negotiations(job)[-1])
    assert last_game(job, N) == negotiations(job)[-1].scenario


def test_all_pairs_and_both_openers_meet_the_same_limits() -> None:
    jobs = StrategyContest.of(HIDDEN, FEW[::2], seed=2).jobs
    rows = [pairing_row(job, 60) for job in jobs]
    assert len({row["possible"] for row in rows}) == 1
    assert rows[0]["possible"] % 2 == 0
    drawn = [limits_of(pairing(HIDDEN, *FEW[:2], seed)).pairs(0, 30) for seed in (2, 3)]
    assert (drawn[0] != drawn[1]).any()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_the_columns_of_hidden_limits_are_saved(suffix: str, tmp_path: Path) -> None:
    contest = StrategyContest.of(HIDDEN, FEW, negotiations=10)
    path = tmp_path / f"rows{suffix}"
    rows = contest.rows(contest.file(path), 1, None)
    assert contest.file(path).rows() == list(rows)
    assert not contest.file(path).missing
    assert rows == contest.rows(None, 1, None)
    plain = StrategyContest.of(Scenario.original(), FEW)
    assert set(contest.results) - set(plain.results) == {"possible", "efficiency"}
    assert "efficiency" in contest.to_dict(rows)["matrices"]


def test_a_walk_away_where_no_deal_was_possible_is_no_failure() -> None:
    row = pairing_row(pairing(HIDDEN, "midpoint", "midpoint"), 50)
    assert row["deals"] < 50
    assert row["deal_share"] == row["deals"] / row["possible"]
    contest = StrategyContest.of(HIDDEN, FEW, negotiations=30)
    assert "surplus" in contest.text(contest.rows(None, 1, None), 80, " ░▒▓█")


def test_without_any_overlap_nothing_is_possible() -> None:
    table = HIDDEN.to_dict()
    table["seller"], table["buyer"] = {"limits": [4, 5]}, {"limits": [0, 1]}
    row = pairing_row(pairing(Scenario.of(table), "boulware", "boulware"), 9)
    assert (row["possible"], row["deals"], row["deal_share"]) == (0, 0, 0.0)
    assert (row["efficiency"], row["share_seller"]) == (None, None)
