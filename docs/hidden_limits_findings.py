"""Make the figures on hidden limits in docs/findings.md: `python docs/hidden_limits_findings.py`.

Trains learners in both seats of `hidden` over all processors, judges them exactly, and prints
tables with 95% intervals. Takes about ten minutes of processor time, a third of that with
`--runs 5`.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import START, Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy, legal_rows
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.runtime.output import with_progress
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.solvers.best_response import best_response, nash_conv
from negotiation_tui.solvers.expected_play import ExpectedPlay, expected_play
from negotiation_tui.solvers.payoffs import Payoffs, ceiling, first_best
from negotiation_tui.strategies.matchup import tables_of

Floats = NDArray[np.float64]
Tables = tuple[TabularPolicy, TabularPolicy]
SEEDS = 20
FEW = 5  # of each learner
USUAL = 2_000, 500  # cycles, episodes per cycle
UPDATES = 400  # of cfr
SNAPSHOTS = 100  # that are averaged
CLIMBS = 4  # first tables from which a better one is looked for
NEAR = 0.01
RATE = 0.99
HIDDEN = Scenario.of("hidden")
AWARE, PUBLISHED = States.OPENER_AWARE.value, States.PUBLISHED.value
Q = "q-learning"
NAMES = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]
STARTS, OPENINGS = "random starts", "from the opening"
COMPUTED = "computed"
WITHOUT: dict[str, Any] = {"states": PUBLISHED, "climbs": False}
CFR = ("cfr:counts_as=1", "cfr:counts_as=1,plus=true,schedule=together")
ROUNDS = (1, 2, 3, 5, 8)
PATIENCE = (0.99, 0.9, 0.7, 0.5)
SMALL = (([0, 1], [2, 3]), ([0, 2], [1, 3]), ([0, 1], [1, 2]))
"""Limits of seller and buyer in games of two prices, 1 and 2, and two rounds."""


@dataclass(frozen=True)
class Setting:
    """A training in `hidden`, or in a game like it with other rounds or limits."""

    spec: str = Q
    states: str = AWARE
    way: str = STARTS
    """STARTS, OPENINGS, COMPUTED, or the name of a recipe."""
    rounds: int = 5
    buyers_rate: float = RATE
    """The buyer's discount rate; the seller's is 0.99."""
    rate: float = RATE
    """The discount rate of a recipe, and of NashConv."""
    small: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    placed: int | None = None
    """The price that both insist on at first; None: untrained tables."""
    averages: bool = False
    """True to judge the average of the policies in the second half of the training."""
    climbs: bool = False
    seeds: int = SEEDS

    @property
    def scenario(self) -> Scenario:
        """The game."""
        states = States(self.states)
        if self.small:
            return replace(small_game(*self.small), states=states)
        return replace(HIDDEN, rounds=self.rounds, states=states)

    @property
    def parameters(self) -> Parameters:
        """The training; ε falls once, to 0.01, unless a recipe says otherwise."""
        if self.way == COMPUTED:
            return Parameters(cycles=UPDATES, episodes=1)
        if self.way in RECIPES:
            return replace(RECIPES[self.way](self.scenario), discount_rate=self.rate)
        cycles, episodes = USUAL
        return Parameters(
            exploration_restarts=False,
            exploration_start=0.1 if self.placed is not None else 1.0,
            exploration_end=0.01,
            exploration_decay=6 / (cycles * episodes),
            cycles=cycles,
            episodes=episodes,
            curriculum_window=2 * self.scenario.rounds if self.way == STARTS else 0,
        )


def small_game(sellers: Sequence[int], buyers: Sequence[int]) -> Scenario:
    """Return the game of two prices and two rounds with these limits."""
    return Scenario.from_dict(
        {
            "name": "small",
            "prices": 2,
            "rounds": 2,
            "seller": {"limits": list(sellers)},
            "buyer": {"limits": list(buyers)},
        }
    )


COLUMNS = (
    "nash_conv",
    "part",
    "efficiency",
    "seller",
    "opener",
    "pretends",
    "bluffs",
    "tells",
    "round",
    "later",
    "table_gain",
)
"""What `run_job` returns of a training; see the functions below."""


def run_job(job: tuple[Setting, int]) -> Floats:
    """Train one setting with one seed, in a worker process, and measure it exactly."""
    setting, seed = job
    scenario, seats = setting.scenario, [learner(setting.spec) for _ in Role]
    training = ConcurrentTraining(
        scenario,
        setting.parameters,
        seed,
        seller=seats[0],
        buyer=seats[1],
        backend=fastest_backend(seats),
    )
    for role in Role:
        seat = training.latest_learners[role]
        if setting.buyers_rate != RATE and role is Role.BUYER:
            agents = training.population.agents
            first = int(agents.firsts[role])
            for agent in range(first, first + scenario.n_tables(role)):
                agents.rates[agent][1] = setting.buyers_rate
        if setting.placed is not None:
            seat.go_to({"table0": insisting(scenario, role, setting.placed)})
            seat.keep()
    tables = average(training) if setting.averages else None
    training.run(setting.parameters.cycles - training.cycle)
    tables = tables or tables_of(scenario, *(training.policy(role) for role in Role))
    assert tables
    return measured(scenario, tables, setting)


def average(training: ConcurrentTraining) -> Tables:
    """Play the training to its end, and return the average of the policies in its second half."""
    cycles = training.parameters.cycles
    training.run(cycles // 2)
    step, sums, n = max(1, cycles // 2 // SNAPSHOTS), [0.0, 0.0], 0
    while not training.finished:
        training.run(min(step, cycles - training.cycle))
        tables = tables_of(training.scenario, *(training.policy(role) for role in Role))
        assert tables
        sums, n = [sums[role] + tables[role].probabilities for role in Role], n + 1
    seller, buyer = (
        TabularPolicy.of_probabilities(training.scenario, role, np.asarray(sums[role]) / n)
        for role in Role
    )
    return seller, buyer


def measured(scenario: Scenario, tables: Tables, setting: Setting) -> Floats:
    """Return a value per column."""
    play = expected_play(scenario, *tables)
    gains = returns(play) / first_best(scenario)
    later, rounds = zip(*(delay(scenario, play, role) for role in Role), strict=True)
    signals = [signal(scenario, role, tables[role]) for role in Role]
    distance = nash_conv(scenario, *tables, setting.rate)
    best = sum(distance.values) + distance.total  # the returns of both best responses
    return np.array(
        [
            distance.total,
            distance.total / best if best else 0.0,
            play.efficiency,
            gains[:, Role.SELLER].mean(),
            np.mean([gains[opener, opener] - gains[opener, opener.other] for opener in Role]),
            sum(map(play.mean_pretending, Role)),
            *np.mean(signals, axis=0),
            rounds[0],
            np.mean(later),
            table_gain(scenario, tables) if setting.climbs else np.nan,
        ]
    )


def returns(play: ExpectedPlay) -> Floats:
    """Return the undiscounted mean reward by opener and role, shape (2, 2)."""
    return np.array([play.returns(role) for role in Role]).T


def eager_first(scenario: Scenario, role: Role) -> list[int]:
    """Return the indices of a role's limits: the one that gains most by a deal first."""
    limits = list(range(scenario.n_tables(role)))
    return limits if role is Role.SELLER else limits[::-1]


