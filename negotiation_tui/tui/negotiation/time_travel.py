"""Playing the training, and moving through its past: steps, paces, moments and what-ifs. Pure.

The bar remembers what it showed. Every other moment of the training is computed again by the
session, which answers one question at a time: while it works, only the newest wish is kept.
"""

from dataclasses import replace

from negotiation_tui.sessions import commands
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.tui.negotiation.model import Model, Past
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.pace import STORY, reading_time
from negotiation_tui.tui.toolkit.timeline import ALL, History, jump, pause, show_newest, stop

_NOTHING = "nothing to go back to yet"
_ASKED = "a program cannot be asked again: only what the bar showed comes back, by {back}"
_FIRST = "this is the beginning: {later} goes forward, {last} to the present"
_EARLIER = "an earlier offer of this game: {offer} goes forward, {last} to its end"
_PAST = "this is the past: {offer} goes forward, {last} back to the present"


def travel(model: Model, place: int, visible: int = ALL) -> Model:
    """Put an entry of the history on the bar; the newest is the present."""
    return _said(timeline.travel(replace(model, past=Past()), place, visible))


def present(model: Model) -> Model:
    """Return from a what-if or from the past to the present."""
    if model.live:
        return model
    model = replace(model, past=Past())
    if not model.history.entries:
        return replace(model, place=None).show_entry(model.latest, ALL)
    return timeline.travel(model, len(model.history.entries))


def go_to(model: Model, moment: int, visible: int = ALL) -> Model:
    """Go to a moment of the training or of the recording; the newest wish counts."""
    line = model.latest.course
    if not model.latest.recording and moment >= line.now:
        return _said(present(model))
    if not model.latest.recording and model.latest.seating.has_program:
        return model.with_message(_ASKED)
    moment = min(max(0, moment), line.end)
    model = replace(model, past=replace(model.past, wanted=moment, visible=visible))
    return model if model.past.asked else _ask(model)


def _ask(model: Model) -> Model:
    assert model.past.wanted is not None
    model = model.send(commands.GoTo(model.past.wanted))
    return replace(model, past=replace(model.past, asked=model.sent))


def answered(model: Model) -> Model:
    """Show the moment that the session has computed, and ask for the one wished for since."""
    past, snapshot = model.past, model.latest
    if not past.asked or snapshot.status.handled < past.asked:
        return model
    if snapshot.recording:
        shown = snapshot
        model = replace(model, past=replace(past, asked=0), history=History(), before=None)
    elif snapshot.replies.past is None:  # another command came between
        return _ask(model)
    else:
        shown, before = snapshot.replies.past
        model = replace(model, past=replace(past, shown=shown, before=before, asked=0))
    model = replace(model, place=None).show_entry(shown, past.visible)
    if past.wanted != shown.course.now:
        return _ask(model)
    model = replace(model, past=replace(model.past, wanted=None))
    return ask_test(model) if model.modal == "test" else model


def moment(model: Model) -> int:
    """Return the moment on the screen, or the one wished for."""
    wanted = model.past.wanted
    return model.snapshot.course.now if wanted is None else wanted


def back(model: Model) -> Model:
    """Stop and go one offer back, from a first offer to the end of the negotiation before."""
    model = stop(model)
    playback = model.playback
    if playback is None:
        return model.with_message(_NOTHING if model.live else _FIRST)
    if model.origin and playback.visible <= (playback.negotiation.what_if or 0) + 1:
        return leave_what_if(model)
    first = model.live and not playback.rewound
    if playback.visible > 1:
        earlier = replace(playback.showing(playback.visible - 1, model.now), rewound=True)
        model = replace(model, playback=earlier)
    elif model.past.shown is None and not model.past.asked and model.here > 0:
        model = _said(jump(model, -1))
    else:
        model = _negotiation_before(model)
    at_beginning = model.message == model.keys.format(_FIRST)
    if not first or at_beginning:
        return model
    return model.with_message(_EARLIER if model.live else _PAST)


def _negotiation_before(model: Model) -> Model:
    """Go to the negotiation before the one on the bar, which the bar never showed."""
    test = model.playback is not None and model.playback.negotiation.test
    before = moment(model) - (0 if test and not model.latest.recording else 1)
    played = 1 <= before < model.latest.course.now
    return go_to(model, before) if played else model.with_message(_FIRST)


def forward(model: Model, visible: int) -> Model:
    """Go from the past to the next negotiation, at last to the present."""
    if model.place is not None and not model.past.asked:
        return travel(model, model.place + 1, visible)
    following = moment(model) + 1
    entries = model.history.entries
    oldest = entries[0] if entries else None
    if oldest and oldest.course.now == following:
        return travel(model, 0, visible)
    return go_to(model, following, visible)


