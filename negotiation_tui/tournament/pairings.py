"""A tournament: every entrant as seller against every entrant as buyer, itself included.

Each pairing is a job of plain values with a seed of its own, drawn from the tournament's and from
who plays, so that its row is the same whoever else takes part and whoever works on it when.
"""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import IllegalActionError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning import kernel
from negotiation_tui.learning.backend import fastest_backend
from negotiation_tui.learning.evaluation import outcomes
from negotiation_tui.learning.headless import trained_pair
from negotiation_tui.players.file_digest import (
    EARLIER_WORDS,
    FileDigests,
    check_digest,
    digest_of,
    explain_mismatch,
    rules,
)
from negotiation_tui.players.resolve import identity, strategy_from_spec
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.runtime.result_file import ResultFile, Row
from negotiation_tui.solvers.subgame_perfect import solve
from negotiation_tui.strategies.base import ReadyPlayer, Strategy
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import STRATEGIES, spec_of
from negotiation_tui.tournament.defaults import NEGOTIATIONS, RECIPE

ENTRANTS = (*STRATEGIES, LEARNED)
"""Who takes part where nothing is said."""
RESULTS = (
    "deals",
    "deal_share",
    "mean_price",
    "reward_seller",
    "reward_buyer",
    "share_seller",
    "share_buyer",
    "mean_rounds",
    "spe_gap",
    "sample",
    "refused",
)
"""The columns of a row; docs/tournament.md says what each is. All but the last are missing where
a pairing cannot be played, and those that speak of deals where there was none."""
_EPSILON = 1e-12


@dataclass(frozen=True, slots=True)
class Pairing:
    """What a row depends on."""

    scenario: Scenario
    seller: str
    buyer: str
    """Who plays, in words that `seats.strategy_from_spec` understands."""
    recipe: str
    negotiations: int
    seed: int
    """Of the tournament."""
    file_digests: FileDigests = (None, None)
    """What the files in the seats held as it was made."""


def entrants_of(words: Sequence[str]) -> tuple[str, ...]:
    """Who takes part, each in its usual words; all there are where nobody is named.

    Raises BadInputError for unknown words, for one named twice, and for fewer than two.
    """
    found: dict[str, str] = {}
    for given in words or ENTRANTS:
        held = strategy_from_spec(given)
        if identity(held) in found:
            raise BadInputError(f"entrant {given!r} is named twice, name each once")
        found[identity(held)] = LEARNED if held is None else spec_of(held)
    entrants = tuple(found.values())
    if len(entrants) < 2:
        raise BadInputError(f"entrants: {entrants[0]!r} alone is no tournament, name two or more")
    return entrants


def pairings(
    scenario: Scenario,
    entrants: Sequence[str],
    recipe: str = RECIPE,
    negotiations: int = NEGOTIATIONS,
    seed: int = 0,
) -> list[Pairing]:
    """Every entrant as seller against every entrant as buyer.

    Raises BadInputError where the file of one cannot be read.
    """
    held = {words: digest_of(words) for words in entrants}
    return [
        Pairing(scenario, seller, buyer, recipe, negotiations, seed, (held[seller], held[buyer]))
        for seller in entrants
        for buyer in entrants
    ]


def job_key(pairing: Pairing) -> Row:
    """Everything a pairing depends on, as the first columns of its row."""
    learns = LEARNED in {pairing.seller, pairing.buyer}
    return {
        "scenario": pairing.scenario.name,
        "rules": rules(pairing.scenario, pairing.file_digests),
        "opener": str(pairing.scenario.opener),
        "states": str(pairing.scenario.states),
        "seller": pairing.seller,
        "buyer": pairing.buyer,
        "recipe": pairing.recipe if learns else None,
        "negotiations": pairing.negotiations,
        "seed": pairing.seed,
    }


def pairing_file(path: Path, jobs: Sequence[Pairing]) -> ResultFile:
    """The file that holds the rows of these pairings, or will."""
    rows = [job_key(each) for each in jobs]
    return ResultFile(
        path, rows, RESULTS, "tournament", "pairings", explain_mismatch, EARLIER_WORDS
    )


