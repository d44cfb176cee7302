"""Digests of computed values, to show that moving and renaming code changes none of them.

Each entry of `VALUES` computes one value. Names of columns, states and parameters are left out of
every digest, so that only numbers are compared. `python -m tests.support.pinned` writes the file.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import negotiation_tui as nt
from negotiation_tui.cli.main import main
from negotiation_tui.learning.compiling import compile_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.recipes import RECIPES
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import Recorder
from negotiation_tui.sessions.training_session import TrainingSession
from tests.support.paths import DATA

DIGESTS = DATA / "pinned.json"
OPENER_AWARE = "opener-aware"
NEGOTIATIONS = "negotiations"

GAPS = {
    "name": "gaps",
    "prices": [3, 5, 9, 10],
    "rounds": 3,
    "seller": {"min": 5, "max": 10},
    "buyer": {"min": 3, "max": 9},
}

# scenario, states, recipe, seller, buyer, opener, train_both, train_agent, cycles, episodes
TRAININGS: dict[str, tuple[Any, ...]] = {
    "original": ("original", None, "published", None, None, None, True, "seller", 50, 100),
    "buyer-first": ("original", None, "published", None, None, None, True, "buyer", 31, 100),
    "seller-alone": ("original", None, "published", None, None, None, False, "seller", 20, 100),
    "buyer-alone": ("original", None, "published", None, None, None, False, "buyer", 20, 100),
    "corrected": ("original", None, "corrected", None, None, None, True, "seller", 30, 100),
    "exploring": ("original", None, "exploring-starts", None, None, None, True, "seller", 40, 50),
    "reverse": ("original", None, "reverse-curriculum", None, None, None, True, "seller", 40, 50),
    "seller-opens": ("original", None, "published", None, None, "seller", True, "seller", 20, 100),
    "buyer-opens": ("original", None, "published", None, None, "buyer", True, "seller", 20, 100),
    "aware": ("original", True, "published", None, None, None, True, "seller", 50, 100),
    "aware-corrected": ("original", True, "corrected", None, None, None, True, "buyer", 25, 100),
    "aware-exploring": (
        "original",
        True,
        "exploring-starts",
        None,
        None,
        None,
        True,
        "seller",
        40,
        50,
    ),
    "aware-reverse": (
        "original",
        True,
        "reverse-curriculum",
        None,
        None,
        None,
        True,
        "seller",
        60,
        50,
    ),
    "aware-reverse-buyer": (
        "original",
        True,
        "reverse-curriculum",
        None,
        None,
        "buyer",
        True,
        "seller",
        60,
        50,
    ),
    "fine": ("fine", None, "published", None, None, None, True, "seller", 10, 60),
    "fine-aware-reverse": (
        "fine",
        True,
        "reverse-curriculum",
        None,
        None,
        None,
        True,
        "seller",
        20,
        60,
    ),
    "gaps": (GAPS, None, "published", None, None, None, True, "seller", 20, 60),
    "gaps-aware-buyer": (
        GAPS,
        True,
        "reverse-curriculum",
        None,
        None,
        "buyer",
        True,
        "buyer",
        20,
        60,
    ),
    "against-midpoint": (
        "original",
        None,
        "published",
        None,
        "midpoint",
        None,
        True,
        "seller",
        20,
        60,
    ),
    "against-boulware": (
        "original",
        None,
        "published",
        "boulware:beta=0.5",
        None,
        None,
        True,
        "seller",
        20,
        60,
    ),
    "against-equilibrium": (
        "original",
        True,
        "published",
        "equilibrium",
        None,
        None,
        True,
        "buyer",
        20,
        60,
    ),
    "against-response": (
        "original",
        True,
        "published",
        None,
        "best-response",
        None,
        True,
        "seller",
        20,
        60,
    ),
    "against-history": (
        "original",
        None,
        "published",
        None,
        "tit-for-tat",
        None,
        True,
        "seller",
        8,
        40,
    ),
    "legacy-against-conceder": (
        "legacy",
        None,
        "published",
        "conceder:beta=3",
        None,
        None,
        True,
        "buyer",
        5,
        60,
    ),
    "static-both": (
        "legacy",
        None,
        "published",
        "boulware",
        "midpoint",
        None,
        True,
        "seller",
        3,
        40,
    ),
}

PAIRS = (
    ("legacy", "midpoint", "midpoint"),
    ("legacy", "boulware", "conceder:beta=3"),
    ("legacy", "micro", "tit-for-tat"),
    ("legacy", "zeuthen", "zeuthen"),
    ("original", "random", "random"),
    ("original", "equilibrium", "best-response"),
    ("fine", "random", "boulware:beta=0.1"),
    (GAPS, "random", "conceder"),
)


def digest(*parts: Any) -> str:
    """A digest of arrays and plain values."""
    total = sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            total.update(str((part.shape, part.dtype.kind)).encode())
            total.update(np.ascontiguousarray(part).tobytes())
        else:
            total.update(repr(part).encode())
    return total.hexdigest()[:24]


def turns(transcript: nt.Transcript) -> list[tuple[int, int, int, bool]]:
    """Role, round, action and exploration of each turn."""
    return [(int(t.role), t.round, t.action, bool(t.explored)) for t in transcript.turns]


def scenario_of(words: Any, aware: bool | None, opener: str | None) -> nt.Scenario:
    """A scenario with the states and the opener of a combination."""
    scenario = nt.Scenario.of(words)
    if aware:
        scenario = replace(scenario, states=nt.States.of(OPENER_AWARE))
    return replace(scenario, opener=nt.Opener.of(opener)) if opener else scenario


def training(name: str, compiled: bool) -> str:
    """Tables, statistics and the last transcript of one training."""
    words, aware, recipe, seller, buyer, opener, both, agent, cycles, episodes = TRAININGS[name]
    scenario = scenario_of(words, aware, opener)
    parameters = replace(RECIPES[recipe](scenario), cycles=cycles, episodes=episodes)
    one, other = (None if each is None else nt.strategy(each) for each in (seller, buyer))
    run = ConcurrentTraining(scenario, parameters, 7, both, agent, one, other)
    if compiled:
        backend = compile_backend()
        assert backend is not None
        run.use(backend)
    run.run()
    last = run.last_negotiation
    assert last is not None
    return digest(run.q_tables, run.statistics.counts, turns(last))


def transcripts() -> str:
    """Turns of several pairs of strategies, three seeds each, both openers."""
    return digest(
        *(
            turns(nt.negotiate(scenario, seller, buyer, opener, seed))
            for scenario, seller, buyer in PAIRS
            for opener in ("seller", "buyer")
            for seed in (1, 2, 3)
        )
    )


def tests_and_equilibria() -> str:
    """Results of both tests, NashConv and equilibria."""
    trained = nt.train("original", seed=7)
    corrected, published = trained.test(), trained.test(as_published=True)
    wallets = [(each.seller_wallet, each.buyer_wallet) for each in (corrected, published)]
    gap = trained.nash_conv()
    exact = [nt.solve(each) for each in ("original", "legacy", "fine")]
    return digest(wallets, gap.total, *(np.nan_to_num(each.prices, nan=-1.0) for each in exact))


def _program(*words: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        status = main(list(words))
    assert not status, status
    return out.getvalue()


def numbers(rows: Iterable[Iterable[str]]) -> list[list[str]]:
    """The cells that are numbers."""

    def number(cell: str) -> bool:
        try:
            float(cell)
        except ValueError:
            return False
        return True

    return [[cell for cell in row if number(cell)] for row in rows]


def _file_of(name: str, *words: str) -> list[list[str]]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        _program(*words, "--out", str(path))
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))[1:]


def sweep() -> str:
    """Rows of a sweep: everything from the seed on."""
    rows = _file_of(
        "rows.csv", "sweep", "--set", "learning_rate=0.1,0.3", "--set", "cycles=6",
        "--set", "buyer=learned,midpoint", "--runs", "2", "--seed", "3",
    )  # fmt: skip
    return digest(numbers(row[24:] for row in rows), len(rows))


def tournament() -> str:
    """Rows of a tournament, with a learner trained for it."""
    played = nt.run_tournament(
        "original",
        ["boulware", "micro", "equilibrium", "learned", "random"],
        negotiations=40,
        seed=5,
    )
    values = [[v for v in row.values() if isinstance(v, int | float)] for row in played.rows]
    return digest(values)


def market(limit: str, **settings: Any) -> str:
    """Every array of a saved market."""
    room = nt.run_market(limit=limit, seed=7, **settings)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "market.npz"
        room.save(path)
        with np.load(path) as file:
            arrays = [file[name] for name in sorted(file.files) if name != "about"]
    kinds = [each for each in arrays if each.dtype.kind in "ifbu"]
    return digest(*kinds)


def record(path: Path) -> None:
    """Record a training: offers watched, a person at the table, another strategy, a test."""
    scenario = scenario_of("original", True, None)
    parameters = replace(RECIPES["reverse-curriculum"](scenario), cycles=3, episodes=5)
    recorder = Recorder(TrainingSession(scenario, parameters, 4), path)
    for command in (
        do.Play(1), do.Play(1), do.Play(7), do.PlayCycle(),
        do.TakeSeat(nt.Role.BUYER, "boulware"), do.Play(1), do.Play(2),
        do.SetOpener(nt.Opener.BUYER), do.Play(1), do.Play(1), do.Restart(), do.Play(3),
    ):  # fmt: skip
        recorder.handle(command)


def recording() -> str:
    """Negotiations of a recorded training, as far as they are numbers."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        record(path)
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return digest([[line["turns"], line["learned"], line["counts"]] for line in lines])


POPULATION = {"sellers": 12, "buyers": 10, "costs": [1, 2, 3], "values": [5, 4, 3]}
VALUES: dict[str, Callable[[], str]] = {
    **{
        f"training {name} {form}": partial(training, name, form == "compiled")
        for name in TRAININGS
        for form in ("plain", "compiled")
    },
    "transcripts": transcripts,
    "tests and equilibria": tests_and_equilibria,
    "sweep": sweep,
    "tournament": tournament,
    "recording": recording,
    "market of negotiations": partial(market, f"{NEGOTIATIONS}=6000", **POPULATION),
    "market of steps": partial(market, "steps=900", **POPULATION),
    "market of teams": partial(
        market, f"{NEGOTIATIONS}=3000", teams={"a": ["seller"], "b": ["buyer-1", "buyer-2"]},
        team_reward=True, seller="boulware", **POPULATION,
    ),
}  # fmt: skip

if __name__ == "__main__":
    found = {name: value() for name, value in VALUES.items()}
    DIGESTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
