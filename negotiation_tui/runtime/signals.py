"""Defer signals until a critical section is finished."""

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from negotiation_tui.runtime.interrupts import ENDING, Interruptible


@contextmanager
def uninterrupted(*names: str) -> Iterator[None]:
    """Defer the signals that end the program, and those of `names`, until the section ends."""
    received: list[int] = []
    try:
        with deferred_signals("SIGINT", *ENDING, *names) as received:
            yield
    finally:
        if received:
            signal.raise_signal(received[0])


@contextmanager
def time_limit(seconds: float, error: Exception) -> Iterator[None]:
    """Raise an error if the section takes longer; only the main thread can be interrupted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    over = threading.Event()

    def interrupt() -> None:
        over.set()
        _thread.interrupt_main()

    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), interrupt)
    timer.daemon = True
    try:
        with Interruptible():
            timer.start()
            yield
            timer.cancel()
    except KeyboardInterrupt:
        if over.is_set():
            raise error from None
        raise
    finally:
        timer.cancel()


@contextmanager
def deferred_signals(*names: str) -> Iterator[list[int]]:
    """Append each signal of these names to the list that is yielded, and do nothing else.

    Signals that are ignored (nohup) or not handled by Python keep their handlers. Outside the main
    thread, which alone receives signals, nothing changes.
    """
    received: list[int] = []
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in names if hasattr(signal, name)):
            if signal.getsignal(number) not in {signal.SIG_IGN, None}:
                before[number] = signal.signal(number, lambda number, _: received.append(number))
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
