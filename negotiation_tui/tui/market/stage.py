"""What is on the stage: the play of a tick, stepping, and the past. Pure."""

from dataclasses import replace

from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions.commands import Halt, Play, Restart, Run
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import (
    ALL,
    History,
    jump,
    remember,
    show_newest,
    stop,
    travel,
)

JUMP = 10
_TRADING_ON = "trading on"
_OVER = "the market has closed: {restart} opens it anew"


def opened(model: Model) -> Model:
    """The model with the newest scene as the first there is."""
    model = remember(replace(model, history=History()))
    return replace(model, place=None, stage=model.latest, beat=0, reveal=None)


def shown(model: Model, beat: int) -> Model:
    """The stage after so many offers, the last of them from now on."""
    return model.put_on(model.stage, beat)


def run(model: Model) -> Model:
    """Go on at the present pace."""
    if model.latest.finished and model.place is None and not model.unseen and _at_end(model):
        return replace(model, running=False).with_message(_OVER)
    if _trading_on(model):
        return model.send(Halt())
    model = replace(model, running=True, reveal=None)
    return model.send(Run(model.pace.negotiations)) if model.free_running else model


def pause(model: Model) -> Model:
    """Stop where it is; where not all was shown, with the newest on the stage."""
    return timeline.pause(replace(model, reveal=ALL) if model.free_running else model)


def run_or_pause(model: Model) -> Model:
    """The other of the two."""
    return pause(model) if model.running else run(model)


def tick(model: Model, now: float) -> Model:
    """Time has passed: an offer more, or the next scene, where one is due."""
    if now - model.since < model.turn_seconds + 1:  # something may still slide or flash
        model = replace(model, now=now)
    if not model.running or model.reveal is not None or now < model.due:
        return model
    model = replace(model, now=now)
    return _after(model) if _at_end(model) else shown(model, model.beat + 1)


def _after(model: Model) -> Model:
    """What follows the tick on the stage, while running."""
    if model.place is not None:
        model = travel(model, model.place + 1, 1)
        return run(model) if model.place is None else model
    if model.unseen:
        return show_newest(model, 1)
    if model.free_running or model.waiting:
        return model
    if model.latest.finished:
        return replace(model, running=False).with_message(_OVER)
    return model.send(Play())


def published(model: Model, scene: MarketSnapshot) -> Model:
    """What changes with a new scene."""
    before, was_free = model.latest, model.free_running
    model = replace(model, latest=scene)
    if scene.notices != before.notices:
        model = replace(model, message=scene.notice)
    if scene.setup is not before.setup:
        model = opened(model)
        return run(model) if model.running else model
    if was_free and scene.finished:
        model = show_newest(replace(model, running=False), ALL).with_message(_OVER)
    elif scene.tick == model.stage.tick and model.place is None:  # other tables of the same
        model = replace(remember(model), stage=scene)
    if _trading_on(model):
        far = f"{scene.tick:,} of {plural(scene.setup.ticks, 'tick')}"
        model = model.with_message(f"{_TRADING_ON}, {far}: {{run}} stops it")
    if not model.waiting and model.reveal is not None:
        message = "" if model.message.startswith(_TRADING_ON) else model.message
        if model.unseen:
            model = show_newest(model, model.reveal)
        elif model.reveal == ALL and model.place is None:  # it rests where it was sampled
            model = shown(model, ALL)
        model = replace(model, reveal=None, message=message)
    return model


def next_offer(model: Model) -> Model:
    """Pause, and show one offer more of each pair, of the next tick if this one is over."""
    if model.reveal is not None and model.reveal < ALL:  # of the tick that is on its way
        return replace(model, reveal=model.reveal + 1)
    model = pause(model)
    if not _at_end(model):
        return shown(model, model.beat + 1)
    return _next(model, Play(), 1)


def next_tick(model: Model) -> Model:
    """Pause, and show this tick to its end, or the next one if that is shown."""
    model = pause(model)
    if not _at_end(model):
        return shown(model, ALL)
    return _next(model, Play(), ALL)


def stretch(model: Model) -> Model:
    """Pause, and trade on for a hundredth of the time."""
    model = pause(model)
    if model.place is not None:
        model = travel(model, len(model.history.entries))
    return _next(model, Play(max(1, model.latest.setup.ticks // 100)), ALL)


def _next(model: Model, command: Play, beat: int) -> Model:
    if model.place is not None:
        return travel(model, model.place + 1, beat)
    if model.unseen:
        return show_newest(model, beat)
    if model.latest.finished and not model.waiting:
        return model.with_message(_OVER)
    return replace(model.send(command), reveal=beat)


def back(model: Model) -> Model:
    """Pause, and go one offer back, into the past."""
    return shown(stop(model), model.beat - 1) if model.beat > 1 else jump(model, -1)


def change_pace(model: Model, step: int) -> Model:
    """Move along the ladder of paces."""
    after = timeline.change_pace(model, step)
    halted = model.free_running and not after.free_running
    return show_newest(after, ALL) if halted and after.unseen else after


def restart(model: Model) -> Model:
    """Open the same market anew."""
    return replace(model, reveal=None).send(Restart())


def _trading_on(model: Model) -> bool:
    """Whether a stretch of ticks takes so long that one heard of it under way."""
    return model.waiting and model.reveal is not None and model.unseen


def _at_end(model: Model) -> bool:
    return model.beat >= model.last_beat
