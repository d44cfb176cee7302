"""A tournament: every entrant as seller against every entrant as buyer, itself included.

Each pairing is a job of plain values. Its random numbers depend only on the tournament's seed and
on its two players, so its row does not depend on the other entrants, or on where and when it runs.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.contest.contest import refusal_row
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.limits import LimitStream
from negotiation_tui.game.negotiation import IllegalActionError
from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import Occupant
from negotiation_tui.learning.evaluation import outcomes
from negotiation_tui.learning.headless import backend_for, trained_pair
from negotiation_tui.learning.loop import PRICES
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.players import file_digest
from negotiation_tui.players.resolve import identity, occupant_from_spec, spec_of_occupant
from negotiation_tui.runtime.result_file import Row, check_numbers
from negotiation_tui.runtime.validate import number, string
from negotiation_tui.solvers.subgame_perfect import solve
from negotiation_tui.solvers.surplus import Pairs
from negotiation_tui.strategies.base import Strategy
from negotiation_tui.strategies.matchup import ready_players
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tournament.defaults import NEGOTIATIONS, RECIPE

ENTRANTS = (*STRATEGIES, LEARNED)
"""The entrants if none are named."""
_GAINS = ("reward_seller", "reward_buyer", "share_seller", "share_buyer", "mean_rounds")
RESULTS = ("deals", "deal_share", "mean_price", *_GAINS, "spe_gap", "sample", "refused")
"""The columns of a row, explained in docs/tournament.md. All but the last are empty if a pairing
cannot be played; those about deals also if there was no deal."""
HIDDEN_RESULTS = ("possible", "efficiency")
"""Columns before them if limits are hidden."""
Ints = NDArray[np.int32]
Deals = Counter[tuple[int, int, int]]
"""The number of deals by the indices of both limits and by price."""
_EPSILON = 1e-12
_PLAIN_SECONDS = 5e-6
"""Processor time per negotiation of the plain loop in `original`; larger games take longer."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """All that a row depends on."""

    scenario: Scenario
    seller: str
    buyer: str
    """Specs of the players, as `strategy_from_spec` reads them."""
    recipe: str
    negotiations: int
    seed: int
    """The tournament's seed."""
    file_digests: file_digest.FileDigests = (None, None)
    """Digests of the files in the seats when the pairing was made."""