def signal(scenario: Scenario, role: Role, table: TabularPolicy) -> tuple[float, float]:
    """Return how often opening offers bluff, and the part of the uncertainty that they remove.

    An opening offer bluffs if a limit that is less eager makes it at least as often. The least
    eager limit, which cannot bluff, does not count.
    """
    order = eager_first(scenario, role)
    opening = table.probabilities.reshape(-1, scenario.n_states, scenario.n_actions)[order, START]
    chances = scenario.chances(role)[order]
    others = [opening[k + 1 :].max(axis=0) for k in range(len(order) - 1)]
    bluffs = [
        np.where(other >= own, own, 0.0).sum() for own, other in zip(opening, others, strict=False)
    ]
    joint = chances[:, None] * opening
    seen = joint.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = -np.where(joint > 0, joint * np.log(joint / seen), 0.0).sum()
    tells = 1 - left / -(chances @ np.log(chances))
    return float(np.average(bluffs, weights=chances[:-1])), float(tells)


def delay(scenario: Scenario, play: ExpectedPlay, role: Role) -> tuple[float, float]:
    """Return the rounds by which a deal comes later per step to a less eager limit, and its mean.

    The slope of the regression over all deals, by their probability.
    """
    order = eager_first(scenario, role)
    deals = play.deals[role].sum(axis=-1).mean(axis=0)[order]  # limit, ply
    weights = (scenario.chances(role)[order][:, None] * deals).ravel()
    steps, plies = (each.ravel() for each in np.indices(deals.shape))
    rounds = plies // 2 + 1.0
    if not weights.sum() > 0:
        return np.nan, np.nan
    middle, mean = np.average(steps, weights=weights), np.average(rounds, weights=weights)
    spread = np.average((steps - middle) ** 2, weights=weights)
    together = np.average((steps - middle) * (rounds - mean), weights=weights)
    return float(together / spread) if spread > 0 else np.nan, float(mean)


