"""Digests of computed values, to show that moving and renaming code changes none of them.

Each entry of `VALUES` computes one value, as far as possible through the public package and the
commands of sessions, so that renaming what is inside needs no edits here. Names count only in files
and in what is printed as JSON; elsewhere numbers alone are compared. Sums whose last digit depends
on the processor are rounded. `python -m tests.support.pinned` writes the file.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import negotiation_tui as nt
from negotiation_tui.cli.main import main
from negotiation_tui.game.learned import WithPolicy, WithValues
from negotiation_tui.learning.ancestry import Entry
from negotiation_tui.learning.backend import PLAIN
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.learning.hyperparameters import RECIPES
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.recorder import record_to
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.training_session import TrainingSession
from tests.support.paths import DATA
from tests.support.trainings import new_session

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

TRAININGS = {
    "original": "cycles=50 episodes=100",
    "buyer-first": "first=buyer cycles=31 episodes=100",
    "seller-alone": "alone episodes=100",
    "buyer-alone": "alone first=buyer episodes=100",
    "corrected": "recipe=corrected cycles=30 episodes=100",
    "exploring": "recipe=exploring-starts cycles=40 episodes=50",
    "reverse": "recipe=reverse-curriculum cycles=40 episodes=50",
    "seller-opens": "opener=seller episodes=100",
    "buyer-opens": "opener=buyer episodes=100",
    "aware": "aware cycles=50 episodes=100",
    "aware-corrected": "aware recipe=corrected first=buyer cycles=25 episodes=100",
    "aware-exploring": "aware recipe=exploring-starts cycles=40 episodes=50",
    "aware-reverse": "aware recipe=reverse-curriculum cycles=60 episodes=50",
    "aware-reverse-buyer": "aware recipe=reverse-curriculum opener=buyer cycles=60 episodes=50",
    "fine": "scenario=fine cycles=10",
    "fine-aware-reverse": "scenario=fine aware recipe=reverse-curriculum",
    "gaps": "scenario=gaps",
    "gaps-aware-buyer": "scenario=gaps aware recipe=reverse-curriculum opener=buyer first=buyer",
    "against-midpoint": "buyer=midpoint",
    "against-boulware": "seller=boulware:beta=0.5",
    "against-equilibrium": "aware seller=equilibrium first=buyer",
    "against-response": "aware buyer=best-response",
    "against-history": "buyer=tit-for-tat cycles=8 episodes=40",
    "legacy-against-conceder": "scenario=legacy seller=conceder:beta=3 first=buyer cycles=5",
    "static-both": "scenario=legacy seller=boulware buyer=midpoint cycles=3 episodes=40",
}
"""Differences from 20 cycles of 60 episodes of the original by the published recipe."""

AWARE = nt.Scenario.of({"prices": 5, "rounds": 5, "states": OPENER_AWARE})
SMALL = {"prices": 3, "rounds": 3, "states": "opener-aware"}
HIDDEN = {
    "prices": [0, 2, 3, 7],
    "rounds": 2,
    "seller": {"limits": [0, 2, 3], "weights": [1, 2, 1]},
    "buyer": {"min": 1, "max": 7},
}
BOTH_HIDDEN = {
    "prices": 4,
    "rounds": 3,
    "states": "opener-aware",
    "seller": {"limits": [0, 1, 3]},
    "buyer": {"limits": [2, 4], "weights": [3, 1]},
}

# scenario, seller, buyer, changes of the recipe
LEARNED: dict[str, tuple[Any, str, str, dict[str, Any]]] = {
    **{
        f"of {name}": (SMALL, f"learned:{name}", f"learned:{name}", {})
        for name in (
            "q-learning", "sarsa", "expected-sarsa", "double-q", "q-lambda", "monte-carlo",
            "boltzmann", "hysteretic", "lenient", "wolf-phc", "roth-erev", "reinforce",
            "actor-critic", "best-response-dynamics", "fictitious-play", "cfr",
        )
    },
    "of settings": (
        SMALL, "learned:sarsa:learning_rate=0.3", "learned:wolf-phc:schedule=alternate", {},
    ),
    "of sarsa and roth-erev": ("original", "learned:sarsa", "learned:roth-erev", {}),
    "of q-learning and sarsa": (SMALL, "learned", "learned:sarsa", {}),
    "of cfr and boltzmann": (SMALL, "learned:cfr", "learned:boltzmann", {}),
    "of exact learners": (SMALL, "learned:fictitious-play", "learned:cfr:plus=true", {}),
    "of q-learning together": (
        "original", "learned:q-learning:schedule=together",
        "learned:q-learning:schedule=together", {},
    ),
    "of sarsa and q-learning together": (
        GAPS, "learned:sarsa:schedule=together", "learned:q-learning:schedule=together", {},
    ),
    "of expected updates beside sarsa": (
        SMALL, "learned", "learned:sarsa", {"expected_updates": True, "curriculum_window": 6},
    ),
    "of wolf-phc in a curriculum": (
        SMALL, "learned:wolf-phc", "learned:double-q",
        {"curriculum_window": 4, "curriculum_shift_every": 2, "initial_value": 0.5},
    ),
    "of sarsa against boulware": ("original", "boulware", "learned:sarsa", {}),
    "of reinforce against a memory": (SMALL, "learned:reinforce", "averaged-tit-for-tat", {}),
    "of lenient against a history": (SMALL, "tit-for-tat", "learned:lenient", {}),
    "of actor-critic and a best responder": (SMALL, "learned:actor-critic", "best-response", {}),
    "of cfr against conceder": (SMALL, "learned:cfr", "conceder", {}),
    "of hidden limits": ("hidden", "learned", "learned", {}),
    "of hidden limits in a curriculum": (
        BOTH_HIDDEN, "learned", "learned",
        {"expected_updates": True, "curriculum_window": 4, "curriculum_shift_every": 2},
    ),
    "of hidden limits of one": (HIDDEN, "learned", "learned", {}),
    "of hidden limits and a best responder": (BOTH_HIDDEN, "learned", "best-response", {}),
    "of a best responder and hidden limits": (HIDDEN, "best-response", "learned", {}),
    "of hidden limits and boulware": (BOTH_HIDDEN, "boulware", "learned", {}),
    "of hidden limits and a history": (HIDDEN, "learned", "tit-for-tat", {}),
    "of hidden limits and learners": (BOTH_HIDDEN, "learned:sarsa", "learned:wolf-phc", {}),
    "of hidden limits and q-learning together": (
        BOTH_HIDDEN, "learned:q-learning:schedule=together", "learned:expected-sarsa", {},
    ),
    "of hidden limits and cfr": (BOTH_HIDDEN, "learned:cfr", "learned:cfr", {}),
}  # fmt: skip
COMPILED = (
    "of sarsa", "of double-q", "of wolf-phc", "of boltzmann", "of q-learning and sarsa",
    "of sarsa and roth-erev", "of q-learning together", "of sarsa against boulware",
    "of hidden limits", "of hidden limits and a best responder", "of hidden limits and learners",
    "of hidden limits in a curriculum",
)  # fmt: skip
"""Some of them are played by compiled code, too."""
POPULATION: dict[str, Any] = {"sellers": 12, "buyers": 10, "costs": [1, 2, 3], "values": [5, 4, 3]}

PAIRS: tuple[tuple[Any, str, str], ...] = (
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
    total = sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            total.update(str((part.shape, part.dtype.kind)).encode())
            total.update(np.ascontiguousarray(part).tobytes())
        else:
            total.update(repr(part).encode())
    return total.hexdigest()[:24]


def turns(transcript: nt.Transcript) -> list[tuple[int, int, int, bool]]:
    return [(int(t.role), t.round, t.action, bool(t.explored)) for t in transcript.turns]


def scenario_of(words: Any, aware: bool | None, opener: str | None) -> nt.Scenario:
    scenario = nt.Scenario.of(words)
    if aware:
        scenario = replace(scenario, states=nt.States.of(OPENER_AWARE))
    return replace(scenario, opener=nt.Opener.of(opener)) if opener else scenario


def _run(
    scenario: nt.Scenario,
    recipe: str = "published",
    seats: Sequence[str] = ("learned", "learned"),
    both: bool = True,
    agent: str = "seller",
    compiled: bool = False,
    **changes: Any,
) -> ConcurrentTraining:
    """A finished training with seed 7; compiled, or by the plain loop."""
    parameters = replace(RECIPES[recipe](scenario), **changes)
    seller, buyer = (
        nt.learner(spec.removeprefix("learned").removeprefix(":") or "q-learning")
        if spec.startswith("learned")
        else nt.strategy(spec)
        for spec in seats
    )
    run = ConcurrentTraining(scenario, parameters, 7, both, nt.Role.of(agent), seller, buyer)
    run.use(fastest_backend() if compiled else PLAIN)
    run.run()
    return run


def training(name: str, compiled: bool) -> str:
    words = dict(word.partition("=")[::2] for word in TRAININGS[name].split())
    game = words.get("scenario", "original")
    scenario = scenario_of(GAPS if game == "gaps" else game, "aware" in words, words.get("opener"))
    run = _run(
        scenario,
        words.get("recipe", "published"),
        [words.get(seat, "learned") for seat in ("seller", "buyer")],
        "alone" not in words,
        words.get("first", "seller"),
        compiled,
        cycles=int(words.get("cycles", 20)),
        episodes=int(words.get("episodes", 60)),
    )
    last = run.last_negotiation
    assert last is not None
    return digest(run.q_tables, run.statistics.counts, turns(last))


def learned(name: str, compiled: bool) -> str:
    """Tables, probabilities, all arrays of the learners and statistics of one training."""
    words, seller, buyer, changes = LEARNED[name]
    changes = {"cycles": 9, "episodes": 20, **changes}
    if compiled:
        run = _run(nt.Scenario.of(words), seats=(seller, buyer), compiled=True, **changes)
        trained = nt.Trained.after(run)
    else:
        trained = nt.train(words, seed=7, seller=seller, buyer=buyer, **changes)
    arrays = [each[key] for each in trained.learned for key in sorted(each)]
    chances = [
        trained.probabilities(role)
        for role, spec in zip(("seller", "buyer"), (seller, buyer), strict=True)
        if spec.startswith("learned")
    ]
    return digest(trained.q_tables, *chances, *arrays, trained.statistics.counts)


def transcripts() -> str:
    ways = product(PAIRS, ("seller", "buyer"), (1, 2, 3))
    return digest(*(turns(nt.negotiate(*pair, *rest)) for pair, *rest in ways))


def tests_and_equilibria() -> str:
    trained = nt.train("original", seed=7)
    corrected, published = trained.test(), trained.test(as_published=True)
    wallets = [(each.seller_wallet, each.buyer_wallet) for each in (corrected, published)]
    gap = trained.nash_conv()
    exact = [nt.solve(each) for each in ("original", "legacy", "fine")]
    return digest(wallets, gap.total, *(np.nan_to_num(each.prices, nan=-1.0) for each in exact))


def _program(words: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        status = main(words.split())
    assert not status, status
    return out.getvalue()


def numbers(rows: Iterable[Iterable[str]]) -> list[list[str]]:
    return [[cell for cell in row if re.fullmatch(r"[-+.\de]+|nan|inf", cell)] for row in rows]


def sweep() -> str:
    values = "--set learning_rate=0.1,0.3 --set cycles=6 --set buyer=learned,midpoint"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        _program(f"sweep {values} --runs 2 --seed 3 --out {path}")
        _, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    return digest(numbers(row[24:] for row in rows), len(rows))


def tournament() -> str:
    """Rows of a tournament, with a learner trained for it."""
    entrants = ["boulware", "micro", "equilibrium", "learned", "random"]
    played = nt.run_tournament("original", entrants, negotiations=40, seed=5)
    values = [[v for v in row.values() if isinstance(v, int | float)] for row in played.rows]
    return digest(values)


def _rounded(value: Any) -> Any:
    """Plain values, floats to nine places: the last ones of long sums depend on the processor."""
    match value:
        case float():
            return round(value, 9)
        case dict():
            kept = value.keys() - {"seconds", "rules"}
            return {key: _rounded(each) for key, each in value.items() if key in kept}
        case list() | tuple():
            return [_rounded(each) for each in value]
    return value


def _printed(words: str) -> str:
    """All that a subcommand prints with --json, names too, but the memory it uses."""
    printed = json.loads(_program(f"{words} --json"))
    printed.pop("bytes_per_agent", None)
    return digest(_rounded(printed))


def _members(save: Callable[[Path], object]) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "saved.npz"
        save(path)
        with np.load(path) as file:
            return {name: file[name] for name in sorted(file.files)}


def _saved(save: Callable[[Path], object]) -> str:
    arrays = _members(save)
    about = _rounded(json.loads(str(arrays.pop("about"))))
    return digest(about, *(part for each in arrays.items() for part in each))


def _arrays(room: nt.Market) -> str:
    arrays = _members(room.save)
    return digest(*(each for each in arrays.values() if each.dtype.kind in "ifbu"))


def market(limit: str, **settings: Any) -> str:
    return _arrays(nt.run_market(limit=limit, seed=7, **settings))


def _resumed(room: nt.Market, limit: str) -> nt.Market:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "market.npz"
        room.save(path)
        return nt.load_market(path, limit).run()


ROSTER = """
[[seller]]
count = 3
reservation = [1, 2]
strategy = "learned:sarsa"
[[seller]]
name = "slow"
count = 2
strategy = "boulware"
[[seller]]
name = "plain"
learning_rate = 0.2
[[buyer]]
count = 3
reservation = { min = 3, max = 5 }
strategy = "learned:wolf-phc:delta_win=0.02"
[[buyer]]
name = "random"
strategy = "zero-intelligence"
[[buyer]]
name = "steps"
strategy = "learned:boltzmann"
[[buyer]]
name = "like"
count = 2
strategy = "averaged-tit-for-tat"
[[team]]
name = "ours"
members = ["seller-kind1-1", "steps", "slow"]
"""


def roster(limit: str, then: str | None = None, **settings: Any) -> str:
    """A market of many kinds of players that is saved and goes on, if `then` is given."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "roster.toml"
        path.write_text(ROSTER, encoding="utf-8")
        room = nt.run_roster(path, limit=limit, seed=7, **settings)
    return _arrays(_resumed(room, then) if then else room)


