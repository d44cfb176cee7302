"""Playing the training, and moving through its past: steps, paces, moments and what-ifs. Pure.

The bar remembers what it showed. Every other moment of the training is computed again by the
session, which answers one question at a time: while it works, only the newest wish is kept.
"""

from dataclasses import replace

from negotiation_tui.sessions import commands
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.tui.negotiation.director import next_of
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import (
    ALL,
    LAST,
    Wish,
    pause,
    remember,
    show_newest,
    stop,
    wished,
)

_NOTHING = "there is nothing to go back to yet"
_ASKED = "a program cannot be asked again, so {back} brings back only what the bar showed"
_FIRST = "this is the beginning: {later} goes forward, {last} to the present"
_EARLIER = "this is an earlier offer of this game: {offer} goes forward, {last} to its end"
_PRESENT = "this is the present"


def present(model: Model) -> Model:
    """Return from a what-if or from the past to the present."""
    newest, line = model.history.newest, model.latest.course
    if model.live or newest is None:
        return model
    if line.behind:
        return go_to(model, line.goal)
    return model.arrive(newest, ALL) if newest.course.now >= line.goal else show_newest(model, ALL)


def go_to(model: Model, moment: int, visible: int = ALL) -> Model:
    """Go to a moment of the line; the newest wish counts."""
    latest, wish = model.latest, model.wish
    if moment >= latest.course.last and not latest.course.behind:
        return _said(present(replace(model, wish=None)))
    moment = max(0, moment)
    shown = model.history.entry((latest.line, (moment, 0)))
    if shown is not None and shown.course.now == moment:
        return _said(replace(model, wish=None).arrive(shown, visible))
    if _remembers(model):
        return model.with_message(_ASKED)
    new = Wish(visible, moment)
    if wish and _travels(model):
        return _said(replace(model, wish=new._replace(command=wish.command)))
    return _said(wished(model, new, commands.GoTo(moment)))


def skip_opening(model: Model) -> Model:
    """Let the story go on after its opening."""
    latest = model.latest
    opens = latest.opens or any(fact.at_first for fact in latest.story.news)
    if not model.pace.directed or latest.negotiations or not opens:
        return model.with_message("no opening to skip: {chapters} lists the sentences so far")
    return _story_goes_on(present(model), 1, skips=True)


def answered(model: Model) -> Model:
    """Show the moment that was wished for, if the session has answered."""
    wish, latest = model.wish, model.latest
    if wish is None or latest.status.handled < wish.command:
        return model
    if wish.moment is not None:
        return _arrived(model, wish, wish.moment)
    if wish.seeks and latest.status.per_second is not None:  # a long cycle is played in steps
        return model
    model = replace(model.with_players(), wish=None)
    if wish.seeks:
        return next_of_story(model, wish.visible)
    return show_newest(model, wish.visible) if latest.negotiation else model


def _arrived(model: Model, wish: Wish, moment: int) -> Model:
    """Show the moment that the session has computed, and ask for the one wished for since."""
    line = model.latest.course
    if model.latest.replies.past is None:  # a recording is not there yet, or a command came between
        to_come = line.behind and moment > line.now
        return model if to_come else wished(model, wish, commands.GoTo(moment))
    shown, before = model.latest.replies.past
    if shown.key == model.latest.key:  # the present, which `.` then goes on from
        model = remember(model)
    model = model.arrive(model.history.entry(shown.key) or shown, wish.visible, before)
    if shown.course.now != min(moment, line.now):
        return wished(model, wish, commands.GoTo(moment))
    model = replace(model, wish=None)
    model = _said(model) if model.in_present else model  # on the way it was the past
    return ask_test(model) if model.modal == "test" else model


def moment(model: Model) -> int:
    """Return the moment on the screen, or the one wished for."""
    wanted = model.wish and model.wish.moment
    return model.here.course.now if wanted is None else wanted


def back(model: Model) -> Model:
    """Stop and go one page of the end or one offer back, from a first offer to the game before."""
    playback, travels = model.playback, _travels(model)
    if playback is None or travels:
        return _game_back(pause(model), travels)
    if model.parent and playback.visible <= (playback.negotiation.what_if or 0) + 1:
        return leave_what_if(stop(model))
    if playback.ended and playback.page:
        return replace(stop(model), playback=replace(playback, at=playback.at - 1, rewound=True))
    if playback.visible <= 1:
        return _game_back(stop(model), travels)
    model, visible = stop(model), playback.visible - 1
    if model.live and playback.ended:
        model = model.with_message(_EARLIER)
    if _lacks_tables(model):
        at = model.here.course.now
        return wished(model, Wish(visible, at), commands.GoTo(at))
    return replace(model, playback=replace(playback.showing(visible, model.now), rewound=True))


