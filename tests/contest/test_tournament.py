"""The tournament's engine: seeds, rows, exact values, leaderboard."""

import random
from dataclasses import replace
from functools import cache
from itertools import repeat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import negotiation_tui as nt
from negotiation_tui import BadInputError, Opener, Role, Scenario, strategy
from negotiation_tui.contest.contest import matrix, short_number, sorted_by
from negotiation_tui.contest.tournament import (
    COLUMNS,
    ENTRANTS,
    MEASURES,
    StrategyContest,
    entrants_of,
    last_game,
    limits_of,
)
from negotiation_tui.game.negotiation import Transcript, negotiate
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.solvers.subgame_perfect import spe_price
from negotiation_tui.strategies.matchup import ready_players
from tests.support.contests import pairing_key, pairing_row
from tests.support.game import game
from tests.support.trained_tables import trained
from tests.support.user_strategies import EXAMPLE

TINY = replace(Scenario.from_dict({"prices": 4, "rounds": 3}), reservation=(0, 4))
FEW = ("midpoint", "random", "micro", "learned")
CONTEST = StrategyContest.of(TINY, FEW, negotiations=30, seed=7)
JOBS, RUN = CONTEST.jobs, CONTEST.runner(saved=True)


@cache
def all_rows() -> tuple[ResultRow, ...]:
    return tuple(RUN(job) for job in JOBS)


def pairing(seller: str, buyer: str, scenario: Scenario = TINY) -> Run:
    return Run.by_recipe(scenario, "reverse-curriculum", 7, (seller, buyer))


def test_everybody_meets_everybody_in_both_seats() -> None:
    met = [job.players for job in JOBS]
    assert met == [(one, other) for one in FEW for other in FEW]
    assert entrants_of(()) == ENTRANTS
    assert "learned" in ENTRANTS


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("boulware", "boulware:beta=0.2"), "'boulware:beta=0.2' twice"),
        (("own.py", "./own.py"), "'./own.py' twice"),
        (("own.py:step=1", "own.py::Stepwise"), "'own.py::Stepwise' twice"),
        (("t.npz", "./t.npz"), "'./t.npz' twice"),
    ],
)
def test_entrants_that_cannot_be(words: tuple[str, ...], named: str) -> None:
    write_files()
    with pytest.raises(BadInputError, match=named):
        entrants_of(words)


def write_files() -> None:
    trained()
    Path("own.py").write_text(Path(EXAMPLE).read_text(encoding="utf-8"), encoding="utf-8")


def test_other_settings_are_another_entrant() -> None:
    write_files()
    words = ("own.py", "own.py:step=2", "t.npz", EXAMPLE)
    assert entrants_of(words) == words


@settings(max_examples=15)
@given(st.randoms(use_true_random=False))
def test_a_row_is_the_same_in_any_order(shuffle: random.Random) -> None:

    numbers = list(range(len(JOBS)))
    shuffle.shuffle(numbers)
    for number in numbers[:4]:
        assert RUN(JOBS[number]) == all_rows()[number]
    fewer = StrategyContest.of(TINY, ("micro", "random"), seed=7).jobs
    assert [pairing_row(job, 30) for job in fewer] == [all_rows()[JOBS.index(job)] for job in fewer]


@pytest.mark.slow
def test_a_row_is_the_same_whoever_works_on_it() -> None:
    assert [row for _, row in sorted(run_jobs(RUN, JOBS, 2), key=lambda a: a[0])] == [*all_rows()]


def test_without_a_deal_there_is_nothing_to_say_of_deals() -> None:
    apart = game(
        {"min": 0, "max": 9, "step": 1}, 2, seller={"min": 8, "max": 9}, buyer={"min": 0, "max": 1}
    )
    row = pairing_row(pairing("midpoint", "midpoint", apart), 30)
    assert (row["deals"], row["reward_seller"], row["reward_buyer"]) == (0, 0, 0)
    nothing = ("mean_price", "share_seller", "share_buyer", "mean_rounds", "spe_gap")
    assert [row[name] for name in nothing] == [None] * 5
    assert row["sample"].endswith("quit")


@pytest.mark.parametrize("entrant", ["equilibrium", "learned"])
def test_in_equilibrium_there_is_no_gap(entrant: str) -> None:
    """Agents trained by the default recipe agree on one of the two equilibrium prices."""
    row = pairing_row(pairing(entrant, entrant), 30)
    assert row["deal_share"] == 1
    assert row["spe_gap"] <= (0 if entrant == "equilibrium" else 1)


