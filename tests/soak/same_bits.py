"""One seed, one run: trainings and markets played in every way, equal to the bit."""

from functools import cache
from itertools import count as numbers
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from negotiation_tui import Role, Scenario
from negotiation_tui.learning.backend import PLAIN, Backend
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.market.agents import Agent, population
from negotiation_tui.market.checkpoint import load_simulation, save_simulation
from negotiation_tui.market.headless import warm
from negotiation_tui.market.run_length import RunLength
from negotiation_tui.market.simulation import MarketSimulation
from negotiation_tui.players.run import Run, training_of
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.sessions.replay_session import ReplaySession
from negotiation_tui.sessions.saving import record_to
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.tui.negotiation import pace as paces
from tests.support.lotteries import lottery
from tests.support.screen_driver import watched as shown
from tests.support.trainings import same_training

SMALL, LONG = 2, 400
RULES = ("midpoint", "boulware:beta=0.5", "tit-for-tat", "random", "micro")
SPECS = ("learned", "learned", "learned", *RULES)


def attack(random: Random) -> None:
    random.choice((training, training, market))(random)


@cache
def compiled() -> tuple[Backend, ...]:
    backend = fastest_backend()
    return () if backend is PLAIN else (backend,)


def job_of(random: Random) -> Run:
    seats = random.choice(SPECS), random.choice(SPECS)
    window = random.choice((0, 0, 3)) if seats == ("learned", "learned") else 0
    parameters = Parameters(
        cycles=random.randint(1, 6),
        episodes=random.choice((1, 7, 40)),
        learning_rate=random.choice((0.05, 0.1, 1.0)),
        discount_rate=random.choice((0.5, 0.9, 1.0)),
        initial_value=random.choice((0.0, 1.0)),
        exploration_restarts=random.random() < 0.5,
        expected_updates=seats == ("learned", "learned") and random.random() < 0.3,
        curriculum_window=window,
        curriculum_shift_every=random.choice((0, 1)) if window else 0,
    )
    agents = random.random() < 0.8, random.choice(list(Role))
    scenario = lottery(
        np.random.default_rng(random.randrange(1 << 32)), 8, 5, known=random.random() < 0.7
    )
    return Run(scenario, parameters, random.randrange(1 << 32), seats, *agents)


def plain_training(job: Run, backend: Backend = PLAIN) -> ConcurrentTraining:
    started = training_of(job)
    started.use(backend)
    return started


def training(random: Random) -> None:
    """Compare a training with itself: compiled, in parts, on a screen, recorded and replayed."""
    job = job_of(random)
    whole = plain_training(job)
    whole.run()
    for backend in compiled():
        other = plain_training(job, backend)
        other.run()
        assert same_training(whole, other), f"compiled: {job}"
    parts = plain_training(job)
    while not parts.finished:
        left = parts.parameters.total - parts.episode
        parts.run_episodes(min(left, random.choice((1, 3, 50))))
        parts.use(random.choice((PLAIN, *compiled())))
    assert same_training(whole, parts), f"in parts: {job}"
    if whole.learner(0) is None:
        return  # on a screen, play without a learner is no part of the training
    assert_shown(whole, watched(random, job), f"on a screen: {job}")
    path = Path("run.jsonl")
    recorder = record_to(TrainingSession(job), path)
    while not recorder.snapshot.finished:
        recorder.handle(random.choice((do.Play(1), do.Play(7), do.PlayCycle())))
    assert_shown(whole, recorder.snapshot, f"recorded: {job}")
    replay = ReplaySession(read(path))
    while not replay.snapshot.finished:
        replay.handle(do.Play(1 << 20))
    assert_shown(whole, replay.snapshot, f"replayed: {job}")


def watched(random: Random, job: Run) -> Any:
    session = TrainingSession(job)
    loop = shown(session, pace=random.choice(paces.NAMES), paused=False)
    for turn in numbers():
        if session.snapshot.finished:
            return session.snapshot
        if turn > 40:  # rest of a slow run
            loop.press("esc", "c")  # the help takes letters
            continue
        loop.press(random.choice(("+", "-", "n", ".", "c", "space", "?", "e", "i", ",", "]")))
        loop.tick(0.5, 0.1).step(2).text()
    raise AssertionError


def assert_shown(whole: ConcurrentTraining, snapshot: Any, what: str) -> None:
    for role in Role:
        shown = snapshot.q_tables[role]
        if shown is not None:
            assert np.array_equal(shown, whole.q_table(role)), f"{what}: table of the {role}"
    counts = snapshot.statistics.counts
    assert np.array_equal(counts, whole.statistics.counts[: len(counts)]), f"{what}: counts"


def market(random: Random) -> None:
    """Compare a market with itself: compiled, in parts, watched, saved and gone on with."""
    agents, scenario = agents_of(random), Scenario.original()
    unit, most = random.choice((("negotiations", 600), ("steps", 150)))
    limit = RunLength(unit, random.randint(1, most))
    seed, team_reward = random.randrange(1 << 32), random.random() < 0.5

    def opened() -> MarketSimulation:
        return MarketSimulation(scenario, agents, limit, seed, team_reward)

    whole, parts, saved = opened(), opened(), opened()
    whole.run()
    backends = (PLAIN, *filter(None, (warm(),)))
    while not parts.finished:
        if random.random() < 0.3:
            parts.watch()
        parts.run(random.choice((1, 2, 30)))
        parts.use(random.choice(backends))
    assert_same_market(whole, parts, f"in parts: {agents}, {limit}, seed {seed}")
    saved.run(random.randint(0, max(1, whole.tick)))
    save_simulation("saved.npz", saved)
    again = load_simulation("saved.npz")
    again.use(random.choice(backends))
    again.run()
    assert_same_market(whole, again, f"saved: {agents}, {limit}, seed {seed}")
    session = MarketSession(opened)
    while not session.simulation.finished:
        session.handle(random.choice((do.Play(1), do.Play(40), do.Follow(0), do.Run(None))))
        for _ in range(3):
            session.step()
    assert_same_market(whole, session.simulation, f"on a screen: {agents}, {limit}, seed {seed}")


def agents_of(random: Random) -> list[Agent]:
    rng, agents = np.random.default_rng(random.randrange(1000)), list[Agent]()
    for role, worth in ((Role.SELLER, [0, 1, 2]), (Role.BUYER, [5, 4, 3])):
        for number in range(random.randint(1, 3)):
            spec = random.choice(
                ("learned", "learned", "boulware", "zero-intelligence", "midpoint")
            )
            n = random.randint(1, 6)
            agents += population(role, f"{role}{number}", n, worth, rng, spec)
    return agents


def assert_same_market(one: MarketSimulation, other: MarketSimulation, what: str) -> None:
    mine, theirs = one.state(), other.state()
    assert mine.keys() == theirs.keys()
    for name, value in mine.items():
        assert np.array_equal(value, theirs[name], equal_nan=value.dtype.kind == "f"), (
            f"{what}: {name}"
        )
