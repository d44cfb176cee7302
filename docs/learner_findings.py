"""Make the figures on learners in docs/findings.md: `python docs/learner_findings.py`.

Trains learners in both seats of `original` over all processors, judges them exactly, and prints
tables with 95% intervals. Takes about a quarter of an hour of processor time, half of that on two
processors; `--runs 5` takes a quarter of it.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.learner_registry import LEARNERS, learner
from negotiation_tui.learning.nash_conv_series import nash_conv_of
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.interrupts import run
from negotiation_tui.runtime.output import with_progress
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.solvers.expected_play import expected_play
from negotiation_tui.strategies.matchup import tables_of

SEEDS = 20
N_CYCLES = 2_000  # of 100 episodes
ITERATIONS = 2_000  # of learners that compute
LONG = 8_000  # of fictitious play
DYNAMIC = 80  # of best-response dynamics
JUDGED = 40  # times in a training
NEAR = 0.01
PUBLISHED, FALLING, STARTS = "as published", "falling ε", "random starts"
FALLS = {
    "exploration_restarts": False,
    "exploration_end": 0.01,
    "exploration_decay": 6 / (100 * N_CYCLES),
}
WAYS: dict[str, dict[str, Any]] = {
    PUBLISHED: {},
    FALLING: FALLS,
    STARTS: {**FALLS, "curriculum_window": 10},
}
"""Changes of the published training: ε falls once, to 0.01; episodes begin at any decision."""


def grid(n: int) -> dict[str, Any]:
    """Return a game like `original` with n prices and n rounds."""
    whole = {"min": 1, "max": n}
    seller, buyer = ({**whole, "reservation": price} for price in (0, n))
    return {"prices": n, "rounds": n, "seller": seller, "buyer": buyer}


GAMES: dict[str, dict[str, Any]] = {
    "original": grid(5),
    "10 × 10": grid(10),
    "fine": grid(20),
    "both ends": {"prices": 5, "rounds": 5},  # 1 is worth 0 to the seller, 5 to the buyer
    "with ties": {
        "prices": list(range(9)),
        "rounds": 4,
        "seller": {"min": 2, "max": 8},
        "buyer": {"min": 0, "max": 6},
    },
}
AWARE, WITHOUT = States.OPENER_AWARE.value, States.PUBLISHED.value


@dataclass(frozen=True)
class Setting:
    """A training of two learners, which are equal unless the buyer is named."""

    seller: str
    states: str = AWARE
    way: str = STARTS
    buyer: str = ""
    game: str = "original"
    expected: bool = False
    cycles: int = N_CYCLES
    episodes: int = 100
    judged: int = JUDGED


def run_job(job: tuple[Setting, int]) -> NDArray[np.float64]:
    """Train one setting with one seed, in a worker process: a row per moment that is judged.

    Columns: finished episodes, NashConv, the seller's share of the price range, the buyer's.
    """
    setting, seed = job
    scenario = Scenario.from_dict({**GAMES[setting.game], "states": setting.states})
    way = WAYS[setting.way]
    if "curriculum_window" in way:
        way = {**way, "curriculum_window": 2 * scenario.rounds}
    parameters = Parameters.from_dict(
        {
            **way,
            "cycles": setting.cycles,
            "episodes": setting.episodes,
            "expected_updates": setting.expected,
        }
    )
    seats = [learner(spec) for spec in (setting.seller, setting.buyer or setting.seller)]
    training = ConcurrentTraining(
        scenario, parameters, seed, seller=seats[0], buyer=seats[1], backend=fastest_backend(seats)
    )
    step = max(1, setting.cycles // setting.judged)
    rows = []
    while not training.finished:
        training.run(min(step, setting.cycles - training.cycle))
        distance = nash_conv_of(training)
        assert distance
        rows.append((training.episode, distance.total, *shares(training)))
    return np.array(rows)


def shares(training: ConcurrentTraining) -> NDArray[np.float64]:
    """Return the mean reward of seller and buyer, exactly; openers alternate."""
    scenario = training.scenario
    tables = tables_of(scenario, *(training.policy(role) for role in Role))
    assert tables
    deals = expected_play(scenario, *tables).between[:, 0, 0].mean(axis=0)
    rewards = [[scenario.reward(role, price) for price in scenario.prices] for role in Role]
    return np.asarray(np.array(rewards) @ deals)


Found = dict[Setting, NDArray[np.float64]]
"""What `run_job` returns for each seed: shape (seeds, moments, columns)."""


def measure(settings: Sequence[Setting], seeds: range) -> Found:
    """Train every setting with every seed; one that computes draws nothing, so one is enough."""
    jobs = [
        (setting, seed)
        for setting in dict.fromkeys(settings)
        for seed in (seeds[:1] if setting in (*COMPUTING, *LONGER, *DYNAMICS) else seeds)
    ]
    running = run_jobs(run_job, jobs, os.cpu_count() or 1)
    done = dict(with_progress(running, len(jobs), "trainings"))
    found: dict[Setting, list[NDArray[np.float64]]] = {}
    for number, (setting, _) in enumerate(jobs):
        found.setdefault(setting, []).append(done[number])
    return {setting: np.array(rows) for setting, rows in found.items()}


def last(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return NashConv at the end of each training."""
    return np.asarray(rows[:, -1, 1])


