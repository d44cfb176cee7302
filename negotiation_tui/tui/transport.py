"""The controls of the play: run, pause, step, pace. Pure."""

from dataclasses import replace

from negotiation_tui.commands import Command, Halt, Play, PlayCycle, Restart, Run
from negotiation_tui.tui.model import Model
from negotiation_tui.tui.pace import PACES
from negotiation_tui.tui.playback import Playback

ALL = 1 << 30
"""More turns than a negotiation can have."""
_END = {1: "fast", -1: "slow"}


def send(model: Model, *commands: Command) -> Model:
    """Leave commands for the trainer."""
    return replace(model, commands=(*model.commands, *commands), sent=model.sent + len(commands))


def show(model: Model, visible: int) -> Model:
    """Put the newest negotiation on the bar."""
    negotiation = model.latest.negotiation
    if negotiation is None:
        return replace(model, playback=None)
    shown = Playback(negotiation, 0, model.now, model.now, 1 / model.pace.offers)
    return replace(model, playback=shown.showing(visible, model.now))


def run(model: Model) -> Model:
    """Go on at the present pace."""
    model = replace(model, running=True)
    if model.pace.seen:
        return model
    return send(model, Run(model.pace.negotiations))


def pause(model: Model) -> Model:
    """Stop where it is."""
    halt = model.free_running
    model = replace(model, running=False)
    return send(model, Halt()) if halt else model


def run_or_pause(model: Model) -> Model:
    """The other of the two."""
    return pause(model) if model.running else run(model)


def step(model: Model, command: Command, reveal: int) -> Model:
    """Pause, and have the trainer play something to show."""
    return replace(send(pause(model), command), reveal=reveal)


def next_offer(model: Model) -> Model:
    """Pause, and show the next offer, of a new negotiation if this one is over."""
    playback = model.playback
    coming = model.reveal
    if coming is not None and coming < ALL:  # of the negotiation that is on its way
        return replace(model, reveal=coming + 1)
    if coming is not None or playback is None or playback.over:
        return step(model, Play(), 1)
    model = pause(model)
    return replace(model, playback=playback.showing(playback.visible + 1, model.now))


def next_negotiation(model: Model) -> Model:
    """Pause, and show this negotiation to its end, or the next if it is over."""
    playback = model.playback
    if model.reveal is not None and model.reveal < ALL:
        return replace(model, reveal=ALL)
    if playback is None or playback.over:
        return step(model, Play(), ALL)
    model = pause(model)
    return replace(model, playback=playback.showing(ALL, model.now))


def next_cycle(model: Model) -> Model:
    """Pause, and train to the end of the cycle."""
    if model.latest.finished and not model.waiting:
        cycles = model.latest.parameters.cycles
        return replace(pause(model), message=f"all {cycles:,} cycles are done: r starts anew")
    return step(model, PlayCycle(), ALL)


def change_pace(model: Model, step: int) -> Model:
    """Move along the ladder of paces."""
    index = model.pace_index + step
    if not 0 <= index < len(PACES):
        return replace(model, message=f"{model.pace.text} is as {_END[step]} as it goes")
    was_free = model.free_running
    model = replace(model, pace_index=index, message=f"pace: {PACES[index].text}")
    if model.playback:
        seconds = 1 / model.pace.offers
        model = replace(model, playback=replace(model.playback, turn_seconds=seconds))
    if model.free_running:
        return run(model)
    return send(model, Halt()) if was_free else model


def restart(model: Model) -> Model:
    """Begin the training anew."""
    model = send(replace(model, playback=None, reveal=None), Restart())
    on_its_own = model.running and not model.pace.seen
    return send(model, Run(model.pace.negotiations)) if on_its_own else model