def league() -> str:
    played = nt.run_league(
        ["q-learning", "sarsa", "wolf-phc", "cfr"], games=["3x2", "hidden"], seeds=1, episodes=200
    )
    return digest(_rounded(list(played.rows)), _rounded(played.matrix().tolist()))


def record(path: Path) -> None:
    """Record a training: offers watched, a person at the table, another strategy, a test."""
    scenario = scenario_of("original", True, None)
    parameters = replace(RECIPES["reverse-curriculum"](scenario), cycles=3, episodes=5)
    recorder = record_to(new_session(scenario, parameters, 4), path)
    for command in (
        do.Play(1), do.Play(1), do.Play(7), do.PlayCycle(),
        do.TakeSeats(((nt.Role.BUYER, "boulware"),)), do.Play(1), do.Play(2),
        do.SetOpener(nt.Opener.BUYER), do.Play(1), do.Play(1), do.Restart(), do.Play(3),
    ):  # fmt: skip
        recorder.handle(command)


Players = tuple[str | None, str | None]
SESSIONS: dict[str, tuple[Any, Players, str]] = {
    "of the original": ("original", (None, None), "published"),
    "of learners": (SMALL, ("learned:sarsa", "learned:wolf-phc"), "published"),
    "of hidden limits": (BOTH_HIDDEN, (None, "learned:sarsa"), "published"),
    "of a curriculum": (SMALL, (None, None), "reverse-curriculum"),
    "against a history": (GAPS, (None, "tit-for-tat"), "published"),
}


