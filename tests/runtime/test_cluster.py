"""A sweep on a Dask cluster: a real scheduler and workers on this machine."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.cli import has_lines, program, python, running
from tests.support.sweeps import LONG, runs_done, whole

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("distributed"), reason="needs distributed"),
    pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals"),
]
DASK = (sys.executable, "-m", "dask")
READY = 60.0  # seconds that a process may take to start


class Cluster:
    def __init__(self, stack: contextlib.ExitStack) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self._stack = stack
        scheduler = ("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
        self.scheduler = self._start(*scheduler, log="scheduler.log")
        self.workers = [self.worker(n) for n in range(2)]

    def worker(self, n: int) -> subprocess.Popen[bytes]:
        words = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1")
        local = ("--local-directory", f"worker-{n}", "--death-timeout", str(READY))
        return self._start("worker", self.address, *words, *local, log=f"worker-{n}.log")

    def _start(self, *words: str, log: str) -> subprocess.Popen[bytes]:
        with Path(log).open("wb") as output:
            process = subprocess.Popen([*DASK, *words], stdout=output, stderr=output)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def wait_for_workers(self) -> None:
        from distributed import Client

        with Client(self.address, timeout=READY) as client:
            client.wait_for_workers(len(self.workers), timeout=READY)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with contextlib.ExitStack() as stack:
        cluster = Cluster(stack)
        cluster.wait_for_workers()
        yield cluster


def spec_of(file: Path, address: str) -> tuple[str, ...]:
    return ("sweep", "--out", str(file), "--cluster", address, *LONG)


def test_a_cluster_gives_the_same_file_and_loses_nothing_with_a_worker(cluster: Cluster) -> None:
    calm = Path("calm.csv")
    ended = program(*spec_of(calm, cluster.address))
    done = "30 runs done, {} holds all 30\n"
    assert (ended.returncode, ended.stdout.startswith(done.format(calm))) == (0, True)
    assert ended.stderr == ""
    assert calm.read_bytes() == whole(".csv", *LONG)
    file = Path("cluster.csv")
    with running(*spec_of(file, cluster.address), until=has_lines(file, 4)) as sweep:
        cluster.workers[0].send_signal(signal.SIGKILL)
        assert file.read_bytes().count(b"\n") < 31, "it was in the middle"
        out, err = sweep.communicate(timeout=READY)
    assert (sweep.returncode, out.startswith(done.format(file))) == (0, True), err
    assert "Traceback" not in err
    assert cluster.workers[0].poll() == -signal.SIGKILL
    assert cluster.workers[1].poll() is None
    assert file.read_bytes() == whole(".csv", *LONG)


def test_without_its_scheduler_one_line_says_how_to_go_on(cluster: Cluster) -> None:
    file = Path("left.csv")
    with running(*spec_of(file, cluster.address), until=has_lines(file, 4)) as sweep:
        cluster.scheduler.kill()
        out, err = sweep.communicate(timeout=READY)
    rows = file.read_bytes().count(b"\n") - 1
    assert (sweep.returncode, out) == (2, ""), err
    assert err == (
        f"negotiation-tui: the scheduler of cluster '{cluster.address}' went away;"
        f" {file} holds {rows} of 30 runs; resume with the same command\n"
    )
    assert 3 <= rows < 30
    assert runs_done(file, *LONG) == 30 - rows
    assert file.read_bytes() == whole(".csv", *LONG)


def test_a_job_that_ends_its_workers_is_told_in_one_line(cluster: Cluster) -> None:
    for n in (2, 3):
        cluster.workers.append(cluster.worker(n))
    cluster.wait_for_workers()
    code = f"""
import os
from negotiation_tui.errors import BrokenOffError
from negotiation_tui.runtime.process_pool import run_jobs
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.game.scenario import Scenario
try:
    with StrategyContest.of(Scenario.original(), ["micro", "random"]).file().telling_how_to_go_on():
        next(run_jobs(os._exit, [1], 1, {cluster.address!r}))
except BrokenOffError as error:
    print(error)
"""
    ended = python("-c", code)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == (
        "a job ended all 4 workers that tried it, perhaps because memory ran out; give each worker"
        " more memory; nothing was saved; use --out FILE to be able to resume\n"
    )


def test_a_cluster_that_is_not_there_is_named_in_one_line() -> None:
    addresses = ["127.0.0.1:1", "nonsense://here", "tcp://no.such.host:8786"]
    tried = (
        "import sys; from negotiation_tui.cli.main import main"
        "; from negotiation_tui.runtime import process_pool"
    )
    at_once = "process_pool.CONNECT_SECONDS = 0.5"
    lines = [list(spec_of(Path("rows.csv"), address)) for address in addresses]
    ended = python("-c", f"{tried}; {at_once}; sys.exit({{*map(main, {lines!r})}} != {{2}})")
    assert (ended.returncode, ended.stdout) == (0, "")
    for address, line in zip(addresses, ended.stderr.splitlines(), strict=True):
        assert repr(address) in line
