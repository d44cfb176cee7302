"""The commands that play the training: run, pause, step, pace. Pure."""

from dataclasses import replace

from negotiation_tui.sessions.commands import Command, Extend, Halt, Play, PlayCycle, Restart, Run
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.pace import STORY
from negotiation_tui.tui.negotiation.past import Past
from negotiation_tui.tui.negotiation.time_travel import forward, leave_what_if, present
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import ALL, History, pause, show_newest

MORE = 50
"""The number of cycles that `more` adds."""
LAST = "end of the recording; {restart} plays it again"
_PLAYING = "you are playing: {close} leaves, and the training can go on"


def show(model: Model, visible: int) -> Model:
    """Put the newest negotiation on the bar."""
    if model.latest.negotiation is None:
        return replace(model, playback=None)
    return show_newest(model, visible)


def run(model: Model) -> Model:
    """Run at the present pace, from the position on the bar on."""
    if model.origin and model.playback and model.playback.over:
        model = leave_what_if(model)
    model = replace(model, running=True)
    if model.pace.seen or not model.live:
        return model
    return model.send(Run(model.pace.negotiations))


def run_or_pause(model: Model) -> Model:
    """Pause if running, run otherwise."""
    if model.human_playing:
        return model.with_message(_PLAYING)
    return pause(model) if model.running else run(model)


def step(model: Model, command: Command, reveal: int) -> Model:
    """Pause, and ask the session for something to show."""
    return replace(pause(model).send(command), reveal=reveal)


def next_offer(model: Model) -> Model:
    """Pause and show the next offer; if this negotiation is over, that of the next one."""
    coming, playback = model.reveal, model.playback
    if coming is not None and coming < ALL:  # the session still plays that negotiation
        return replace(model, reveal=coming + 1)
    if coming is not None or playback is None or playback.ended:
        return _next(model, 1)
    return replace(pause(model), playback=playback.showing(playback.visible + 1, model.now))


def next_negotiation(model: Model) -> Model:
    """Pause and show this negotiation to its end; if it is over, the next one."""
    coming, playback = model.reveal, model.playback
    if coming is not None and coming < ALL:
        return replace(model, reveal=ALL)
    if coming is not None or playback is None or playback.ended:
        return _next(model, ALL)
    return replace(pause(model), playback=playback.showing(ALL, model.now))


def _next(model: Model, reveal: int) -> Model:
    """Show the next negotiation: from the history, from the newest snapshot, or a new one."""
    if model.human_playing and model.playback and not model.playback.over:
        return replace(model, message="it is your turn")
    if model.origin:
        return leave_what_if(pause(model))
    if not model.in_present:
        return forward(pause(model), reveal)
    if model.reveal is None and not model.waiting and model.unseen:
        return show(pause(model), reveal)
    if model.latest.recording and model.latest.finished:
        return model.with_message(LAST)
    return step(model, Play(), reveal)


def next_cycle(model: Model) -> Model:
    """Pause and train to the end of the cycle."""
    model = present(model)
    if model.human_playing:
        return model.with_message(_PLAYING)
    if model.latest.finished and not model.waiting:
        cycles = model.latest.parameters.cycles
        done = f"all {cycles:,} cycles are done: {{more}} trains {MORE} more, {{restart}} restarts"
        return pause(model).with_message(LAST if model.latest.recording else done)
    return step(model, PlayCycle(), ALL)


def change_pace(model: Model, step: int) -> Model:
    """Change to a faster (step 1) or slower pace (−1)."""
    after = timeline.change_pace(model, step)
    if model.pace.directed:
        after = after.with_message(f"{after.message}; {{story}} gives the story back")
    if after.playback is None or after.pace is model.pace:
        return after
    return replace(after, playback=replace(after.playback, turn_seconds=after.turn_seconds))


def tell_story(model: Model) -> Model:
    """Give the pace back to the director, and run."""
    if model.human_playing:
        return model.with_message(_PLAYING)
    model = replace(pause(present(model)), pace_index=STORY)
    return run(model).with_message("the story goes on; {faster} and {slower} take over")


def restart(model: Model) -> Model:
    """Restart the training."""
    cleared = replace(model, playback=None, reveal=None, history=History(), place=None, origin=None)
    model = replace(cleared, past=Past()).send(Restart())
    return _run_on(replace(model, restarted=model.sent))


def more(model: Model) -> Model:
    """Let the training last longer, also if it is finished."""
    return _run_on(present(model).send(Halt(), Extend(MORE)))


def _run_on(model: Model) -> Model:
    """Let the session run again if it ran on its own."""
    on_its_own = model.running and not model.pace.seen and not model.human_playing
    return model.send(Run(model.pace.negotiations)) if on_its_own else model