def test_time_costs_move_the_equilibrium_and_what_it_pays() -> None:
    game = replace(TINY, delta=(0.9, 0.5), opener=Opener.BUYER)
    row, path = pairing_row(pairing("equilibrium", "equilibrium", game), 30), nt.solve(game).path
    assert path.outcome.price == 3
    assert (row["spe_gap"], row["mean_price"]) == (0, 3)
    assert (row["reward_seller"], row["reward_buyer"]) == (3 / 4, 1 / 4)
    late = pairing_row(pairing("hardliner", "boulware", replace(game, opener=Opener.SELLER)), 30)
    assert late["mean_rounds"] == 3
    assert late["reward_seller"] == pytest.approx(0.9**4)


def test_what_cannot_be_played_says_why() -> None:
    huge = Scenario.from_dict({"prices": 1000, "rounds": 1000})
    row = pairing_row(pairing("learned", "midpoint", huge), 30)
    assert tuple(row) == CONTEST.results
    assert "at most" in row.pop("refused")
    assert set(row.values()) == {None}


def test_learned_alone_depends_on_the_recipe() -> None:
    one, other = (replace(pairing("micro", "random"), recipe=r) for r in ("published", "corrected"))
    assert pairing_key(one, 2) == pairing_key(other, 2)
    learns = replace(one, players=("micro", "learned"))
    assert pairing_key(learns, 2) != pairing_key(replace(learns, recipe="corrected"), 2)


def a_row(
    seller: str, buyer: str, *rewards: float, deals: int = 10, rounds: float = 2
) -> ResultRow:
    return {
        "seller": seller,
        "buyer": buyer,
        "deals": deals,
        "deal_share": deals / 10,
        "reward_seller": rewards[0],
        "reward_buyer": rewards[1],
        "mean_rounds": rounds if deals else None,
        "refused": None,
    }


def test_the_leaderboard_by_hand() -> None:
    rows = [
        a_row("a", "a", 0.5, 0.5),
        a_row("a", "b", 0.9, 0.1, rounds=4),
        a_row("b", "a", 0.0, 0.0, deals=0),
        {**a_row("b", "b", 0, 0), "refused": "it cannot"},
    ]
    first, second, third = StrategyContest(JOBS, ("a", "b", "c")).leaderboard(rows)
    assert (first.name, first.rank, first.pairings) == ("a", 1, 3)
    assert first.seller == pytest.approx(0.7)
    assert first.buyer == pytest.approx(0.25)
    assert first.overall == pytest.approx(0.475)
    assert first.deals == pytest.approx(2 / 3)
    assert first.rounds == pytest.approx(3)
    assert (second.name, second.rank, second.seller, second.buyer) == ("b", 2, 0.0, 0.1)
    assert (third.name, third.rank, third.overall, third.deals) == ("c", None, None, None)
    alone = StrategyContest(JOBS, ("a", "b")).leaderboard(rows[1:2])
    assert [(each.name, each.rank, each.overall) for each in alone] == [
        ("a", None, None),
        ("b", None, None),
    ]
    assert (alone[0].seller, alone[1].buyer, alone[0].pairings) == (0.9, 0.1, 1)
    board = [second, third, first]
    orders = ["".join(s.name for s in sorted_by(c, board)) for c in COLUMNS if c.sort]
    assert orders == ["abc"] * 6
    assert matrix((("a", "b"),) * 2, CONTEST.cells(rows), MEASURES[1]) == [[1.0, 1.0], [0.0, 1.0]]


def test_the_shades_of_a_matrix_go_from_low_to_high() -> None:
    rows = CONTEST.cells([a_row("a", "a", 0, 0, deals=n) for n in (2,)] + [a_row("a", "b", 0, 0)])
    text = StrategyContest(JOBS, ("a", "b")).heat_map(rows, MEASURES[1], 80, "_+#")
    (row,) = (line for line in text.splitlines() if "100" in line)
    assert row.index("20_") < row.index("100#")
    many = tuple("abcdefghij")
    _, *parts = StrategyContest(JOBS, many).heat_map(rows, MEASURES[1], 40).split("\n\n")
    assert len(parts) > 1
    assert max(len(line) for part in parts for line in part.splitlines()) <= 40


@pytest.mark.parametrize(
    ("number", "width", "text"),
    [
        (3.456, 3, "3.5"),
        (3.456, 4, "3.46"),
        (9.96, 3, "10"),
        (65, 3, "65"),
        (100, 3, "100"),
        (12345, 3, "12k"),
        (-5.25, 4, "−5.2"),
        (2.5e6, 4, "2.5M"),
    ],
)
def test_short_numbers(number: float, width: int, text: str) -> None:
    assert short_number(number, width) == text