def _session(name: str) -> TrainingSession:
    words, seats, recipe = SESSIONS[name]
    scenario = nt.Scenario.of(words)
    parameters = replace(RECIPES[recipe](scenario), cycles=7, episodes=30)
    return new_session(scenario, parameters, 5, seats)


def _shown(snapshot: Snapshot | None) -> list[Any]:
    """What a snapshot shows of the training and of its newest negotiation."""
    if snapshot is None:
        return []
    newest = snapshot.negotiation
    at = divmod(max(0, snapshot.negotiations - 1), snapshot.parameters.episodes)
    told = newest and [sum(newest.key), *at, newest.epsilon, newest.test]
    values = [each.values if isinstance(each, WithValues) else None for each in snapshot.agents]
    policies = [
        agent.policy.probabilities if isinstance(agent, WithPolicy) else None
        for agent in snapshot.agents
    ]
    return [
        snapshot.negotiations, str(snapshot.opener), snapshot.seating.strategies, told,
        newest and turns(newest.transcript), *values, *policies,
        snapshot.statistics.counts, _rounded(snapshot.nash_convs),
    ]  # fmt: skip


COURSE = (
    do.Play(41), do.TakeSeats(((nt.Role.BUYER, "boulware"),)), do.Play(25),
    do.SetOpener(nt.Opener.BUYER),
    do.Play(31), do.TakeSeats(((nt.Role.BUYER, None),)), do.Extend(2), do.Play(80),
)  # fmt: skip