def run_job(pairing: Pairing) -> Row:
    """Play a pairing: what came of it, or in `refused` why it cannot be played.

    Raises BadInputError where a seat's file has gone or changed: no row could say so for good.
    """
    seller, buyer = strategy_from_spec(pairing.seller), strategy_from_spec(pairing.buyer)
    check_digest(pairing.seller, pairing.file_digests[Role.SELLER])
    check_digest(pairing.buyer, pairing.file_digests[Role.BUYER])
    try:
        return _play(pairing, seller, buyer)
    except (BadInputError, IllegalActionError) as error:
        return _refused(error)


def run_job_catching(pairing: Pairing) -> Row:
    """The same where no file keeps the row: that a seat's file has gone or changed is in it too."""
    try:
        return run_job(pairing)
    except BadInputError as error:
        return _refused(error)


def rng_of(pairing: Pairing) -> np.random.Generator:
    """Its own stream of random numbers, by the tournament's seed and who plays."""
    digest = sha256(json.dumps([pairing.seller, pairing.buyer]).encode()).digest()
    words = (int.from_bytes(digest[n : n + 4], "big") for n in range(0, len(digest), 4))
    return np.random.default_rng(np.random.SeedSequence([pairing.seed, *words]))


@lru_cache(maxsize=4)
def spe_price(scenario: Scenario, opener: Role) -> int | None:
    """What equilibrium players agree on when this role opens, None where they do not agree."""
    return solve(scenario, opener).path.outcome.price


def _refused(error: Exception) -> Row:
    return {**dict.fromkeys(RESULTS), "refused": " ".join(str(error).split())}


def _play(pairing: Pairing, one: Strategy | None, other: Strategy | None) -> Row:
    scenario, rng = pairing.scenario, rng_of(pairing)
    seller, buyer = ready_players(
        scenario, _player(pairing, Role.SELLER, one), _player(pairing, Role.BUYER, other)
    )
    prices: dict[Role, NDArray[np.int64]] = {}
    rounds = 0
    for opener, n in _openings(scenario, pairing.negotiations):
        found, last = outcomes(scenario, seller, buyer, rng, opener, n, fastest_backend())
        deal = found.agreements.any(axis=1)
        prices[opener] = found.counts[deal, kernel.PRICES]
        rounds += found.total.rounds
    deals = sum(map(len, prices.values()))
    rewards = [_total_reward(scenario, role, prices.values()) for role in Role]
    surplus = sum(rewards)
    shares = [reward / surplus if surplus > _EPSILON else None for reward in rewards]
    paid = sum(int(each.sum()) for each in prices.values())
    return {
        "deals": deals,
        "deal_share": deals / pairing.negotiations,
        "mean_price": paid / deals if deals else None,
        "reward_seller": rewards[Role.SELLER] / pairing.negotiations,
        "reward_buyer": rewards[Role.BUYER] / pairing.negotiations,
        "share_seller": shares[Role.SELLER],
        "share_buyer": shares[Role.BUYER],
        "mean_rounds": rounds / deals if deals else None,
        "spe_gap": _spe_gap(scenario, prices),
        "sample": str(last),
        "refused": None,
    }


def _player(pairing: Pairing, role: Role, held: Strategy | None) -> ReadyPlayer:
    return held or trained_pair(pairing.scenario, pairing.recipe, pairing.seed)[role]


def _openings(scenario: Scenario, negotiations: int) -> Iterator[tuple[Role, int]]:
    """How many negotiations each role opens; the seller one more where they are odd."""
    if scenario.opener is not Opener.ALTERNATE:
        yield scenario.opener.role(), negotiations
        return
    yield Role.SELLER, negotiations - negotiations // 2
    if negotiations > 1:
        yield Role.BUYER, negotiations // 2


def _total_reward(scenario: Scenario, role: Role, prices: Iterable[NDArray[np.int64]]) -> float:
    values, counts = np.unique(np.concatenate(list(prices)), return_counts=True)
    pairs = zip(values.tolist(), counts.tolist(), strict=True)
    return math.fsum(scenario.reward(role, price) * count for price, count in pairs)


def _spe_gap(scenario: Scenario, prices: dict[Role, NDArray[np.int64]]) -> float | None:
    """The mean of |price − SPE price| over the deals whose opener has an SPE with a deal."""
    total, deals = 0, 0
    for opener, agreed in prices.items():
        expected = spe_price(scenario, opener) if len(agreed) else None
        if expected is not None:
            total += int(np.abs(agreed - expected).sum())
            deals += len(agreed)
    return total / deals if deals else None