def table_gain(scenario: Scenario, tables: Tables) -> float:
    """Return what both roles could still gain by other tables, at least.

    A table may say who opened. Each row comes once in a negotiation, so its best action follows
    from what the others hold. Rows are improved from the last decision back, until none can be.
    """
    rng, total = np.random.default_rng(0), 0.0
    play = expected_play(scenario, *tables)
    for role in Role:
        now = play.interim(role, RATE)
        for limit, chance in enumerate(scenario.chances(role)):
            for opener in Role:
                found = max(
                    climb(scenario, role, limit, tables[role.other], opener, rng)
                    for _ in range(CLIMBS)
                )
                total += chance * max(found - now[opener, limit], 0.0) / 2
    return total


def climb(
    scenario: Scenario,
    role: Role,
    limit: int,
    other: TabularPolicy,
    opener: Role,
    rng: np.random.Generator,
) -> float:
    """Return the value of a table of one limit that no change of a single row makes better."""
    P, T = scenario.n_prices, scenario.rounds
    rewards = Payoffs.of(scenario, role).rewards[:, limit]
    dense = other.probabilities.reshape(other.n_tables, -1, scenario.n_actions)
    offers = scenario.views[role][limit].offers(role)
    chances = scenario.chances(role.other)
    answers = np.array([dense[:, other.rows(n, role is not opener)] for n in range(T)])
    # Shapes: answers (decisions, other's limits, offers made, P + 2), reach (limits, standing).
    first = np.zeros((len(chances), P))
    first[:, 0] = chances  # the opener's first decision: any one column
    if role is not opener:
        first = chances[:, None] * dense[:, START, :P]
    chosen = rng.choice(offers, (T, P))
    best = -1.0
    while True:
        reach = [first]
        for n in range(T - 1):
            moves = np.where(chosen[n] < P, chosen[n], 0)
            asked = np.where(chosen[n] < P, reach[n], 0.0)
            reach.append(np.einsum("ji,jia->ja", asked, answers[n][:, moves, :P]))
        after = np.zeros_like(first)
        for n in reversed(range(T)):
            values = np.full((len(chances), P, P + 2), -np.inf)
            if role is opener or n < T - 1:
                going = answers[n][..., P] * rewards + RATE * np.einsum(
                    "jqa,ja->jq", answers[n][..., :P], after
                )
                values[..., offers] = going[:, None, offers]
            if role is not opener or n > 0:
                values[:, offers, P] = rewards[offers]
                values[..., P + 1] = 0.0
            weighed = reach[n] + 1e-12 * chances[:, None]
            sums = np.where(np.isfinite(values[0]), 0.0, -np.inf)
            np.add(sums, np.einsum("ji,jia->ia", weighed, np.maximum(values, -1e9)), out=sums)
            chosen[n] = sums.argmax(axis=1)
            after = np.take_along_axis(values, chosen[n][None, :, None], 2)[..., 0]
        value = float((first * after).sum())
        if value <= best + 1e-12:
            return value
        best = value


