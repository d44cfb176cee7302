"""The processes of a program that leads a session of its own."""

import contextlib
import os
import signal
import time
from pathlib import Path

PROC = Path("/proc")
HAS_PROC = (PROC / "self" / "stat").exists()


def hear_signals() -> None:
    """Undo what `nohup` and `&` do: a program started from here would ignore these signals."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("SIGHUP", "SIGQUIT", "SIGTERM"):
        if hasattr(signal, name):  # Windows has fewer
            signal.signal(getattr(signal, name), signal.SIG_DFL)


def fields(process: int) -> list[str]:
    stat = (PROC / str(process) / "stat").read_text(encoding="utf-8", errors="replace")
    return stat.rpartition(")")[2].split()


def members(session: int) -> list[int]:
    """Those that run; one that has ended does not, though init may not have heard of it yet."""
    found = []
    for folder in PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, _, _, leader = fields(int(folder.name))[:4]
            if int(leader) == session and state != "Z":
                found.append(int(folder.name))
    return found


def workers(session: int) -> list[int]:
    """Processes of multiprocessing that do jobs, so neither the program nor its tracker."""
    found = []
    for process in members(session):
        with contextlib.suppress(OSError):
            if b"spawn_main" in (PROC / str(process) / "cmdline").read_bytes():
                found.append(process)
    return found


def processor_seconds(process: int) -> float:
    user, system = fields(process)[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def alive(session: int) -> bool:
    end = time.monotonic() + 5
    while _any(session):
        if time.monotonic() > end:
            return True
        time.sleep(0.02)
    return False


def _any(session: int) -> bool:
    if HAS_PROC:
        return bool(members(session))
    with contextlib.suppress(ProcessLookupError):
        os.killpg(session, 0)
        return True
    return False


def most_memory(process: int) -> int:
    status = (PROC / str(process) / "status").read_text(encoding="utf-8")
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])
