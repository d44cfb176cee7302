"""A tournament: every entrant as seller against every entrant as buyer, itself included.

Each pairing is a run. Its random numbers depend only on the tournament's seed and on its two
players, so its row does not depend on the other entrants, or on where and when it runs.
"""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from typing import Any, Self

import numpy as np

from negotiation_tui.contest.contest import (
    BY_NAME,
    LOST,
    NAME,
    AnyStanding,
    CellKey,
    Cells,
    Contest,
    Measure,
    RankingColumn,
    lost_text,
    mean,
    ranked,
)
from negotiation_tui.contest.defaults import NEGOTIATIONS, RECIPE
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import LimitStream
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.evaluation import outcomes
from negotiation_tui.learning.headless import backend_for
from negotiation_tui.learning.loop import PRICES, REWARDS
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.learning.statistics import reward_scale
from negotiation_tui.players.resolve import identity, player_from_spec, spec_of_player
from negotiation_tui.players.run import Run, trained_pair
from negotiation_tui.players.spec import is_program
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.result_file import ResultRow
from negotiation_tui.runtime.text import plural
from negotiation_tui.solvers.payoffs import Pairs
from negotiation_tui.solvers.subgame_perfect import spe_price
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import STRATEGIES

ENTRANTS = (*STRATEGIES, LEARNED)  # the entrants if none are named
_KEY = (
    "scenario",
    "rules",
    "opener",
    "states",
    "seller",
    "buyer",
    "recipe",
    "negotiations",
    "seed",
)
_RESULTS = (
    *("deals", "deal_share", "mean_price", "reward_seller", "reward_buyer", "share_seller"),
    *("share_buyer", "mean_rounds", "spe_gap", "sample"),
)
_PLAYED = "deals", "deal_share", "reward_seller", "reward_buyer"  # never empty
Deals = Counter[tuple[int, int, int]]  # number of deals by the indices of both limits and by price
MEASURES = (
    Measure("mean_price", "mean price"),
    Measure("deal_share", "% deals", percent=True),
    Measure("share_seller", "% surplus to seller", percent=True),
    Measure("mean_rounds", "rounds to a deal"),
    Measure("spe_gap", "gap to the SPE price"),
)
EFFICIENCY = Measure("efficiency", "% of the possible surplus", True, "nothing to gain")
"""A further measure if limits are hidden."""
_EPSILON = 1e-12
_PLAIN_SECONDS = 5e-6  # per negotiation of the plain loop in `original`; more in larger games


@sealed(frozen=True, slots=True)
class Standing(AnyStanding):
    """An entrant's line of the leaderboard; None stands for what is not known yet."""

    overall: float | None  # mean of `seller` and `buyer`; None unless it played in both seats
    seller: float | None  # mean reward as seller, over its pairings
    buyer: float | None
    deals: float | None  # share of negotiations with a deal, where one was possible
    rounds: float | None  # mean rounds to a deal
    pairings: int  # number of its pairings that count; the one with itself counts once
    efficiency: float | None = None  # share of the possible surplus; only with hidden limits


COLUMNS = (
    RankingColumn("overall", "both", 7, ".3f", "both seats", reward=True),
    RankingColumn("seller", "seller", 7, ".3f", "seller", reward=True),
    RankingColumn("buyer", "buyer", 7, ".3f", "buyer", reward=True),
    RankingColumn("deals", "deals", 6, ".0%", "deals"),
    RankingColumn("rounds", "rounds", 7, ".1f", "rounds", rising=True),
    BY_NAME,
    RankingColumn("pairings", "pairings", 9, "d"),
)
"""The columns of the leaderboard, and its order by name."""
_SURPLUS = RankingColumn("efficiency", "surplus", 8, ".0%", "share of the possible surplus")
"""A further column after the first four if limits are hidden."""