HIDDEN = Scenario.of("hidden")
WEIGHTED = game(
    6, 3, seller={"limits": [0, 3, 5], "weights": [1, 0, 2]}, buyer={"limits": [2, 4, 7]}
)
STATIC = ("boulware", "midpoint", "tit-for-tat")
"""None of them draws a random number; tit-for-tat is played turn by turn."""
MET = [
    pytest.param(seller, buyer, marks=[pytest.mark.slow] * ("midpoint" in {seller, buyer}))
    for seller in STATIC
    for buyer in ("boulware", "midpoint")
]
"""Pairs; for midpoint the compiled loop is another, which takes seconds to compile."""


N = 41


def negotiations(job: Run) -> list[Transcript]:
    """All negotiations of a pairing without chance, one by one, the seller's openings first."""
    drawn = limits_of(job).pairs(0, N).tolist()
    seller, buyer = map(strategy, job.players)
    players = ready_players(job.scenario, seller, buyer)
    halves = [(Role.SELLER, -(-N // 2)), (Role.BUYER, N // 2)]
    if job.scenario.opener is not Opener.ALTERNATE:
        halves = [(job.scenario.opener.role(), N)]
    return [
        negotiate(job.scenario.drawn(*pair), *players, opener)
        for opener, n in halves
        for pair in drawn[:n]
    ]


def earned(played: Transcript, role: Role) -> float:
    """δᵏ of the share of a deal on offer k; 0 without one."""
    scenario, price = played.scenario, played.outcome.price
    left = scenario.delta[role] ** (len(played.turns) - 2)
    return 0.0 if price is None else left * scenario.share(role, price)


def recounted(job: Run) -> ResultRow:
    """The row, from its definitions in docs/league.md."""
    played = negotiations(job)
    games = [each.scenario for each in played]
    ends = [(each.scenario, each.opener, each.outcome) for each in played]
    made = [(g, o, end.price, end.round) for g, o, end in ends if end.price is not None]
    could = [g for g in games if set(g.offers(Role.SELLER)) & set(g.offers(Role.BUYER))]
    known = [(p, spe_price(game, o)) for game, o, p, _ in made]
    gaps = [abs(price - expected) for price, expected in known if expected is not None]
    gains = [sum(map(earned, played, repeat(role))) for role in Role]
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


@pytest.mark.parametrize(
    "scenario",
    [
        *(HIDDEN, WEIGHTED, replace(WEIGHTED, delta=(0.9, 0.6)), Scenario.of("legacy")),
        *(replace(TINY, opener=opener) for opener in Opener),
    ],
    ids=["hidden", "weighted", "time costs", "legacy", *Opener],
)
@pytest.mark.parametrize(("seller", "buyer"), MET)
def test_a_row_is_that_of_its_negotiations(scenario: Scenario, seller: str, buyer: str) -> None:
    job = pairing(seller, buyer, scenario)
    row = pairing_row(job, N)
    assert scenario.hidden == ("possible" in row)
    expected = {name: value for name, value in recounted(job).items() if name in row}
    assert {name: row[name] for name in expected} == pytest.approx(expected)
    assert row["sample"] == str(negotiations(job)[-1])
    assert last_game(job, N) == negotiations(job)[-1].scenario


def test_all_pairs_and_both_openers_meet_the_same_limits() -> None:
    jobs = StrategyContest.of(HIDDEN, STATIC[::2], seed=2).jobs
    rows = [pairing_row(job, 60) for job in jobs]
    assert len({row["possible"] for row in rows}) == 1
    assert rows[0]["possible"] % 2 == 0
    other = limits_of(replace(jobs[0], seed=3)).pairs(0, 30)
    assert (limits_of(jobs[0]).pairs(0, 30) != other).any()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_the_columns_of_hidden_limits_are_saved(suffix: str, tmp_path: Path) -> None:
    contest = StrategyContest.of(HIDDEN, STATIC, negotiations=10)
    path = tmp_path / f"rows{suffix}"
    rows = contest.rows(contest.file(path), 1, None)
    assert contest.file(path).rows() == list(rows)
    assert not contest.file(path).missing
    assert rows == contest.rows(None, 1, None)
    plain = StrategyContest.of(Scenario.original(), STATIC)
    assert set(contest.results) - set(plain.results) == {"possible", "efficiency"}
    assert "efficiency" in contest.to_dict(rows)["matrices"]