def insisting(scenario: Scenario, role: Role, price: int) -> Floats:
    """Return a Q-table whose limits offer one price, and accept none worse, if it is theirs.

    Other limits accept nothing. Values are those of a deal at this price.
    """
    tables = []
    for view in scenario.views[role]:
        q = np.zeros((scenario.n_states, scenario.n_actions))
        at, offers = scenario.prices.index(price), view.offers(role)
        for state in range(scenario.final_state):
            action = at if at in offers else scenario.walk_away
            legal = view.legal_actions(state, role)
            if state != START and at in offers:
                offer = scenario.offer_and_time(state)[0]
                if offer >= at if role is Role.SELLER else offer <= at:
                    action = scenario.accept
            if action not in legal:
                extreme = offers[-1] if role is Role.SELLER else offers[0]
                action = extreme if state == START else scenario.walk_away
            q[state, action] = max(view.reward(role, price), 0.01)
        tables.append(q)
    return np.concatenate(tables)


def exhaustive(scenario: Scenario) -> tuple[int, int, float]:
    """Return the number of pairs of tie-free tables, those with NashConv 0, and the least one."""
    kinds: list[list[Floats]] = []
    for role in Role:
        legal = legal_rows(scenario, role).reshape(-1, scenario.n_states, scenario.n_actions)
        kinds.append([tie_free(each[:-1]) for each in legal])
    best = [responses(scenario, role, kinds[role.other]) for role in Role]
    play = paired(scenario, kinds)
    zeros, total, least = 0, 0, np.inf
    of_seller = best[Role.SELLER].ravel()  # by the buyer's tables
    for k, m in product(*(range(len(each)) for each in kinds[Role.SELLER])):
        earned = play[0][0][k][:, None] + play[0][1][k] + play[1][0][m][:, None] + play[1][1][m]
        found = of_seller + best[Role.BUYER][k, m] - earned.ravel()
        total, least = total + found.size, min(least, float(found.min()))
        zeros += int((found < 1e-12).sum())
    return total, zeros, max(least, 0.0)


def tie_free(legal: NDArray[np.bool_]) -> Floats:
    """Return all tables with one action per row, shape (tables, rows, actions)."""
    rows = [np.flatnonzero(row) for row in legal]
    return np.array([np.eye(legal.shape[1])[list(each)] for each in product(*rows)])


def responses(scenario: Scenario, role: Role, others: list[Floats]) -> Floats:
    """Return the value of the best response to each pair of tables of the other's two limits."""
    found = np.empty([len(each) for each in others])
    end = np.zeros((1, scenario.n_actions))
    for k, m in product(*(range(len(each)) for each in others)):
        q = np.concatenate([others[0][k], end, others[1][m], end])
        answer = best_response(scenario, role, greedy(scenario, role.other, q), RATE)
        found[k, m] = np.mean(answer.values)
    return found


