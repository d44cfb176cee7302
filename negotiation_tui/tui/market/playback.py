"""Show ticks offer by offer: running, stepping, and going back. Pure."""

from dataclasses import replace

from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions.commands import Halt, Play, Restart, Run
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import ALL, History, remember, show_newest, travel

JUMP = 10
_TRADING_ON = "trading"
_OVER = "the market has closed: {earlier} looks back, {save} saves it, {restart} restarts it"


def started(model: Model) -> Model:
    """Start a history with the newest snapshot."""
    model = remember(replace(model, history=History()))
    return replace(model, place=None, played=model.latest, frame=0, reveal=None)


def show(model: Model, frame: int) -> Model:
    """Show `frame` offers of the present tick, the last one from now on."""
    return model.put_on(model.played, frame)


def run(model: Model) -> Model:
    """Run at the present pace."""
    if model.latest.finished and model.place is None and not model.unseen and _at_end(model):
        return replace(model, running=False).with_message(_OVER)
    if _trading_on(model):
        return model.send(Halt())
    model = replace(model, running=True, reveal=None)
    return model.send(Run(model.pace.negotiations)) if model.free_running else model


def pause(model: Model) -> Model:
    """Stop; at a pace that shows samples, then show the newest tick."""
    return timeline.pause(replace(model, reveal=ALL) if model.free_running else model)


def run_or_pause(model: Model) -> Model:
    """Pause if running, otherwise run."""
    return pause(model) if model.running else run(model)


def tick(model: Model, now: float) -> Model:
    """Show the next offer or the next tick if it is due."""
    if now - model.since < model.turn_seconds + 1:  # a marker may still slide or flash
        model = replace(model, now=now)
    if not model.running or model.reveal is not None or now < model.due:
        return model
    model = replace(model, now=now)
    return _after(model) if _at_end(model) else show(model, model.frame + 1)


def _after(model: Model) -> Model:
    """Continue after the end of a tick, while running."""
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


def published(model: Model, snapshot: MarketSnapshot) -> Model:
    """Take in a new snapshot."""
    before, was_free = model.latest, model.free_running
    model = replace(model, latest=snapshot)
    if snapshot.notices != before.notices:
        model = replace(model, message=snapshot.notice)
    if snapshot.setup is not before.setup:
        model = started(model)
        return run(model) if model.running else model
    if was_free and snapshot.finished:
        model = show_newest(replace(model, running=False), ALL).with_message(_OVER)
    elif (
        snapshot.tick == model.played.tick and model.place is None
    ):  # the same tick with other tables
        model = replace(remember(model), played=snapshot)
    if _trading_on(model):
        far = f"{snapshot.tick:,} of {plural(snapshot.setup.ticks, 'tick')}"
        model = model.with_message(f"{_TRADING_ON}, {far}: {{run}} stops it")
    if not model.waiting and model.reveal is not None:
        message = "" if model.message.startswith(_TRADING_ON) else model.message
        if model.unseen:
            model = show_newest(model, model.reveal)
        elif model.reveal == ALL and model.place is None:  # stay at the sampled tick
            model = show(model, ALL)
        model = replace(model, reveal=None, message=message)
    return model


def next_offer(model: Model) -> Model:
    """Pause, and show one more offer of each pair, of the next tick if this one is over."""
    if model.reveal is not None and model.reveal < ALL:  # of the tick that was asked for
        return replace(model, reveal=model.reveal + 1)
    model = pause(model)
    if not _at_end(model):
        return show(model, model.frame + 1)
    return _next(model, Play(), 1)


def next_tick(model: Model) -> Model:
    """Pause, and show the rest of this tick or, at its end, the next tick."""
    model = pause(model)
    if not _at_end(model):
        return show(model, ALL)
    return _next(model, Play(), ALL)


def stretch(model: Model) -> Model:
    """Pause, and trade for another hundredth of the time."""
    model = pause(model)
    if model.place is not None:
        model = travel(model, len(model.history.entries))
    return _next(model, Play(max(1, model.latest.setup.ticks // 100)), ALL)


def _next(model: Model, command: Play, frame: int) -> Model:
    if model.place is not None:
        return travel(model, model.place + 1, frame)
    if model.unseen:
        return show_newest(model, frame)
    if model.latest.finished and not model.waiting:
        return model.with_message(_OVER)
    return replace(model.send(command), reveal=frame)


def back(model: Model) -> Model:
    """Pause, and go one offer back, into the past."""
    if model.frame > 1:
        return show(timeline.stop(model), model.frame - 1)
    return timeline.jump(model, -1)


def change_pace(model: Model, step: int) -> Model:
    """Choose a faster or slower pace."""
    after = timeline.change_pace(model, step)
    halted = model.free_running and not after.free_running
    return show_newest(after, ALL) if halted and after.unseen else after


def restart(model: Model) -> Model:
    """Restart the same market."""
    return replace(model, reveal=None).send(Restart())


def _trading_on(model: Model) -> bool:
    """True while a stretch of ticks is so long that snapshots arrive before its end."""
    return model.waiting and model.reveal is not None and model.unseen


def _at_end(model: Model) -> bool:
    return model.frame >= model.last_frame
