"""Run the attacks for long: `python -m tests.soak [DRIVER ...] [--count N] [--seed N]`."""

import argparse
import os
import pkgutil
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from negotiation_tui.runtime.text import table
from tests import soak
from tests.support.processes import hear_signals
from tests.support.soak import failures_of

PARTS = 20  # number of parts that a count is tried in; a line of progress follows each
MANY = 100  # the count of a driver that names none


def drivers() -> list[str]:
    found = (module.name for module in pkgutil.iter_modules(soak.__path__))
    return sorted(name for name in found if not name.startswith(("_", "test_")))


def load(name: str) -> ModuleType:
    """Import a driver; raise ImportError with the reason if something that it needs is missing."""
    try:
        return import_module(f"tests.soak.{name}")
    except ImportError:
        raise
    except BaseException as error:  # pytest's skip of a module is not an Exception
        if type(error).__name__ != "Skipped":
            raise
        raise ImportError(str(error)) from None


def attack(name: str, count: int | None, seed: int, minutes: float | None) -> tuple[str, ...]:
    """Run a driver part by part: `count` cases, or as many as the minutes allow.

    Return a row with its name, its cases, seconds and failures, and its first line.
    """
    begun = time.monotonic()
    try:
        driver = load(name)
    except ImportError as error:
        return name, "0", "0", "0", f"not tried: {error}"
    wanted = getattr(driver, "LONG", MANY) if count is None else count
    part = -(-wanted // PARTS)
    done = failures = 0
    while (done < wanted) if minutes is None else (time.monotonic() - begun < 60 * minutes):
        n = min(part, wanted - done) if minutes is None else part
        for text in failures_of(driver.attack, n, seed + done):
            failures += 1
            print(f"{name} {text}", flush=True)
        done += n
        seconds = time.monotonic() - begun
        print(f"{name}: {done:,} in {seconds:.0f} s, {failures} failed", file=sys.stderr)
    said = (driver.__doc__ or name).partition("\n")[0].rstrip(".")
    return name, f"{done:,}", f"{time.monotonic() - begun:.0f}", f"{failures}", said


def main(words: Sequence[str] | None = None) -> int:
    """Run every driver, or those named; return 1 if one of them found something."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=soak.__doc__)
    add = parser.add_argument
    names = drivers()
    add("drivers", nargs="*", metavar="DRIVER", help=f"{', '.join(names)} (all)")
    add("--count", type=int, metavar="N", help="cases per driver (the driver's own)")
    add("--seed", type=int, default=0, metavar="N", help="number of the first case (%(default)s)")
    add("--minutes", type=float, metavar="M", help="minutes per driver, whatever its count")
    options = parser.parse_args(words)
    unknown = [name for name in options.drivers if name not in names]
    if unknown:
        parser.error(f"driver: expected {', '.join(names)}, got {unknown[0]!r}")
    os.environ.setdefault("NEGOTIATION_TUI_CONFIG", os.devnull)
    hear_signals()
    results = [
        attack(name, options.count, options.seed, options.minutes)
        for name in options.drivers or names
    ]
    rows = [("driver", "cases", "seconds", "failures", "tried"), *results]
    print("\n".join(table(rows, "<", ">", ">", ">", "<")))
    return 1 if any(row[3] != "0" for row in results) else 0


if __name__ == "__main__":
    sys.exit(main())