class StrategyContest(Contest):
    """Every entrant as seller against every entrant as buyer; the seller's pairings together."""

    name, unit = "tournament", "pairings"
    sides = "seller", "buyer"
    scores = "coins per game"

    def __init__(
        self, jobs: tuple[Run, ...], entrants: tuple[str, ...], negotiations: int = NEGOTIATIONS
    ) -> None:
        scenario, self.negotiations = jobs[0].scenario, negotiations
        self._programs = any(map(is_program, entrants))
        super().__init__(jobs, entrants)
        self.play = partial(_play, negotiations=negotiations)
        self.measures = (*MEASURES, *[EFFICIENCY] * scenario.hidden)
        self.columns = (*COLUMNS[:4], *[_SURPLUS] * scenario.hidden, *COLUMNS[4:])
        name = f"{scenario.name} {scenario.n_prices}×{scenario.rounds}{scenario.delta_text}"
        self.about = name, f"{len(entrants)} entrants", f"seed {jobs[0].seed}"

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        entrants: Sequence[str] = (),
        recipe: str = RECIPE,
        negotiations: int = NEGOTIATIONS,
        seed: int = 0,
    ) -> Self:
        """Return the tournament of these entrants; without any, of ENTRANTS.

        Raises BadInputError if a spec is unknown, an entrant is named twice, or there is only one.
        """
        specs = entrants_of(entrants)
        pairs = [(seller, buyer) for seller in specs for buyer in specs]
        jobs = tuple(Run.by_recipe(scenario, recipe, seed, pair) for pair in pairs)
        return cls(jobs, specs, negotiations)

    def required(self, result: ResultRow) -> Sequence[str]:
        if result["refused"] is not None:
            return ()
        possible = ("possible",) if "possible" in result else ()
        return (*_PLAYED, *possible, *("mean_rounds",) * bool(result["deals"]))

    @property
    def results(self) -> tuple[str, ...]:
        """The columns of a row (docs/league.md). One not played fills only the last."""
        hidden = ("possible", "efficiency") if self.jobs[0].scenario.hidden else ()
        lost = (LOST,) if self._programs else ()
        return (*hidden, *_RESULTS, *lost, "refused")

    def key(self, job: Run) -> ResultRow:
        recipe = job.recipe if any(map(learns, job.players)) else None
        row = {**job.row, "recipe": recipe, "negotiations": self.negotiations}
        return {name: row[name] for name in _KEY}

    def numbers_of(self, key: CellKey) -> list[int]:
        one, other = map(self.entrants.index, key)
        return [one * len(self.entrants) + other]

    def cells(self, rows: Sequence[ResultRow], _numbers: Sequence[int] = ()) -> Cells:
        return {(row["seller"], row["buyer"]): row for row in rows}

    def leaderboard(self, rows: Sequence[ResultRow]) -> list[Standing]:
        played = self.cells([row for row in rows if row["refused"] is None])
        refused = [row for row in rows if row["refused"] is not None]
        standings = [  # a program that failed in a pairing would have a mean of the others alone
            _standing(name, self.entrants, {} if lost_text(name, refused) else played)
            for name in self.entrants
        ]
        return ranked(standings, lambda each: None if each.overall is None else -each.overall)

    def to_dict(self, rows: Sequence[ResultRow]) -> dict[str, Any]:
        first = self.jobs[0]
        return {
            "scenario": first.scenario.to_dict(),
            "recipe": first.recipe,
            "negotiations": self.negotiations,
            "seed": first.seed,
            "entrants": list(self.entrants),
            "leaderboard": [asdict(standing) for standing in self.leaderboard(rows)],
            "matrices": self.matrices(rows),
            "pairings": list(rows),
        }

    def text(self, rows: Sequence[ResultRow], width: int, shades: str) -> str:
        first, longest = self.jobs[0], min(NAME, max(len("entrant"), *map(len, self.entrants)))
        who = f"{len(self.entrants)} entrants, every one as seller and as buyer"
        each = f"{plural(self.negotiations, 'negotiation')} per pairing, seed {first.seed}"
        about = f"{first.scenario.name}{first.scenario.delta_text}: {who}, {each}"
        board, *others = self.parts(rows, width, shades)
        board = " " * (longest + 9) + "mean reward as\n" + board
        return "\n\n".join(filter(None, [about, board, *others]))