def paired(scenario: Scenario, kinds: list[list[Floats]]) -> list[list[Floats]]:
    """Return what both roles earn together, weighted, for each pair of limits and of tables."""
    P, T = scenario.n_prices, scenario.rounds
    rewards = [Payoffs.of(scenario, role).rewards for role in Role]
    chances = [scenario.chances(role) for role in Role]
    found = []
    for k, sellers in enumerate(kinds[0]):
        found.append([])
        for j, buyers in enumerate(kinds[1]):
            sums = np.zeros((len(sellers), len(buyers)))
            sides = sellers[:, None], buyers[None]
            for opener in Role:
                standing = sides[opener][:, :, START, :P] + np.zeros((*sums.shape, P))
                for ply in range(1, 2 * T):
                    role = opener if ply % 2 == 0 else opener.other
                    row = 1 + (ply - 1) // 2 * P
                    acts = sides[role][:, :, row : row + P]
                    for each, limit in zip(Role, (k, j), strict=True):
                        earlier = ply // 2 if each is opener else (ply - 1) // 2
                        deal = standing * acts[..., P] * rewards[each][:, limit]
                        sums += RATE**earlier * deal.sum(axis=-1) / 2
                    asked = np.broadcast_to(acts[..., :P], (*sums.shape, P, P))
                    standing = np.einsum("abp,abpq->abq", standing, asked)
            found[-1].append(chances[0][k] * chances[1][j] * sums)
    return found


Found = dict[Setting, dict[str, Floats]]


def measure(settings: Sequence[Setting], seeds: range) -> Found:
    """Train every setting with every seed; one that computes draws nothing, so one is enough."""
    jobs = [
        (setting, seed)
        for setting in dict.fromkeys(settings)
        for seed in (seeds[:1] if setting.way == COMPUTED else seeds[: setting.seeds])
    ]
    done = dict(with_progress(run_jobs(run_job, jobs, os.cpu_count() or 1), len(jobs), "trainings"))
    rows: dict[Setting, list[Floats]] = {}
    for number, (setting, _) in enumerate(jobs):
        rows.setdefault(setting, []).append(done[number])
    return {
        setting: dict(zip(COLUMNS, np.array(each).T, strict=True)) for setting, each in rows.items()
    }


def shown(values: Floats, digits: int = 3) -> str:
    """Return a mean with its 95% interval, the mean alone of a single value."""
    values = values[np.isfinite(values)]
    if len(values) < 2:
        return f"{values.mean():.{digits}f}" if len(values) else "–"
    found = Estimate.of(values)
    return f"{found.mean:.{digits}f} ± {found.error:.{digits}f}".replace("-", "−")