def other_cycle(model: Model, step: int) -> Model:
    """Stop and go to the end of the cycle before or after."""
    model, line = stop(model), model.latest.course
    if not model.last_moment:
        return replace(model, message=_NOTHING)
    if model.live and step > 0 and not model.latest.recording:
        return replace(model, message="this is the present")
    to = line.before(moment(model)) if step < 0 else line.after(moment(model))
    if to is None:
        return model.with_message(_FIRST if step < 0 else "this is the end")
    return _said(go_to(model, to))


def to_end(model: Model, step: int) -> Model:
    """Stop and go to the beginning (step −1), or to the present or the recording's end (1)."""
    model = stop(model)
    if step > 0 and not model.latest.recording:
        if model.live and model.playback and model.playback.rewound:
            return replace(model, playback=model.playback.showing(ALL, model.now))
        return _said(present(model))
    if not model.last_moment:
        return replace(model, message=_NOTHING)
    return _said(go_to(model, model.last_moment if step > 0 else 0))


def go_to_number(model: Model, number: int) -> Model:
    """Go to a cycle, or to a line of a recording, by its number."""
    line = model.latest.course
    gone = _said(go_to(model, number * line.per))
    if model.latest.recording or number * line.per <= line.now:
        return gone
    return replace(gone, message=f"{line.unit} {number:,} is still to come: back in the present")


def _said(model: Model) -> Model:
    """Set the message to the moment, and to the keys that lead on."""
    line = model.latest.course
    if model.message == model.keys.format(_ASKED):
        return model
    if model.past.wanted is None and model.live and not model.latest.recording:
        return replace(model, message="back in the present")
    end = "to the end" if model.latest.recording else "back to the present"
    where = line.named(moment(model))
    where = where if model.latest.recording else f"the past, {where}"
    return model.with_message(f"{where}: {{offer}} {{later}} go forward, {{last}} {end}")


def ask_test(model: Model) -> Model:
    """Ask the session to test the players shown; of a moment on its way, when it is shown."""
    if model.past.asked:
        return model
    return model.send(commands.Test(None if model.in_present else model.pane_snapshot))


def ask_what_if(model: Model, action: int) -> Model:
    """Ask the session to continue from here with another action."""
    playback = model.playback
    assert playback is not None
    question = commands.WhatIf(model.pane_snapshot, playback.negotiation, playback.visible, action)
    return replace(model, modal=None).send(question)


def show_what_if(model: Model, negotiation: Negotiation) -> Model:
    """Play a what-if on the bar, from its own action on."""
    turns = negotiation.what_if or 0
    model = replace(model, origin=model.origin or model.playback, running=True)
    assert model.origin is not None
    return model.show_negotiation(negotiation, model.origin.then, None, turns + 1)


def leave_what_if(model: Model) -> Model:
    """Return to the position where the what-if began, and pause."""
    message = "back from the what-if: this was really played"
    return replace(model, playback=model.origin, origin=None, running=False, message=message)


MORE = 50  # the number of cycles that `more` adds
LAST = "end of the recording; {restart} plays it again"
PLAYING = "you are playing: {close} leaves, and the training can go on"


def run_on(model: Model) -> Model:
    """Run at the present pace, from the position on the bar on."""
    if model.origin and model.over:
        model = leave_what_if(model)
    model = replace(model, running=True)
    if model.pace.seen or not model.live:
        return model
    return model.send(commands.PlayOn(model.pace.negotiations))


def run_or_pause(model: Model) -> Model:
    if model.human_playing:
        return model.with_message(PLAYING)
    return pause(model) if model.running else run_on(model)


def step(model: Model, command: commands.Command, reveal: int) -> Model:
    """Pause, and ask the session for something to show."""
    return replace(pause(model).send(command), reveal=reveal)


def next_turns(model: Model, turns: int) -> Model:
    """Pause and show so many turns more; if this negotiation is over, those of the next one."""
    coming, playback = model.reveal, model.playback
    if coming is not None and coming < ALL:  # the session still plays that negotiation
        return replace(pause(model), reveal=min(ALL, coming + turns))
    if coming is not None or playback is None or playback.ended:
        return _next(model, turns)
    return replace(pause(model), playback=playback.showing(playback.visible + turns, model.now))


def _next(model: Model, reveal: int) -> Model:
    """Show the next negotiation: from the history, from the newest snapshot, or a new one."""
    if model.human_playing and model.playback and not model.over:
        return replace(model, message="it is your turn")
    if model.origin:
        return leave_what_if(pause(model))
    if not model.in_present:
        return forward(pause(model), reveal)
    if directs(model):
        return next_of_story(pause(model), reveal)
    new = model.reveal is None and not model.waiting and model.unseen
    if not new and model.latest.recording and model.latest.finished:
        return model.with_message(LAST)
    return show_newest(pause(model), reveal) if new else step(model, commands.Play(), reveal)