def entrants_of(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the specs of entrants, ENTRANTS if there are none, or raise BadInputError."""
    entrants: dict[str, str] = {}
    for spec in specs or ENTRANTS:
        entrant = player_from_spec(spec)
        if identity(entrant) in entrants:
            raise BadInputError(f"entrants: expected each once, got {spec!r} twice")
        entrants[identity(entrant)] = spec_of_player(entrant)
    if len(entrants) < 2:
        raise BadInputError(f"entrants: expected two or more, got {specs[0]!r} alone")
    return tuple(entrants.values())


def _standing(name: str, entrants: Sequence[str], rows: Cells) -> Standing:
    as_seller = [rows[name, other] for other in entrants if (name, other) in rows]
    as_buyer = [rows[other, name] for other in entrants if (other, name) in rows]
    seller = mean([row["reward_seller"] for row in as_seller])
    buyer = mean([row["reward_buyer"] for row in as_buyer])
    both = [*as_seller, *(row for row in as_buyer if row["seller"] != name)]
    deals = sum(row["deals"] for row in both)
    rounds = math.fsum(row["mean_rounds"] * row["deals"] for row in both if row["deals"])
    overall = None if seller is None or buyer is None else (seller + buyer) / 2
    shares = mean([row["deal_share"] for row in both]), rounds / deals if deals else None
    efficiency = mean([row["efficiency"] for row in both if row.get("efficiency") is not None])
    return Standing(None, name, overall, seller, buyer, *shares, len(both), efficiency)


def rng_of(run: Run) -> np.random.Generator:
    """Return the random numbers of a pairing, by the tournament's seed and the two players."""
    digest = sha256(json.dumps(list(run.players)).encode()).digest()
    numbers = (int.from_bytes(digest[n : n + 4], "big") for n in range(0, len(digest), 4))
    return np.random.default_rng(np.random.SeedSequence([run.seed, *numbers]))


def limits_of(run: Run) -> LimitStream:
    """Return the hidden limits by negotiation, the same for all pairs and both openers."""
    seed = int(np.random.default_rng(run.seed).integers(1 << 62))
    return LimitStream(run.scenario.limits, seed)


def last_game(run: Run, negotiations: int) -> Scenario:
    """Return the game of the last negotiation, the sample: that of the limits that were drawn."""
    _, n = _openings(run.scenario, negotiations)[-1]
    return run.scenario.drawn(*limits_of(run).pairs(n - 1, n)[0].tolist())


def _play(run: Run, entrants: Sequence[Occupant], jobs: int, *, negotiations: int) -> ResultRow:
    scenario, rng = run.scenario, rng_of(run)
    seller, buyer = (
        each if isinstance(each, Strategy) else trained_pair(run.self_play(spec))[role]
        for role, each, spec in zip(Role, entrants, run.players, strict=True)
    )
    seller, buyer = ready_players(scenario, seller, buyer)
    backend = backend_for(_PLAIN_SECONDS * negotiations * jobs)
    drawn = limits_of(run).pairs(0, negotiations)
    _, surplus, tradable = Pairs.of(scenario)
    deals: dict[Role, Deals] = {}
    scale, gains = reward_scale(scenario), np.zeros(len(Role))
    rounds, possible, best = 0, 0, 0.0
    for opener, n in _openings(scenario, negotiations):
        batch, last = outcomes(scenario, seller, buyer, rng, opener, drawn[:n], backend)
        deal = batch.agreements.any(axis=1)
        prices = batch.counts[deal, PRICES]
        if scale:
            gains += batch.counts[:, REWARDS : REWARDS + 2].sum(axis=0) / scale
        pairs = tuple(drawn[:n].T)
        deals[opener] = Counter(zip(*drawn[:n][deal].T.tolist(), prices.tolist(), strict=True))
        possible += int(tradable[pairs].sum())
        best += math.fsum(np.maximum(surplus, 0)[pairs].tolist())
        rounds += batch.total.rounds
    every: Deals = sum(deals.values(), Counter())
    made = every.total()
    rewards = gains.tolist()  # with time costs, where prices do not tell them
    if not scale:
        rewards = [
            math.fsum(scenario.drawn(k, j).reward(role, p) * n for (k, j, p), n in every.items())
            for role in Role
        ]
    gained = sum(rewards)
    shares = [reward / gained if gained > _EPSILON else None for reward in rewards]
    paid = sum(price * count for (*_, price), count in every.items())
    hidden = {"possible": possible, "efficiency": gained / best if best > _EPSILON else None}
    return {
        **(hidden if scenario.hidden else {}),
        "deals": made,
        "deal_share": made / possible if possible else 0.0,
        "mean_price": paid / made if made else None,
        **{f"reward_{role}": rewards[role] / negotiations for role in Role},
        **{f"share_{role}": shares[role] for role in Role},
        "mean_rounds": rounds / made if made else None,
        "spe_gap": _spe_gap(scenario, deals),
        "sample": str(last),
        "refused": None,
    }


def _openings(scenario: Scenario, negotiations: int) -> list[tuple[Role, int]]:
    """Return each role that opens and its number of negotiations; an odd one is the seller's."""
    if scenario.opener is not Opener.ALTERNATE:
        return [(scenario.opener.role(), negotiations)]
    half = negotiations // 2
    return [(Role.SELLER, negotiations - half), (Role.BUYER, half)][: 1 + bool(half)]


def _spe_gap(scenario: Scenario, deals: dict[Role, Deals]) -> float | None:
    """Return the mean of |price − SPE price|, with both limits known, over deals with one."""
    gaps = [
        (abs(price - expected) * count, count)
        for opener, each in deals.items()
        for (k, j, price), count in each.items()
        if (expected := spe_price(scenario.drawn(k, j), opener)) is not None
    ]
    total, compared = map(sum, zip(*gaps, strict=True)) if gaps else (0, 0)
    return total / compared if compared else None
