"""Signals that wait until what must be whole is whole."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def deferred_signals(*names: str) -> Iterator[list[int]]:
    """Signals of these names become entries of the list, and do nothing else meanwhile.

    Those that the system does not have, that are ignored (nohup) or that are not Python's to
    handle stay as they are; so do all where this is not the main thread, the one that hears them.
    """
    heard: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in names if hasattr(signal, name)):
            if signal.getsignal(number) not in {signal.SIG_IGN, None}:
                before[number] = signal.signal(number, lambda number, _: heard.append(number))
    try:
        yield heard
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