def late(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return NashConv at the moments of the last quarter, shape (seeds, moments)."""
    return np.asarray(rows[:, -max(2, rows.shape[1] // 4) :, 1])


def settled(rows: NDArray[np.float64], near: float = NEAR) -> NDArray[np.float64]:
    """Return the episodes after which NashConv stays at or below `near`; inf if it never does."""
    far = rows[:, :, 1] > near
    n = rows.shape[1]
    first = np.where(far.any(axis=1), n - far[:, ::-1].argmax(axis=1), 0)
    return np.where(first == n, np.inf, rows[0, np.minimum(first, n - 1), 0])


def formatted(values: NDArray[np.float64], digits: int = 3) -> str:
    """Return a mean with its 95% interval."""
    estimate = Estimate.of(values)
    return f"{estimate.mean:,.{digits}f} ± {estimate.error:,.{digits}f}".replace("-", "−")


def compared(values: Estimate, digits: int = 3) -> str:
    """Return a difference with its interval, and the smallest one that would have been seen."""
    told = (
        f"{values.mean:+,.{digits}f} ± {values.error:,.{digits}f} ({values.detectable:,.{digits}f})"
    )
    return told.replace("-", "−")


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table."""
    print(f"{title}\n")
    for row in (heads, ["---"] * len(heads), *rows):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def print_who(found: Found) -> None:
    """Print NashConv of all learners by states and training, and how far it moves to the end."""
    heads = ["learner", *(f"{states}, {way}" for states, way in CASES)]
    ends, moves = [], []
    for name in TRYING:
        rows = [found[Setting(name, *case)] for case in CASES]
        ends.append(
            [name, *(f"{formatted(last(each))} ({(last(each) <= NEAR).sum()})" for each in rows)]
        )
        moves.append([name, *(formatted(np.ptp(late(each), axis=1)) for each in rows)])
    table(f"NashConv in the end (seeds at or below {NEAR})", heads, ends)
    table("greatest less least NashConv in the last quarter", heads, moves)


def print_policies(found: Found) -> None:
    """Print differences of NashConv between learners that are on-policy and Q-learning."""
    rows = []
    for name in ("sarsa", "expected-sarsa", "monte-carlo"):
        cells = []
        for case in CASES:
            one, other = (Estimate.of(last(found[Setting(each, *case)])) for each in (name, Q))
            cells.append(compared(one.minus(other)))
        rows.append([name, *cells])
    heads = ["learner", *(f"{states}, {way}" for states, way in CASES)]
    table("NashConv less that of Q-learning (smallest difference seen)", heads, rows)


def print_computing(found: Found) -> None:
    """Print the course of learners that compute; they draw nothing."""
    rows = []
    for each in COMPUTING:
        run = found[each]
        course = run[0, :, 1]
        early = course[max(0, len(course) // 20 - 1)]
        done = settled(run)[0] / each.cycles * ITERATIONS
        rows.append(
            [
                each.game,
                each.seller.replace("counts_as=1,", ""),
                f"{early:.4f}",
                f"{course[-1]:.4f}",
                f"{late(run).min():.4f} to {late(run).max():.4f}",
                f"{done:,.0f}" if np.isfinite(done) else "never",
            ]
        )
    heads = ["game", "learner", f"after {ITERATIONS // 20:,}", f"after {ITERATIONS:,}"]
    heads += ["in the last quarter", f"iterations to {NEAR} for good"]
    table("NashConv of learners that compute", heads, rows)


def print_longer(found: Found) -> None:
    """Print the course of fictitious play in a run four times as long."""
    moments = [JUDGED // 8 * k - 1 for k in (1, 2, 4, 6, 8)]
    rows = []
    for each in LONGER:
        course = found[each][0, :, 1]
        cells = [f"{course[min(k, len(course) - 1)]:.4f}" for k in moments]
        rows.append([each.game, each.seller.replace("counts_as=1,", ""), *cells])
    heads = [f"after {LONG * (k + 1) // JUDGED:,}" for k in moments]
    table("NashConv of fictitious play", ["game", "learner", *heads], rows)


def print_dynamics(found: Found) -> None:
    """Print the first iterations of best-response dynamics by the rule for ties."""
    rows = []
    for each in DYNAMICS:
        run = found[each]
        done = settled(run, 1e-9)[0]
        rows.append(
            [
                each.game,
                each.seller.rpartition("=")[2],
                f"{done:,.0f}",
                *(f"{share:.3f}" for share in run[0, -1, 2:]),
            ]
        )
    heads = ["game", "ties", "iterations to 0 for good", "share of the seller", "of the buyer"]
    table("best-response dynamics", heads, rows)


def print_ties(found: Found) -> None:
    """Print NashConv by what the first and the last price are worth, and against Q-learning."""
    rows = []
    for name, expected in FORGIVING:
        ends = [last(found[Setting(name, game=game, expected=expected)]) for game in TIES]
        against = f"{Q}:{RATE}" if RATE in name else Q
        plain = last(found[Setting(against, game=TIES[-1])])
        less = compared(Estimate.of(ends[-1]).minus(Estimate.of(plain)))
        near = [f"{formatted(each)} ({(each <= NEAR).sum()})" for each in ends]
        rows.append([name + " with expected updates" * expected, *near, less])
    heads = [*TIES, f"{TIES[-1]}: less Q-learning (smallest seen)"]
    table("NashConv with random starts, opener-aware states", ["learner", *heads], rows)


def print_steps(found: Found) -> None:
    """Print WoLF-PHC with two steps and with one; differences are from the first row."""
    rows = []
    first = found[Setting(STEPS[0])]
    for name in STEPS:
        without, run = found[Setting(name, WITHOUT)], found[Setting(name)]
        ends, done = [Estimate.of(last(each)) for each in (run, first)], settled(run)
        took, usual = Estimate.of(done), Estimate.of(settled(first))
        rows.append(
            [
                name.partition(":")[2],
                formatted(last(without)),
                formatted(np.ptp(late(without), axis=1)),
                formatted(last(run), 4),
                compared(ends[0].minus(ends[1]), 4),
                formatted(done, 0),
                compared(took.minus(usual), 0),
            ]
        )
    heads = [f"{WITHOUT}: NashConv", f"{WITHOUT}: moves by", f"{AWARE}: NashConv", SEEN]
    heads += [f"{AWARE}: episodes to {NEAR} for good", SEEN]
    table("WoLF-PHC", ["steps", *heads], rows)


def print_pairs(found: Found) -> None:
    """Print what the first of two learners gets more than the other, both in either seat."""
    rows = []
    for one, other in PAIRS:
        for states, way in OPPOSED:
            as_seller = found[Setting(one, states, way, other)]
            as_buyer = found[Setting(other, states, way, one)]
            more = as_seller[..., 2] - as_seller[..., 3] + as_buyer[..., 3] - as_buyer[..., 2]
            n = more.shape[1]
            moments = (max(0, n // 20 - 1), max(0, n // 4 - 1), n - 1)
            ends = np.concatenate([last(as_seller), last(as_buyer)])
            cells = [compared(Estimate.of(more[:, k] / 2)) for k in moments]
            rows.append([one, other, states, way, *cells, formatted(ends)])
    heads = ["one", "other", "states", "training", "after 5%", "after 25%", "in the end"]
    table("share of one less share of the other (smallest seen)", [*heads, "NashConv"], rows)


Q = "q-learning"
SEEN = "less the first (smallest seen)"
TRYING = [name for name, each in LEARNERS.items() if isinstance(each, TabularAlgorithm)]
CASES = (
    (WITHOUT, PUBLISHED),
    (WITHOUT, STARTS),
    (AWARE, PUBLISHED),
    (AWARE, FALLING),
    (AWARE, STARTS),
)
AVERAGES = [
    f"{name}:counts_as=1,output={output}{more}"
    for name, more in (("fictitious-play", ""), ("cfr", ""), ("cfr", ",plus=true"))
    for output in ("average", "last")
]
COMPUTING = [
    Setting(
        name,
        game=game,
        way=PUBLISHED,
        episodes=1,
        cycles=ITERATIONS * (2 if LEARNERS[name.partition(":")[0]].schedule == "alternate" else 1),
    )
    for game in ("original", "10 × 10", "fine")
    for name in AVERAGES
]
LONGER = [
    Setting(name, game=game, way=PUBLISHED, episodes=1, cycles=LONG)
    for game in ("10 × 10", "fine")
    for name in AVERAGES[:2]
]
DYNAMICS = [
    Setting(
        f"best-response-dynamics:counts_as=1,tie_break={rule}",
        game=game,
        way=PUBLISHED,
        episodes=1,
        cycles=DYNAMIC,
        judged=DYNAMIC,
    )
    for game in ("original", "10 × 10", "fine")
    for rule in ("uniform", "accept", "reject")
]
TIES = ("original", "both ends", "with ties")
RATE = "learning_rate=1.0"
FORGIVING = (
    *((name, False) for name in (Q, "hysteretic", "hysteretic:decrease=0.5", "lenient")),
    *((f"{Q}:{RATE}", expected) for expected in (False, True)),
    *((f"{name}:{RATE}", False) for name in ("hysteretic", "lenient", "double-q")),
    (f"hysteretic:decrease=0.5,{RATE}", False),
    *((name, False) for name in ("sarsa", "expected-sarsa", "double-q", "monte-carlo")),
    ("monte-carlo:average=true", False),
    *((name, False) for name in ("roth-erev", "reinforce", "actor-critic", "wolf-phc")),
)
STEPS = [
    f"wolf-phc:delta_win={win},delta_lose={lose}"
    for win, lose in (
        (0.01, 0.04),
        (0.01, 0.01),
        (0.04, 0.04),
        (0.04, 0.01),
        (0.1, 0.4),
        (0.4, 0.4),
    )
]
PAIRS = (
    ("q-learning:learning_rate=0.3", "q-learning:learning_rate=0.03"),
    ("wolf-phc:delta_win=0.02,delta_lose=0.08", "wolf-phc:delta_win=0.002,delta_lose=0.008"),
    ("reinforce:learning_rate=0.5", "reinforce:learning_rate=0.05"),
    ("sarsa", Q),
    ("monte-carlo", Q),
    ("hysteretic", Q),
    ("wolf-phc", Q),
    ("reinforce", Q),
    ("roth-erev", Q),
    ("wolf-phc", "reinforce"),
    ("wolf-phc", "roth-erev"),
)
OPPOSED = ((WITHOUT, FALLING), (AWARE, STARTS))


def main() -> None:
    """Train everything, and print the tables."""
    options = argparse.ArgumentParser(description="How do learners compare?")
    options.add_argument("--runs", type=int, default=SEEDS, metavar="N", help="(%(default)s)")
    seeds = range(max(2, options.parse_args().runs))
    found = measure(
        [
            *(Setting(name, *case) for name in TRYING for case in CASES),
            *(Setting(name, game=game, expected=each) for name, each in FORGIVING for game in TIES),
            *(Setting(name, states) for name in STEPS for states in (WITHOUT, AWARE)),
            *(
                Setting(seller, states, way, buyer)
                for one, other in PAIRS
                for seller, buyer in ((one, other), (other, one))
                for states, way in OPPOSED
            ),
            *COMPUTING,
            *LONGER,
            *DYNAMICS,
        ],
        seeds,
    )
    print_who(found)
    print_policies(found)
    print_computing(found)
    print_longer(found)
    print_dynamics(found)
    print_ties(found)
    print_steps(found)
    print_pairs(found)


if __name__ == "__main__":
    run(main)
