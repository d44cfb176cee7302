"""A bar on standard error for the answers of a program that is examined."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from negotiation_tui.runtime.output import Bar

if TYPE_CHECKING:
    from negotiation_tui.examination.elicit import Elicited
    from negotiation_tui.examination.examine import Progress
    from negotiation_tui.examination.results import Setup


@contextmanager
def answers_bar(setup: "Setup") -> "Iterator[Progress]":
    """Show a bar meanwhile; yields the function that moves it."""
    roles, ask, most = setup.roles, setup.ask, 60 * setup.minutes
    with Bar("answers") as bar:
        begun = time.monotonic()

        def progress(elicited: "Elicited") -> None:
            each, seconds = len(elicited.reachable) * ask, time.monotonic() - begun
            share = (roles.index(elicited.role) + elicited.given / each) / len(roles)
            share = min(1.0, max(share, seconds / max(most, seconds)))
            bar.show(int(share * each * len(roles)), each * len(roles))

        yield progress
