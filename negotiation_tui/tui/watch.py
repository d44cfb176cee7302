"""The screen from the first frame to the last: on a terminal, or as one frame of text."""

import shutil
import sys
from dataclasses import replace

from negotiation_tui.commands import PlayCycle
from negotiation_tui.learning import Parameters
from negotiation_tui.roles import Opener
from negotiation_tui.scenario import Scenario
from negotiation_tui.trainer import Trainer
from negotiation_tui.tui.layout import OFFERS, SELLER_TABLE
from negotiation_tui.tui.messages import Published
from negotiation_tui.tui.model import Model
from negotiation_tui.tui.render import render
from negotiation_tui.tui.stage import Look, on_terminal, present
from negotiation_tui.tui.transport import ALL
from negotiation_tui.tui.update import start, update

DEFAULT_SIZE = (120, 36)


def watch(
    scenario: Scenario,
    parameters: Parameters,
    seed: int,
    strategies: tuple[str | None, str | None],
    opener: Opener | None,
    look: Look,
    pace: int,
    paused: bool,
    once: bool,
) -> int:
    """Show a training; returns the exit status."""
    trainer = Trainer(scenario, parameters, seed, strategies, opener)
    here = on_terminal()
    if once or not here:
        if not once:
            print("not a terminal: here is one frame of text (--once)", file=sys.stderr)
        _print_frame(trainer, first_model(trainer, look.ascii, pace, paused))
        return 0
    from negotiation_tui.tui.app import Screen

    def first(ascii_only: bool) -> Model:
        return start(first_model(trainer, ascii_only, pace, paused))

    present(trainer, Screen(update, render), first, look)
    return 0


def first_model(trainer: Trainer, ascii_only: bool, pace: int, paused: bool) -> Model:
    """What the screen knows before anything has happened."""
    snapshot = trainer.snapshot
    # Without a learner there is more to see in the offers than in empty tables.
    chosen = SELLER_TABLE if None in snapshot.strategies else OFFERS
    return Model(
        snapshot,
        chosen=chosen,
        detail=chosen,
        ascii=ascii_only,
        pace_index=pace,
        running=not paused,
        strategies=snapshot.strategies,
        opener=snapshot.opener,
    )


def _print_frame(trainer: Trainer, model: Model) -> None:
    """Train one cycle and print what the screen would show after its last negotiation."""
    trainer.handle(PlayCycle())
    trainer.look()
    width, height = shutil.get_terminal_size(DEFAULT_SIZE)
    utf8 = sys.stdout.encoding.lower().startswith("utf")
    model = replace(model, width=width, height=height, running=False, reveal=ALL)
    model = replace(model, ascii=model.ascii or not utf8)
    print(render(update(model, Published(trainer.snapshot))).text())