def entrants_of(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the canonical specs of the entrants; ENTRANTS if `specs` is empty.

    Raises BadInputError if a spec is unknown, an entrant is named twice, or there is only one.
    """
    entrants: dict[str, str] = {}
    for spec in specs or ENTRANTS:
        entrant = occupant_from_spec(spec)
        if identity(entrant) in entrants:
            raise BadInputError(f"entrants: expected each once, got {spec!r} twice")
        entrants[identity(entrant)] = spec_of_occupant(entrant)
    if len(entrants) < 2:
        raise BadInputError(f"entrants: expected two or more, got {specs[0]!r} alone")
    return tuple(entrants.values())


def pairings(
    scenario: Scenario,
    entrants: Sequence[str],
    recipe: str = RECIPE,
    negotiations: int = NEGOTIATIONS,
    seed: int = 0,
) -> list[Pairing]:
    """Return a pairing of every entrant as seller with every entrant as buyer.

    Raises BadInputError if the file of an entrant cannot be read.
    """
    digests = {spec: file_digest.digest_of(spec) for spec in entrants}
    return [
        Pairing(
            scenario, seller, buyer, recipe, negotiations, seed, (digests[seller], digests[buyer])
        )
        for seller in entrants
        for buyer in entrants
    ]


def job_key(pairing: Pairing) -> Row:
    """Return all that a pairing depends on: the first columns of its row."""
    learns_any = learns(pairing.seller) or learns(pairing.buyer)
    return {
        "scenario": pairing.scenario.name,
        "rules": file_digest.rules(pairing.scenario, pairing.file_digests),
        "opener": str(pairing.scenario.opener),
        "states": str(pairing.scenario.states),
        "seller": pairing.seller,
        "buyer": pairing.buyer,
        "recipe": pairing.recipe if learns_any else None,
        "negotiations": pairing.negotiations,
        "seed": pairing.seed,
    }


def results_of(scenario: Scenario) -> tuple[str, ...]:
    """Return the columns of a row's results."""
    return (*HIDDEN_RESULTS, *RESULTS) if scenario.hidden else RESULTS


def check_result(result: Row) -> None:
    """Raise BadInputError, with the name of the column, unless `run_job` can return this result."""
    texts = ("sample", "refused")
    check_numbers({name: result[name] for name in result if name not in texts})
    for name in texts:
        if result[name] is not None:
            string(name, result[name])
    if result["refused"] is None:
        always = ["deals", "deal_share", "reward_seller", "reward_buyer"]
        always += ["possible"] if "possible" in result else []
        for name in (*always, "mean_rounds") if result["deals"] else always:
            number(name, result[name])


def run_job(pairing: Pairing, jobs: int = 1) -> Row:
    """Play a pairing and return its results, or in `refused` the reason why it cannot be played.

    It is one of `jobs`: the work ahead, for which compiling may pay. Raises BadInputError if the
    file of a seat is missing or has changed. A saved row must not record that, because the file
    may come back.
    """
    specs = pairing.seller, pairing.buyer
    entrants = [occupant_from_spec(spec) for spec in specs]
    file_digest.check_digests(specs, pairing.file_digests)
    try:
        return _play(pairing, entrants, jobs)
    except (BadInputError, IllegalActionError) as error:
        return refusal_row(results_of(pairing.scenario), error)


def rng_of(pairing: Pairing) -> np.random.Generator:
    """Return the random numbers of a pairing, by the tournament's seed and the two players."""
    digest = sha256(json.dumps([pairing.seller, pairing.buyer]).encode()).digest()
    numbers = (int.from_bytes(digest[n : n + 4], "big") for n in range(0, len(digest), 4))
    return np.random.default_rng(np.random.SeedSequence([pairing.seed, *numbers]))


def limits_of(pairing: Pairing) -> LimitStream:
    """Return the hidden limits of the negotiations that a role opens, by their number from 0.

    They depend on the tournament's seed alone: all pairs and both openers meet the same limits.
    """
    seed = int(np.random.default_rng(pairing.seed).integers(1 << 62))
    return LimitStream(pairing.scenario.limits, seed)


def last_game(pairing: Pairing) -> Scenario:
    """Return the game of the last negotiation, the sample: that of the limits that were drawn."""
    *_, (_, n) = _openings(pairing.scenario, pairing.negotiations)
    return pairing.scenario.drawn(*limits_of(pairing).pairs(n - 1, n)[0].tolist())


@lru_cache(maxsize=512)
def spe_price(scenario: Scenario, opener: Role) -> int | None:
    """Return the price of the subgame-perfect equilibrium.

    None if it has no deal, or if limits are hidden.
    """
    return None if scenario.hidden else solve(scenario, opener).path.outcome.price


def _play(pairing: Pairing, entrants: Sequence[Occupant], jobs: int) -> Row:
    scenario, rng = pairing.scenario, rng_of(pairing)
    seller, buyer = (
        each
        if isinstance(each, Strategy)
        else trained_pair(scenario, pairing.recipe, pairing.seed, each)[role]
        for role, each in zip(Role, entrants, strict=True)
    )
    seller, buyer = ready_players(scenario, seller, buyer)
    backend = backend_for(_PLAIN_SECONDS * pairing.negotiations * jobs)
    drawn = limits_of(pairing).pairs(0, pairing.negotiations)
    _, surplus, tradable = Pairs.of(scenario)
    deals: dict[Role, Deals] = {}
    rounds, possible, best = 0, 0, 0.0
    for opener, n in _openings(scenario, pairing.negotiations):
        batch, last = outcomes(scenario, seller, buyer, rng, opener, drawn[:n], backend)
        deal = batch.agreements.any(axis=1)
        prices = batch.counts[deal, PRICES]
        deals[opener] = _counted(drawn[:n][deal], prices)
        pairs = tuple(drawn[:n].T)
        possible += int(tradable[pairs].sum())
        best += math.fsum(np.maximum(surplus, 0)[pairs].tolist())
        rounds += batch.total.rounds
    every: Deals = sum(deals.values(), Counter())
    made = every.total()
    rewards = [_total_reward(scenario, role, every) for role in Role]
    gained = sum(rewards)
    shares = [reward / gained if gained > _EPSILON else None for reward in rewards]
    paid = sum(price * count for (*_, price), count in every.items())
    row = {
        "possible": possible,
        "efficiency": gained / best if best > _EPSILON else None,
        "deals": made,
        "deal_share": made / possible if possible else 0.0,
        "mean_price": paid / made if made else None,
        "reward_seller": rewards[Role.SELLER] / pairing.negotiations,
        "reward_buyer": rewards[Role.BUYER] / pairing.negotiations,
        "share_seller": shares[Role.SELLER],
        "share_buyer": shares[Role.BUYER],
        "mean_rounds": rounds / made if made else None,
        "spe_gap": _spe_gap(scenario, deals),
        "sample": str(last),
        "refused": None,
    }
    return {name: row[name] for name in results_of(scenario)}


def _openings(scenario: Scenario, negotiations: int) -> Iterator[tuple[Role, int]]:
    """Yield each role that opens and its number of negotiations; an odd one is the seller's."""
    if scenario.opener is not Opener.ALTERNATE:
        yield scenario.opener.role(), negotiations
        return
    yield Role.SELLER, negotiations - negotiations // 2
    if negotiations > 1:
        yield Role.BUYER, negotiations // 2


def _counted(limits: Ints, prices: NDArray[np.int64]) -> Deals:
    """Return the number of deals at each price for each pair of limits."""
    columns = *limits.T.tolist(), prices.tolist()
    return Counter(zip(*columns, strict=True))


def _total_reward(scenario: Scenario, role: Role, deals: Deals) -> float:
    return math.fsum(
        scenario.drawn(k, j).reward(role, price) * count for (k, j, price), count in deals.items()
    )


def _spe_gap(scenario: Scenario, deals: dict[Role, Deals]) -> float | None:
    """Return the mean of |price − SPE price| over the deals whose opener has an SPE with a deal.

    It is that of the game of both limits, as if both were known.
    """
    total, compared = 0, 0
    for opener, each in deals.items():
        for (k, j, price), count in each.items():
            expected = spe_price(scenario.drawn(k, j), opener)
            if expected is not None:
                total += abs(price - expected) * count
                compared += count
    return total / compared if compared else None