def _game_back(model: Model, travels: bool) -> Model:
    at, here = moment(model), model.here
    entry = None if travels else _beside(model, -1)
    if entry:
        return _said(model.arrive(entry, LAST))
    before = at - (travels or here.only_games or here.extra == 0)
    if before < 1:
        return model.with_message(_FIRST if model.latest.course.now else _NOTHING)
    return go_to(model, before, LAST)


def _beside(model: Model, step: int) -> Snapshot | None:
    """Return the entry before (step −1) or after (1), if no game between can be computed."""
    entry = model.history.beside(model.here.key, step)
    near = entry and abs(entry.course.now - model.here.course.now) <= 1
    return entry if near or _remembers(model) else None


def _remembers(model: Model) -> bool:
    """True if a program plays, because then only what the bar showed comes back."""
    return model.latest.seating.has_program and not model.latest.only_games


def _travels(model: Model) -> bool:
    """True if a moment that was wished for is being computed."""
    return model.wish is not None and model.wish.moment is not None


def _lacks_tables(model: Model) -> bool:
    """True if the tables before the game on the bar are not at hand, and can be computed."""
    game = model.here.negotiation
    known = model.before is not None or model.parent is not None or not (game and game.learners)
    return not (known or _remembers(model))


def forward(model: Model, visible: int) -> Model:
    """Go from the past to the next negotiation, at last to the present."""
    at = moment(model)
    entry = _beside(model, 1)
    if at == model.here.course.now and entry:
        return model.arrive(entry, visible)
    return go_to(model, at + 1, visible)


def other_cycle(model: Model, step: int) -> Model:
    """Stop and go to the end of the cycle before or after."""
    at, line = moment(model), model.latest.course
    model = pause(model)
    if not line.now:
        return replace(model, message=_NOTHING)
    if model.live and step > 0 and model.wish is None:
        return replace(model, message=_PRESENT)
    to = line.before(at) if step < 0 else line.after(at)
    if to is None:
        return model.with_message(_FIRST if step < 0 else _PRESENT)
    return go_to(model, to)


def to_end(model: Model, step: int) -> Model:
    """Stop and go to the beginning (step −1), or to the present (1)."""
    model = stop(model)
    if step < 0:
        return go_to(model, 0) if model.latest.course.now else replace(model, message=_NOTHING)
    if model.live and model.playback and not model.playback.ended:
        return replace(model, playback=model.playback.showing(ALL, model.now))
    return _said(present(model))


def go_to_number(model: Model, number: int) -> Model:
    """Go to the end of a cycle by its number."""
    line = model.latest.course
    gone = go_to(model, number * line.per)
    if number * line.per <= line.last:
        return gone
    there = "this is" if gone.live else "on the way to"
    return replace(gone, message=f"{line.unit} {number:,} is still to come; {there} the present")


def _said(model: Model) -> Model:
    """Set the message to the moment, and to the keys that lead on."""
    if model.in_present and not _travels(model):
        return replace(model, message="back in the present")
    where = model.latest.course.named(moment(model))
    text = f"the past, {where}: {{offer}} {{later}} go forward, {{last}} returns to the present"
    return model.with_message(text)


def ask_test(model: Model) -> Model:
    """Ask the session to test the players shown; of a moment on its way, when it is shown."""
    if _travels(model):
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
    parent, turns = model.parent or model, negotiation.what_if or 0
    here = replace(parent.here, negotiation=negotiation)
    return replace(model, parent=parent, here=here, running=True).timed(turns + 1)


def leave_what_if(model: Model) -> Model:
    """Return to the position where the what-if began, and pause."""
    assert model.parent is not None
    left, message = model.parent, "back in the real game"
    model = replace(model, here=left.here, before=left.before, playback=left.playback, parent=None)
    return replace(model, running=False, message=message)


_END = "this is the end of the recording: {first} goes to its beginning"
MORE = 50  # the number of cycles that `more` adds
PLAYING = "you are playing: {close} leaves, and the training can go on"


