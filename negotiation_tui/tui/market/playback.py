"""Show ticks offer by offer: running, stepping, and going back. Pure."""

from bisect import bisect_left, bisect_right
from dataclasses import replace

from negotiation_tui.market.snapshot import MarketSnapshot
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions.commands import Halt, Play, Run
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.pace import STORY
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import ALL, History, jump, remember, show_newest, travel

_TRADING_ON = "trading"
_OVER = "the market has closed: {earlier} looks back, {save} saves it, {restart} restarts it"


def started(model: Model) -> Model:
    """Start a history with the newest snapshot."""
    model = remember(replace(model, history=History()))
    return replace(model, place=None, played=model.latest, frame=0, reveal=None)


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
    return _after(model) if _at_end(model) else model.put_on(model.played, model.frame + 1)


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
    elif model.free_running and not was_free:  # the story shows only samples from now on
        model = model.send(Run(model.pace.negotiations))
    elif snapshot.tick == model.played.tick and model.place is None:  # with other tables
        model = replace(remember(model), played=snapshot)
    if _trading_on(model):
        far = f"{snapshot.tick:,} of {plural(snapshot.setup.ticks, 'tick')}"
        model = model.with_message(f"{_TRADING_ON}, {far}: {{run}} stops it")
    if not model.waiting and model.reveal is not None:
        message = "" if model.message.startswith(_TRADING_ON) else model.message
        if model.unseen:
            model = show_newest(model, model.reveal)
        elif model.reveal == ALL and model.place is None:  # stay at the sampled tick
            model = model.put_on(model.played, ALL)
        model = replace(model, reveal=None, message=message)
    return model


def next_offer(model: Model) -> Model:
    """Pause, and show one more offer of each pair, of the next tick if this one is over."""
    if model.reveal is not None and model.reveal < ALL:  # of the tick that was asked for
        return replace(model, reveal=model.reveal + 1)
    model = pause(model)
    if not _at_end(model):
        return model.put_on(model.played, model.frame + 1)
    return _next(model, Play(), 1)


def next_tick(model: Model) -> Model:
    """Pause, and show the rest of this tick or, at its end, the next tick."""
    model = pause(model)
    return _next(model, Play(), ALL) if _at_end(model) else model.put_on(model.played, ALL)


def next_point(model: Model) -> Model:
    """Pause, and trade to the next point of the curves."""
    return _trade_to(model, (model.latest.tick // model.point + 1) * model.point)


def _trade_to(model: Model, goal: int) -> Model:
    model = pause(model)
    if model.place is not None:
        model = travel(model, len(model.history.entries))
    return _next(model, Play(goal - model.latest.tick), ALL)


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
        return timeline.stop(model).put_on(model.played, model.frame - 1)
    return jump(model, -1)


def other_point(model: Model, step: int) -> Model:
    """Pause, and go to the tick shown nearest to the point of the curves before or after."""
    model = timeline.stop(model)
    ticks, here = [entry.tick for entry in model.history.entries], model.here
    point = (ticks[here] - (step < 0)) // model.point + (step > 0)
    goal = point * model.point
    to = (
        min(bisect_left(ticks, goal), len(ticks) - 1) if step > 0 else bisect_right(ticks, goal) - 1
    )
    return jump(model, max(to, 0) - here or step)


def type_tick(model: Model, typed: str = "") -> Model:
    """Let the next digits be the tick to go to."""
    text = f"go to tick (0 to {model.latest.setup.ticks:,}): {typed}_   Enter goes, Esc cancels"
    return replace(timeline.stop(model), modal=None, going=typed, message=text)


def press_while_typing(model: Model, key: str) -> Model:
    """Return the model after a key while a tick is typed."""
    typed = model.going or ""
    done = replace(model, going=None, message="")
    if key == "enter" and typed:
        goal, ticks = int(typed), [entry.tick for entry in model.history.entries]
        if goal > model.latest.tick:
            return _trade_to(done, goal)
        shown = travel(done, max(0, bisect_right(ticks, goal) - 1))
        return replace(shown, message=f"tick {shown.played.tick:,}, the last shown up to {goal:,}")
    if key in {"enter", "esc"}:
        return done
    digit = key if key.isdecimal() and key.isascii() else ""
    return type_tick(model, typed[:-1] if key == "backspace" else (typed + digit)[:12])


def change_pace(model: Model, step: int) -> Model:
    """Choose a faster or slower pace; after a sample, show the newest tick."""
    after = timeline.change_pace(model, step)
    sampled = model.free_running and not after.free_running and after.unseen
    return show_newest(after, ALL) if sampled else after


def tell_story(model: Model) -> Model:
    """Let the story choose the pace, and run."""
    model = pause(travel(model, len(model.history.entries)))
    model = run(replace(model, pace_index=STORY))
    return model.with_message("the story goes on; {faster} and {slower} take over")


def _trading_on(model: Model) -> bool:
    """True while a stretch of ticks is so long that snapshots arrive before its end."""
    return model.waiting and model.reveal is not None and model.unseen


def _at_end(model: Model) -> bool:
    return model.frame >= model.last_frame