def look_back(name: str) -> str:
    """Moments in mid-cycle, before and after changes of seats and opener, and the present."""
    session = _session(name)
    for command in COURSE:
        session.handle(command)
    parts = _shown(session.snapshot)
    for moment in (17, 52, 90, 101, 176):
        session.handle(do.GoTo(moment))
        assert session.snapshot.replies.past
        for each in session.snapshot.replies.past:
            parts += _shown(each)
    return digest(*parts)


def what_if(name: str) -> str:
    """Other courses of a negotiation: another opening, and each turn answered by accepting."""
    session, parts = _session(name), list[Any]()
    for _ in range(12):
        session.handle(do.Play(11))
        then = session.snapshot
        assert then.negotiation
        transcript = then.negotiation.transcript
        for at in range(len(transcript.turns)):
            position = transcript.first(at).position
            assert position
            for action in (position.legal[0], position.legal[-1]):
                session.handle(do.WhatIf(then, then.negotiation, at, action))
                other = session.snapshot.replies.what_if
                assert other
                parts.append((at, action, other.what_if, turns(other.transcript)))
    return digest(parts)


def why(name: str) -> str:
    """The negotiations that some entries come from, and their parts."""
    session, parts = _session(name), list[Any]()
    session.handle(do.Play(140))
    for role in nt.Role:
        for state in range(3):
            for action in range(2):
                session.handle(do.Explain(Entry(role, state, action, 133)))
                found = session.snapshot.replies.ancestry
                assert found
                each = [(s.episode, s.price, s.weight, s.amount) for s in found.sources]
                parts.append((found.value, found.initial, each))
    return digest(_rounded(parts))