def next_cycle(model: Model) -> Model:
    """Pause and train to the end of the cycle."""
    model = present(model)
    if model.human_playing:
        return model.with_message(PLAYING)
    if model.latest.finished and not model.waiting:
        cycles = model.latest.parameters.cycles
        done = f"all {cycles:,} cycles are done: {{more}} trains {MORE} more, {{restart}} restarts"
        return pause(model).with_message(LAST if model.latest.recording else done)
    after = step(model, commands.PlayCycle(), ALL)
    if None in model.strategies or model.latest.recording:
        return after
    return after.with_message("nobody learns: {toggle} lets both learn")


def change_pace(model: Model, step: int) -> Model:
    after = timeline.change_pace(model, step)
    if model.playback and model.playback.negotiation.rules and after.pace is not model.pace:
        after = replace(after.send(commands.Play()), reveal=1)  # the opening is over
    if model.pace.directed:
        after = after.with_message(f"{after.message}; {{story}} gives the story back")
    if after.playback is None or after.pace is model.pace:
        return after
    return replace(after, playback=replace(after.playback, turn_seconds=after.turn_seconds))


def tell_story(model: Model) -> Model:
    """Give the pace back to the director, and run."""
    if model.human_playing:
        return model.with_message(PLAYING)
    model = replace(pause(present(model)), pace_index=STORY)
    return run_on(model).with_message("the story goes on; {faster} and {slower} take over")


def restart(model: Model) -> Model:
    cleared = replace(model, playback=None, reveal=None, history=History(), place=None, origin=None)
    model = replace(cleared, past=Past(), games=(), sampled=0).send(commands.Restart())
    return _run_on(replace(model, restarted=model.sent))


def more(model: Model) -> Model:
    return _run_on(present(model).send(commands.Halt(), commands.Extend(MORE)))


def _run_on(model: Model) -> Model:
    """Let the session run again if it ran on its own."""
    on_its_own = model.running and not model.pace.seen and not model.human_playing
    return model.send(commands.PlayOn(model.pace.negotiations)) if on_its_own else model


QUICK = 0.35  # seconds for cycles without news
AT_ONCE = 10_000
"""Negotiations of the longest cycle that passes at once; others leave time for keys."""
QUICKEST = 120  # cycles of the longest training whose cycles without news pass one at a time


def directs(model: Model) -> bool:
    """True if the director chooses what comes next in the present."""
    learns = None in model.latest.seating.strategies and not model.latest.recording
    return model.pace.directed and model.live and learns


def direct(model: Model) -> Model:
    """Ask for what comes next, once the last negotiation was shown for long enough."""
    latest, playback = model.latest, model.playback
    if model.waiting:
        return model
    page = playback.page + 1 if playback else 0
    if playback and not playback.reads and page < len(model.caption_pages):
        hold = model.now + reading_time(model.caption_pages[page])
        return replace(model, playback=replace(playback, page=page, hold=hold))
    if model.unseen:  # a cycle has passed, perhaps a part of a long one
        return show_newest(model, ALL)
    if latest.status.per_second is not None:  # a long cycle is played in steps
        return replace(model, playback=playback and replace(playback, hold=model.now + QUICK))
    command, several = _told_next(latest), latest.parameters.cycles // QUICKEST
    if playback is None and isinstance(command, commands.PlayCycle):
        command = commands.Play()
    if not isinstance(command, commands.PlayCycle):
        return replace(model.send(command), reveal=1)
    return model.send(*[command] * (1 if command.in_steps else max(1, several)))


def next_of_story(model: Model, reveal: int) -> Model:
    """Ask for the story's next game, and show its first turns; cycles without news pass."""
    if model.waiting:
        return model
    command = _told_next(model.latest)
    if isinstance(command, commands.PlayCycle):
        return replace(model.send(command), seeking=reveal)
    return replace(model.send(command), reveal=reveal, seeking=None)


def _told_next(latest: Snapshot) -> commands.Tell | commands.Play | commands.PlayCycle:
    """Return the command for the story's next game, or for the cycles before it."""
    cycle = latest.negotiations // latest.parameters.episodes
    begun = latest.negotiations > 0
    news = (fact for fact in latest.story.news if not (fact.at_first and begun))
    fact = next((fact for fact in news if fact.cycle == cycle), None)
    if fact is not None:
        return commands.Tell(fact)
    return (
        commands.Play()
        if latest.finished
        else commands.PlayCycle(latest.parameters.episodes > AT_ONCE)
    )
