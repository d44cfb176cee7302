"""How prompt the screen is: to start, to answer a key, to draw."""

import os
import random
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec

import numpy as np
import pytest

from negotiation_tui.learning.algorithms.q_learning import Q_LEARNING
from negotiation_tui.learning.compiling import fastest_backend
from negotiation_tui.learning.loop import N_COUNTS
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.tui.market.render import render as render_market
from negotiation_tui.tui.negotiation.render import render
from tests.support import processes
from tests.support.screen_driver import Screen
from tests.support.timing import Check, in_plain_python, in_turns, seconds

pytest.importorskip("pyte")
if os.name == "nt":
    pytest.skip("needs pseudo-terminals", allow_module_level=True)

from tests.support.market_screen import Screen as Market
from tests.support.market_screen import crowd
from tests.support.pty_session import MISSING, PROGRAM, Session, environment

terminal = pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)}")
WIDTH, HEIGHT = 120, 36
SHOW = "import curses, numpy; curses.wrapper(lambda s: (s.addstr('haggle'), s.getch()))"
PAIRS, LAUNCHES = 40, 15
KEYS = 200
FOOTER = b"static/learned"  # in the last line, and only there
HELP = b"closes"  # in the last line of the help
COMPILED = " M negotiations/s"  # plain Python does not reach a million
DEADLINE = 20.0


def seconds_until(session: Session, words: bytes, begun: float) -> float:
    """When these words came, before anything looks at them; they may come in two halves."""
    seen = b""
    while words not in seen:
        left = begun + DEADLINE - time.perf_counter()
        assert left > 0, f"no {words!r}"
        assert select.select([session.master], [], [], left)[0], f"no {words!r}"
        seen = seen[-len(words) :] + os.read(session.master, 1 << 16)
    return time.perf_counter() - begun