def seen(values: Floats) -> str:
    """Return a mean with its interval, and the smallest one that would have been told from 0."""
    values = values[np.isfinite(values)]
    more = f" ({Estimate.of(values).detectable:.3f})" if len(values) > 1 else ""
    return shown(values) + more


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table."""
    print(f"{title}\n")
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def near(found: dict[str, Floats]) -> str:
    """Return NashConv, the least, and how many are near 0."""
    each = found["nash_conv"]
    return f"{shown(each)} ({each.min():.3f}; {(each <= NEAR).sum()} of {len(each)})"


def print_who(found: Found) -> None:
    """Print NashConv of recipes and learners by states, and what else is seen with the latter."""
    rows = []
    for setting in (*RECIPE_RUNS, *LEARNER_RUNS, *AVERAGED, *COMPUTING):
        if setting.states == AWARE:
            each, other = found[setting], found.get(replace(setting, **WITHOUT))
            way = setting.way + ", averaged" * setting.averages
            rows.append([setting.spec, way, near(other) if other else "–", near(each)])
            rows[-1] += [shown(each[name]) for name in ("table_gain", "efficiency", "pretends")]
    heads = ["learner", "training", PUBLISHED, AWARE, "of it by a table", "efficiency"]
    table("NashConv by states (least; seeds near 0)", [*heads, "gain by pretending"], rows)


def print_small(found: Found) -> None:
    """Print what an exhaustive search finds in small games, and what learners come to."""
    rows = []
    for limits in SMALL:
        total, zeros, least = exhaustive(replace(small_game(*limits), states=States.PUBLISHED))
        learned = [near(found[each]) for each in SMALL_RUNS if each.small == key(limits)]
        rows.append([f"{limits[0]}, {limits[1]}", f"{total:,}", f"{least:.4f}", f"{zeros:,}"])
        rows[-1] += learned
    heads = ["limits", "pairs of tables", "least NashConv", "pairs with 0"]
    heads += [f"{each.spec}, {each.states}" for each in SMALL_RUNS[: len(SMALL_RUNS) // len(SMALL)]]
    table("two prices, two rounds, two limits a side", heads, rows)


def print_placed(found: Found) -> None:
    """Print NashConv of tables that insist on a price, and of learners that begin with them."""
    rows = []
    for price in (2, 3):
        q = [insisting(HIDDEN, role, price) for role in Role]
        tables = [greedy(HIDDEN, role, q[role]) for role in Role]
        play = expected_play(HIDDEN, *tables)
        cells = [f"{nash_conv(HIDDEN, *tables, rate).total:.4f}" for rate in (RATE, 1.0)]
        rows.append([str(price), *cells, f"{play.efficiency:.3f}"])
        rows[-1] += [near(found[each]) for each in PLACED if each.placed == price]
    heads = ["price", "NashConv", "undiscounted", "efficiency"]
    heads += [f"after learning on, {way}" for way in (STARTS, OPENINGS)]
    table("tables that insist on a price", heads, rows)


def print_by_rounds(found: Found) -> None:
    """Print NashConv by the number of rounds, and how much of it some table could gain."""
    rows = []
    for n, setting in enumerate(BY_ROUNDS):
        each, column = found[setting], n % 4
        if not column:
            rows.append([setting.spec])
        rows[-1].append(f"{near(each)}; {shown(each['table_gain'])}")
    heads = ["learner", *(f"rounds: {rounds}" for rounds in ROUNDS[:4])]
    table("NashConv by rounds (least; seeds near 0); of it by a table", heads, rows)


def print_play(
    found: Found, title: str, settings: Sequence[Setting], name: Callable[..., str]
) -> None:
    """Print who gains, who bluffs, and when deals come."""
    rows = []
    for setting in settings:
        each = found[setting]
        signs = [seen(each["opener"]), seen(2 * each["seller"] - each["efficiency"])]
        cells = [shown(each[column]) for column in ("bluffs", "tells", "round")]
        rows.append([name(setting), shown(each["efficiency"]), *signs, *cells, seen(each["later"])])
    heads = ["", "efficiency", "opener less other (smallest seen)", "seller less buyer"]
    heads += ["bluffs", "opening tells", "round of deals", "later per step (smallest seen)"]
    table(title, heads, rows)


def print_averages(averaged: Floats, last: Floats) -> None:
    """Print NashConv of averages and of last policies, and the smallest difference seen."""
    less = Estimate.of(averaged).minus(Estimate.of(last))
    difference = f"{less.mean:.3f} ± {less.error:.3f} ({less.detectable:.3f})".replace("-", "−")
    heads = ["averaged", "last", "difference (smallest seen)"]
    table("NashConv of averages", heads, [[shown(averaged), shown(last), difference]])


def print_patience(found: Found) -> None:
    """Print NashConv by the discount rate, and as a part of what best responses earn."""
    every = [found[each] for each in PATIENT]
    rows = [
        [name, *(shown(each[column]) for each in every)]
        for name, column in (("NashConv", "nash_conv"), ("of what best responses earn", "part"))
    ]
    table("patience", ["discount rate", *(f"{each.rate:g}" for each in PATIENT)], rows)


def print_crossing(found: Found) -> None:
    """Print how many trainings reach more than the ceiling, and what pretending gains in them."""
    most = ceiling(HIDDEN) / first_best(HIDDEN)
    runs = [each for setting, each in found.items() if setting.scenario.limits == HIDDEN.limits]
    reached, gains = (
        np.concatenate([each[column] for each in runs]) for column in ("efficiency", "pretends")
    )
    above = reached > most + 1e-9
    rows = [
        [name, str(at.sum()), shown(gains[at], 4), f"{gains[at].min():.4f}" if at.any() else "–"]
        for name, at in ((f"above {most:.4f}", above), ("not above", ~above))
    ]
    heads = ["efficiency", "trainings", "gain by pretending", "least"]
    table("trainings above the ceiling", heads, rows)


def key(limits: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return limits as a part of a setting."""
    return tuple(limits[0]), tuple(limits[1])


