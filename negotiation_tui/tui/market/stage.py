"""What is on the stage: the play of a tick, stepping, and the past. Pure."""

from dataclasses import replace

from negotiation_tui.market.scene import Scene
from negotiation_tui.runtime.text import numbered
from negotiation_tui.sessions.commands import Halt, Play, Restart, Run
from negotiation_tui.tui.market.model import ALL, Model, Told, beats
from negotiation_tui.tui.market.pace import PACES

MOST = 2000
"""So many scenes of the past are kept at most."""
MOST_BYTES = 64 << 20
"""In so much memory at most."""
JUMP = 10
_END = {1: "fast", -1: "slow"}
_TRADING_ON = "trading on"
_OVER = "the market has closed: {restart} opens it anew"


def over(model: Model) -> str:
    """What to say when the limit is reached."""
    return model.keys.said(_OVER)


def send(model: Model, *commands: Told) -> Model:
    """Leave commands for the market."""
    return replace(model, commands=(*model.commands, *commands), sent=model.sent + len(commands))


def opened(model: Model) -> Model:
    """The model with the newest scene as the first there is."""
    scene = model.latest
    return replace(model, past=(scene,), place=None, stage=scene, beat=0, reveal=None)


def unseen(model: Model) -> bool:
    """Whether the market is further than what was on the stage last."""
    return model.latest.tick != model.past[-1].tick


def put_on(model: Model, beat: int) -> Model:
    """Put the newest scene on the stage."""
    past = (*model.past, model.latest)
    size, keep = 0, 0
    for scene in reversed(past):
        size += scene.size
        if keep and (keep == MOST or size > MOST_BYTES):
            break
        keep += 1
    model = replace(model, past=past[-keep:], place=None, stage=model.latest)
    return shown(model, beat)


def shown(model: Model, beat: int) -> Model:
    """The stage after so many offers, the last of them from now on."""
    return replace(model, beat=min(beat, beats(model.stage)), since=model.now)


def travel(model: Model, place: int, beat: int = ALL) -> Model:
    """Put a scene of the past on the stage; behind the last of them is the present."""
    place = max(0, place)
    last = len(model.past) - 1
    there = None if place >= last else place
    return shown(replace(model, place=there, stage=model.past[min(place, last)]), beat)


def run(model: Model) -> Model:
    """Go on at the present pace."""
    if model.latest.finished and model.place is None and not unseen(model) and _at_end(model):
        return replace(model, running=False, message=over(model))
    if _trading_on(model):
        return send(model, Halt())
    model = replace(model, running=True, reveal=None)
    return send(model, Run(model.pace.negotiations)) if model.free_running else model


def pause(model: Model) -> Model:
    """Stop where it is; where not all was shown, with the newest on the stage."""
    if not model.free_running:
        return replace(model, running=False)
    return send(replace(model, running=False, reveal=ALL), Halt())


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
    if unseen(model):
        return put_on(model, 1)
    if model.free_running or model.waiting:
        return model
    if model.latest.finished:
        return replace(model, running=False, message=over(model))
    return send(model, Play())


def published(model: Model, scene: Scene) -> Model:
    """What changes with a new scene."""
    before, was_free = model.latest, model.free_running
    model = replace(model, latest=scene)
    if scene.notices != before.notices:
        model = replace(model, message=scene.notice)
    if scene.cast is not before.cast:
        model = opened(model)
        return run(model) if model.running else model
    if was_free and scene.finished:
        model = put_on(replace(model, running=False, message=over(model)), ALL)
    elif scene.tick == model.stage.tick and model.place is None:  # other tables of the same
        model = replace(model, stage=scene, past=(*model.past[:-1], scene))
    if _trading_on(model):
        far = f"{scene.tick:,} of {numbered(scene.cast.ticks, 'tick')}"
        stops = model.keys.said("{run} stops it")
        model = replace(model, message=f"{_TRADING_ON}, {far}: {stops}")
    if not model.waiting and model.reveal is not None:
        message = "" if model.message.startswith(_TRADING_ON) else model.message
        if unseen(model):
            model = put_on(model, model.reveal)
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
        model = travel(model, len(model.past))
    return _next(model, Play(max(1, model.latest.cast.ticks // 100)), ALL)


def _next(model: Model, command: Play, beat: int) -> Model:
    if model.place is not None:
        return travel(model, model.place + 1, beat)
    if unseen(model):
        return put_on(model, beat)
    if model.latest.finished and not model.waiting:
        return replace(model, message=over(model))
    return replace(send(model, command), reveal=beat)


def back(model: Model) -> Model:
    """Pause, and go one offer back, into the past."""
    model = replace(pause(model), reveal=None)
    if model.beat > 1:
        return shown(model, model.beat - 1)
    return jump(model, -1)


def jump(model: Model, step: int) -> Model:
    """Pause, and go so many scenes back or forward."""
    model = replace(pause(model), reveal=None)
    at = here(model)
    if step < 0 and at == 0:
        return replace(model, message=f"this is as far back as it goes: {_kept(model)}")
    if step > 0 and model.place is None:
        return replace(model, message="this is the present")
    model = travel(model, at + step)
    place = "back in the present"
    if model.place is not None:
        place = f"{len(model.past) - 1 - model.place:,} back · {_kept(model)}"
    return replace(model, message=place)


def here(model: Model) -> int:
    """The place of the stage in the past."""
    return len(model.past) - 1 if model.place is None else model.place


def change_pace(model: Model, step: int) -> Model:
    """Move along the ladder of paces."""
    index = model.pace_index + step
    if not 0 <= index < len(PACES):
        return replace(model, message=f"{model.pace.text} is as {_END[step]} as it goes")
    was_free = model.free_running
    model = replace(model, pace_index=index, message=f"pace: {PACES[index].text}")
    if model.free_running:
        return send(model, Run(model.pace.negotiations))
    if not was_free:
        return model
    return send(put_on(model, ALL) if unseen(model) else model, Halt())


def restart(model: Model) -> Model:
    """Open the same market anew."""
    return send(replace(model, reveal=None), Restart())


def _trading_on(model: Model) -> bool:
    """Whether a stretch of ticks takes so long that one heard of it under way."""
    return model.waiting and model.reveal is not None and unseen(model)


def _at_end(model: Model) -> bool:
    return model.beat >= model.last_beat


def _kept(model: Model) -> str:
    kept = len(model.past)
    size = sum(scene.size for scene in model.past) / (1 << 20)
    return f"{kept:,} kept of at most {MOST:,}, {size:.1f} of {MOST_BYTES >> 20} MB"
