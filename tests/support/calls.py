"""A plugin of pytest: write which functions of the program each test calls, and its seconds.

    CALLS=FOLDER python -m pytest -p tests.support.calls

Each process appends to a file of its own in the folder, one line of JSON per test. Programs that
a test starts and compiled code are not seen.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Generator, Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

PRODUCT = "negotiation_tui"


class TestCalls(NamedTuple):
    """A test, its seconds, and the functions it called, each as `file:name`."""

    test: str
    seconds: float
    functions: frozenset[str]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, None]:
    called = set[CodeType]()

    def note(frame: FrameType, event: str, arg: Any) -> None:
        called.add(frame.f_code)

    begun = time.process_time()
    threading.settrace(note)
    sys.settrace(note)
    yield
    sys.settrace(None)
    threading.settrace(None)
    seconds = time.process_time() - begun
    names = sorted(filter(None, map(_name, called)))
    with (Path(os.environ["CALLS"]) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([item.nodeid, seconds, names]) + "\n")


def _name(code: CodeType) -> str | None:
    _, inside, path = code.co_filename.replace(os.sep, "/").rpartition(f"/{PRODUCT}/")
    name = code.co_qualname.replace(".<locals>", "").replace(".<lambda>", "")
    return f"{PRODUCT}/{path}:{name}" if inside else None


def read(folder: Path) -> list[TestCalls]:
    """Return the tests in a folder, the fastest first."""
    lines: Iterable[str] = (
        line for path in folder.glob("*.jsonl") for line in path.open(encoding="utf-8")
    )
    tests = (json.loads(line) for line in lines)
    return sorted((TestCalls(t, s, frozenset(f)) for t, s, f in tests), key=lambda each: each[1])