RECIPE_RUNS = [Setting(Q, states, name) for states in (PUBLISHED, AWARE) for name in RECIPES]
LEARNER_RUNS = [
    Setting(name, states, climbs=states == AWARE, seeds=FEW)
    for name in NAMES
    for states in (PUBLISHED, AWARE)
]
AVERAGED = [
    Setting(Q, states, way, averages=True, climbs=states == AWARE, seeds=FEW)
    for states in (PUBLISHED, AWARE)
    for way in (STARTS, OPENINGS)
]
COMPUTING = [Setting(name, AWARE, COMPUTED, climbs=True) for name in CFR]
SMALL_RUNS = [
    Setting(spec, states, way, small=key(limits))
    for limits in SMALL
    for spec, states, way in (
        (Q, PUBLISHED, STARTS),
        (Q, AWARE, STARTS),
        ("wolf-phc", AWARE, STARTS),
        (CFR[1], AWARE, COMPUTED),
    )
]
BY_ROUNDS = [
    Setting(spec, way=way, rounds=rounds, climbs=True, seeds=SEEDS if way == COMPUTED else FEW)
    for spec, way in ((CFR[1], COMPUTED), ("wolf-phc", STARTS), (Q, STARTS))
    for rounds in ROUNDS[:4]
]
PLACED = [Setting(Q, way=way, placed=price) for price in (2, 3) for way in (STARTS, OPENINGS)]
LENGTHS = [Setting(rounds=rounds) for rounds in ROUNDS]
RATES = [Setting(buyers_rate=rate) for rate in PATIENCE]
PLAYING = [
    Setting(states=states, way=way) for states in (PUBLISHED, AWARE) for way in (STARTS, OPENINGS)
]
AVERAGE = Setting(averages=True)
PATIENT = [
    Setting(way="annealing", rate=rate, seeds=10) for rate in (1.0, 0.99, 0.9, 0.7, 0.5, 0.3, 0.1)
]


def main() -> None:
    """Train everything, and print the tables."""
    options = argparse.ArgumentParser(description="How do learners haggle with hidden limits?")
    options.add_argument("--runs", type=int, default=SEEDS, metavar="N", help="(%(default)s)")
    seeds = range(max(2, options.parse_args().runs))
    settings = [
        *RECIPE_RUNS,
        *LEARNER_RUNS,
        *AVERAGED,
        *COMPUTING,
        *SMALL_RUNS,
        *BY_ROUNDS,
        *PLACED,
    ]
    found = measure([*settings, *LENGTHS, *RATES, *PLAYING], seeds)
    print_who(found)
    print_small(found)
    print_by_rounds(found)
    print_placed(found)
    print_crossing(found)
    print_play(
        found,
        "play",
        [*PLAYING, *COMPUTING],
        lambda each: f"{each.spec}, {each.states}, {each.way}",
    )
    print_play(found, "rounds", LENGTHS, lambda each: str(each.rounds))
    print_play(found, "patience of the buyer", RATES, lambda each: str(each.buyers_rate))
    more = measure([AVERAGE, *PATIENT], seeds)
    print_averages(more[AVERAGE]["nash_conv"], found[Setting()]["nash_conv"])
    print_patience(more)


if __name__ == "__main__":
    run(main)