def story(scenario: Any, recipe: str, *seats: str) -> str:
    """The facts that a training tells, in their order, with the negotiations that show them."""
    game = nt.Scenario.of(scenario)
    parameters = replace(RECIPES[recipe](game), cycles=60)
    seller, buyer = seats or (None, None)
    session, told = new_session(game, parameters, 4, (seller, buyer)), list[Any]()
    while not session.snapshot.finished:
        session.handle(do.PlayCycle())
    for fact in session.snapshot.story.found:
        opener = None if fact.opener is None else str(fact.opener)
        told.append((fact.cycle, fact.says, opener, fact.begun, fact.sample))
    return digest(told)


VALUES: dict[str, Callable[[], str]] = {
    **{
        f"training {name} {form}": partial(training, name, form == "compiled")
        for name in TRAININGS
        for form in ("plain", "compiled")
    },
    **{f"training {name} plain": partial(learned, name, False) for name in LEARNED},
    **{f"training {name} compiled": partial(learned, name, True) for name in COMPILED},
    "transcripts": transcripts,
    "tests and equilibria": tests_and_equilibria,
    "sweep": sweep,
    "tournament": tournament,
    "market of negotiations": partial(market, f"{NEGOTIATIONS}=6000", **POPULATION),
    "market of steps": partial(market, "steps=900", **POPULATION),
    "market of teams": partial(
        market, f"{NEGOTIATIONS}=3000", teams={"a": ["seller"], "b": ["buyer-1", "buyer-2"]},
        team_reward=True, seller="boulware", **POPULATION,
    ),
    "market of learners": partial(
        market, f"{NEGOTIATIONS}=1500", seller="learned:sarsa", learner="wolf-phc", **POPULATION,
    ),
    "market of hidden limits": partial(
        market, f"{NEGOTIATIONS}=900", scenario=BOTH_HIDDEN, buyer="learned:sarsa",
        sellers=5, buyers=6,
    ),
    "roster of negotiations": partial(roster, f"{NEGOTIATIONS}=900", team_reward=True),
    "roster of steps, resumed": partial(roster, "steps=150", "steps=400"),
    "roster of negotiations, resumed": partial(
        roster, f"{NEGOTIATIONS}=301", f"{NEGOTIATIONS}=900"
    ),
    "market file": lambda: _saved(
        nt.run_market(limit="steps=90", seller="learned:sarsa", **POPULATION).save
    ),
    "tables file": lambda: _saved(
        nt.train("hidden", seller="learned:sarsa", seed=3, cycles=4, episodes=20).save
    ),
    "league": league,
    **{f"look back {name}": partial(look_back, name) for name in SESSIONS},
    **{f"what-if {name}": partial(what_if, name) for name in SESSIONS},
    **{f"why {name}": partial(why, name) for name in ("of the original", "of a curriculum")},
    "story of a curriculum": partial(story, AWARE, "reverse-curriculum"),
    "story of random starts": partial(story, AWARE, "exploring-starts"),
    "story of learners": partial(story, AWARE, "published", "learned:sarsa", "learned:wolf-phc"),
    "story of hidden limits": partial(story, "hidden", "published"),
    "printed by train": partial(_printed, "train --cycles 4 --seed 3 --buyer learned:sarsa"),
    "printed by train, hidden": partial(
        _printed, "train --cycles 2 --seed 3 --scenario hidden",
    ),
    "printed by solve": partial(_printed, "solve"),
    "printed by solve of two": partial(
        _printed, "solve --scenario fine --seller boulware --buyer midpoint",
    ),
    "printed by solve, hidden": partial(
        _printed, "solve --scenario hidden --seller boulware --buyer conceder",
    ),
    "printed by market": partial(
        _printed, "market --sellers 4 --buyers 4 --limit negotiations=80 --seed 3",
    ),
    "printed by tournament": partial(
        _printed, "tournament boulware micro midpoint --negotiations 6 --seed 3",
    ),
}  # fmt: skip

if __name__ == "__main__":
    found = {name: value() for name, value in VALUES.items()}
    DIGESTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