def drain(session: Session, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        if select.select([session.master], [], [], left)[0]:
            os.read(session.master, 1 << 16)


def launch(command: Sequence[str], last: bytes) -> float:
    """Seconds from starting a command to the last words of its first frame."""
    begun = time.perf_counter()
    with Session(command, WIDTH, HEIGHT, environment(PYTHONDONTWRITEBYTECODE="")) as session:
        return seconds_until(session, last, begun)


@terminal
def test_launch(check: Check) -> None:
    sides = (PROGRAM, FOOTER), ((sys.executable, "-c", SHOW), b"haggle")
    turns = [[launch(*side) for side in sides] for _ in range(1 + PAIRS)]
    ours, theirs = map(statistics.median, zip(*turns[1:], strict=True))
    what = "launch to the first whole frame, against one word in curses beside numpy"
    check(what, "≤ 1.9 ×", ours / theirs, f"({1000 * ours:.0f} ms)")


def processor_seconds(*words: str) -> float:
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, env=environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


@pytest.mark.parametrize(
    ("words", "bound"), [("solve", "≤ 1.5 ×"), ("train --cycles 50", "≤ 1.5 ×")]
)
def test_short_commands(words: str, bound: str, check: Check) -> None:
    ours, theirs = ("-m", "negotiation_tui", *words.split()), ("-c", "import numpy")
    processor_seconds(*ours)
    pairs = [(processor_seconds(*ours), processor_seconds(*theirs)) for _ in range(LAUNCHES)]
    ratio = statistics.median(own / bare for own, bare in pairs)
    check(f'{words}, processor time against `python -c "import numpy"`', bound, ratio)


TRAINING = "watch --pace flat --cycles 100000 --episodes 1000000 --seed 0"
BY_DEFAULT = "watch --pace flat --cycles 10000000 --seed 0"
MARKET = "market --pace flat --limit steps=1000000000 --seed 0 --sellers 500 --buyers 500"


@terminal
@pytest.mark.parametrize(
    ("words", "what", "page"),
    [
        (TRAINING, "training flat out", "4z"),
        (BY_DEFAULT, "training flat out in cycles of 100", "4z"),
        (MARKET, "a market of 1,000 flat out", ""),
    ],
)
def test_key_to_frame(words: str, what: str, page: str, check: Check) -> None:
    """`page` are the keys to the pane that says how fast it goes."""
    moments = random.Random(0)
    times: list[float] = []
    with Session((*PROGRAM, *words.split()), WIDTH, HEIGHT) as session:
        session.wait_for("q quit")
        session.send(page, "negotiations/s")
        if find_spec("numba"):
            session.wait(lambda: COMPILED in session.text, "compiled code", deadline=60)
        session.send("z" * bool(page))
        drain(session, 3.0)
        before = session.processor_seconds()
        for _ in range(KEYS):
            begun = time.perf_counter()
            session.send("?")
            times.append(seconds_until(session, HELP, begun))
            session.send("?")
            drain(session, moments.uniform(0.06, 0.12))
        busy = (session.processor_seconds() - before) / (sum(times) + 0.09 * KEYS)
    assert busy > 0.3, f"it should be busy, but used {busy:.0%} of a processor"
    slow = statistics.quantiles(times, n=100)[98]
    check(f"key to frame while {what}, p99", "≤ 33 ms", 1000 * slow)


@terminal
def test_key_to_frame_of_a_sweep(check: Check) -> None:
    rates = ",".join(f"{n / 100:.2f}" for n in range(1, 17))
    grid = ("--set", "cycles=400", "--set", f"learning_rate={rates}", "--runs", "400")
    times: list[float] = []
    with Session((*PROGRAM, "sweep", *grid, "--workers", "2"), WIDTH, HEIGHT) as session:
        session.wait(lambda: "endings" in session.text, "the first runs", deadline=60)
        for _ in range(KEYS):
            begun = time.perf_counter()
            session.send("?")
            times.append(seconds_until(session, HELP, begun))
            session.send("?")
            drain(session, 0.1)
    slow = statistics.quantiles(times, n=100)[98]
    check("key to frame of a sweep while two processes train, p99", "≤ 100 ms", 1000 * slow)


@terminal
@pytest.mark.parametrize(
    ("scenario", "most"), [("original", 200), ("hidden", 220), ("101x10", 250), ("bazaar", 300)]
)
def test_memory(scenario: str, most: int, check: Check) -> None:
    """Of this, numpy, numba and the compiled loop take 120 MB."""
    fastest_backend((Q_LEARNING, Q_LEARNING), hidden=True)  # kept on disk: to compile takes 80 MB
    words = f"{BY_DEFAULT} --scenario {scenario}"
    with Session((*PROGRAM, *words.split()), WIDTH, HEIGHT) as session:
        session.wait_for("q quit")
        drain(session, 60.0)
        peak = processes.most_memory(session.process.pid) / 1e6
    check(f"{scenario} flat out on the screen, most memory in a minute", f"≤ {most} MB", peak)


@terminal
def test_processor_at_a_pace(check: Check) -> None:
    words = "watch --pace 1000n --cycles 1000000 --seed 0"
    with Session((*PROGRAM, *words.split()), WIDTH, HEIGHT) as session:
        session.wait_for("q quit")
        drain(session, 3.0)
        before, begun = session.processor_seconds(), time.perf_counter()
        drain(session, 20.0)
        used = (session.processor_seconds() - before) / (time.perf_counter() - begun)
    check("1,000 negotiations per second on the screen, of a processor", "≤ 15%", 100 * used)


def test_one_frame_of_a_market(check: Check) -> None:
    medians = []
    for agents in (20, 1000, 100_000):
        screen = Market(200, 60, agents=crowd(agents)).press("n", "n")
        # After each key: what is remembered of one frame does not help the next.
        models = (screen.press(".").model for _ in range(20))
        times = [seconds(partial(render_market, model)) for model in models]
        medians.append(statistics.median(times))
    for size, bound, took in (("1,000", "≤ 2 ×", medians[1]), ("100,000", "≤ 4 ×", medians[2])):
        what = f"drawing one 200×60 frame of a market of {size}"
        check(what, bound, *in_plain_python(took))


def test_curves_of_many_cycles(check: Check) -> None:
    cycles = 10_000
    model = Screen(width=200, height=60, cycles=cycles, episodes=1).press("5", "z").settle().model
    counts = np.random.default_rng(0).integers(1, 9, (cycles, N_COUNTS))
    times = []
    for n in range(1, 40):
        played = {"statistics": CycleStatistics(counts[:-n]), "negotiations": cycles - n}
        shown = replace(model, latest=replace(model.latest, **played))
        times.append(seconds(partial(render, shown)))
    what = f"drawing 200×60 cells of curves over {cycles:,} cycles"
    check(what, "≤ 1.5 ×", *in_plain_python(statistics.median(times)))


def test_one_frame(check: Check) -> None:
    medians = []
    games = ("original", "c"), ("fine", "c"), ("legacy", "c"), ("hidden", "c"), ("original", "c?")
    for scenario, keys in games:
        model = Screen(scenario, width=200, height=60).press(*keys).settle().model
        medians.append(statistics.median(*in_turns(100, partial(render, model))))
    check("drawing one 200×60 frame", "≤ 1.2 ×", *in_plain_python(max(medians)))