def run_on(model: Model) -> Model:
    """Run at the present pace, from the position on the bar on."""
    if model.parent and model.over:
        model = leave_what_if(model)
    model = replace(model, running=True)
    if model.pace.seen or not model.live:
        return model
    return model.send(commands.PlayOn(model.pace.negotiations))


def at_end(model: Model) -> Model:
    return pause(model).with_message(_END)


def run_or_pause(model: Model) -> Model:
    if model.human_playing:
        return model.with_message(PLAYING)
    return pause(model) if model.running else run_on(model)


def next_turns(model: Model, turns: int) -> Model:
    """Pause and show so many turns more; if this negotiation is over, those of the next one."""
    wish, playback = model.wish, model.playback
    if wish and wish.moment is None and wish.visible < ALL:  # the session still plays that one
        wish = wish._replace(visible=min(ALL, wish.visible + turns))
        return replace(pause(model), wish=wish)
    if (wish and wish.moment is None) or playback is None:
        return _next(model, turns)
    if turns == 1 and playback.ended and not playback.last:  # the next page below
        return replace(pause(model), playback=playback.next(model.now))
    if playback.ended:
        return _next(model, turns)
    return replace(pause(model), playback=playback.showing(playback.visible + turns, model.now))


def _next(model: Model, visible: int) -> Model:
    """Show the next negotiation: from the history, from the newest snapshot, or a new one."""
    if model.human_playing and model.playback and not model.over:
        return replace(model, message="it is your turn")
    if model.parent:
        return pause(model).with_message(_END_OF_WHAT_IF)
    if not model.in_present:
        return forward(pause(model), visible)
    if directs(model):
        return next_of_story(pause(model), visible)
    if model.wish is None and not model.waiting and model.unseen:
        return show_newest(pause(model), visible)
    return wished(pause(model), Wish(visible), commands.Play())


_END_OF_WHAT_IF = "this is the end of the what-if: {close} returns to the real game"


def next_cycle(model: Model) -> Model:
    """Pause and train to the end of the cycle."""
    model = present(model)
    if model.human_playing:
        return model.with_message(PLAYING)
    if model.latest.finished and not model.waiting:
        cycles = model.latest.parameters.cycles
        done = f"all {cycles:,} cycles are done: {{more}} trains {MORE} more, {{restart}} restarts"
        return pause(model).with_message(done)
    after = wished(pause(model), Wish(), commands.PlayCycle())
    if None in model.strategies:
        return after
    return after.with_message("nobody learns: {toggle} lets both learn")


def change_pace(model: Model, step: int) -> Model:
    after = timeline.change_pace(model, step)
    if after.pace is model.pace:
        return after
    if model.pace.directed:
        after = after.with_message(f"{after.message}; {{story}} returns to the story")
    if after.live and after.here.opens:  # the opening is over
        return wished(after, Wish(1), commands.Play())
    if after.playback is None:
        return after
    return after.timed(after.playback.visible)


def restart(model: Model) -> Model:
    return _run_on(wished(present(model), Wish(), commands.Restart()))


def more(model: Model) -> Model:
    return _run_on(present(model).send(commands.Halt(), commands.Extend(MORE)))


def _run_on(model: Model) -> Model:
    """Let the session run again if it ran on its own."""
    on_its_own = model.running and not model.pace.seen and not model.human_playing
    return model.send(commands.PlayOn(model.pace.negotiations)) if on_its_own else model


def directs(model: Model) -> bool:
    """True if the director chooses what comes next in the present."""
    return model.pace.directed and model.live and model.latest.score is None


def direct(model: Model) -> Model:
    """Ask for what comes next, once the last negotiation was shown for long enough."""
    if model.waiting:
        return model
    if model.unseen:  # a cycle has passed, perhaps a part of a long one
        return show_newest(model, ALL)
    if model.latest.status.per_second is not None:  # a long cycle is played in steps
        return model
    asked = next_of(model.latest)
    if isinstance(asked[0], commands.PlayCycle):
        return model.send(*asked)
    return wished(model, Wish(1), *asked)


def next_of_story(model: Model, visible: int) -> Model:
    """Ask for the story's next game, and show its first turns; cycles without news pass."""
    return model if model.waiting else _story_goes_on(model, visible)


def _story_goes_on(model: Model, visible: int, skips: bool = False) -> Model:
    asked = next_of(model.latest, skips)
    return wished(model, Wish(visible, seeks=isinstance(asked[0], commands.PlayCycle)), *asked)
