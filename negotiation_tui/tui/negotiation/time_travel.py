"""Moving through the past: offers on the bar, moments of the training, and what-ifs. Pure.

The bar remembers what it showed. Every other moment of the training is computed again by the
session, which answers one question at a time: while it works, only the newest wish is kept.
"""

from dataclasses import replace

from negotiation_tui.sessions.commands import GoTo, WhatIf
from negotiation_tui.sessions.snapshot import Negotiation
from negotiation_tui.tui.negotiation.model import Model, Past
from negotiation_tui.tui.toolkit import timeline
from negotiation_tui.tui.toolkit.timeline import ALL, History, jump, stop

_NOTHING = "nothing to go back to yet"
_FIRST = "this is the beginning: {later} goes forward, {last} to the present"
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
        return replace(model, place=None).put_on(model.latest, ALL)
    return timeline.travel(model, len(model.history.entries))


def go_to(model: Model, moment: int, visible: int = ALL) -> Model:
    """Go to a moment of the training or of the recording; the newest wish counts."""
    line = model.latest.course
    if not model.latest.recording and moment >= line.now:
        return _said(present(model))
    moment = min(max(0, moment), line.end)
    model = replace(model, past=replace(model.past, wanted=moment, visible=visible))
    return model if model.past.asked else _ask(model)


def _ask(model: Model) -> Model:
    """Send the wish to the session."""
    assert model.past.wanted is not None
    model = model.send(GoTo(model.past.wanted))
    return replace(model, past=replace(model.past, asked=model.sent))


def answered(model: Model) -> Model:
    """Show the moment that the session has computed, and ask for the one wished for since."""
    past, snapshot = model.past, model.latest
    if not past.asked or snapshot.handled < past.asked:
        return model
    if snapshot.recording:
        now = snapshot.course.now
        model = replace(model, past=replace(past, asked=0), history=History(), place=None)
        model = replace(model, before=None).put_on(snapshot, past.visible)
    else:
        if snapshot.past is None:  # another command came between
            return _ask(model)
        shown, before = snapshot.past
        now = shown.course.now
        model = replace(model, past=replace(past, shown=shown, before=before, asked=0), place=None)
        model = model.put_on(shown, past.visible)
    if past.wanted != now:
        return _ask(model)
    return replace(model, past=replace(model.past, wanted=None))


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
    return (
        model.with_message(_PAST) if first and model.message != model.keys.format(_FIRST) else model
    )


def _negotiation_before(model: Model) -> Model:
    """Go to the negotiation before the one on the bar, which the bar never showed."""
    test = model.playback is not None and model.playback.negotiation.test
    before = moment(model) - (0 if test and not model.latest.recording else 1)
    if before < 1:
        return model.with_message(_FIRST)
    return go_to(model, before) if before < model.latest.course.now else model.with_message(_FIRST)


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
    model = stop(model)
    line = model.latest.course
    if not (line.end if model.latest.recording else line.now):
        return replace(model, message=_NOTHING)
    if model.live and step > 0 and not model.latest.recording:
        return replace(model, message="this is the present")
    to = line.before(moment(model)) if step < 0 else line.after(moment(model))
    if to is None:
        return model.with_message(_FIRST if step < 0 else "this is the end")
    return _said(go_to(model, to))


def to_end(model: Model, step: int) -> Model:
    """Stop and go to the beginning (step −1), or to the present or the recording's end (1)."""
    model, line = stop(model), model.latest.course
    if step > 0 and not model.latest.recording:
        if model.live and model.playback and model.playback.rewound:
            return replace(model, playback=model.playback.showing(ALL, model.now))
        return _said(present(model))
    if not (line.end if model.latest.recording else line.now):
        return replace(model, message=_NOTHING)
    return _said(go_to(model, line.end if step > 0 else 0))


def type_cycle(model: Model) -> Model:
    """Begin to type a cycle, or a line of a recording, to go to."""
    return _typed(replace(stop(model), modal=None), "")


def press_while_typing(model: Model, key: str) -> Model | None:
    """Return the model after a key while a cycle is typed; None if the key ends the typing."""
    typed = model.past.typed
    if typed is None:
        return None
    done = replace(model, past=replace(model.past, typed=None))
    if key.isdecimal() and key.isascii():
        return _typed(model, (typed + key)[:12])
    if key == "backspace":
        return _typed(model, typed[:-1])
    if key == "enter" and typed:
        line = model.latest.course
        return _said(go_to(done, int(typed) * line.per))
    return replace(done, message="") if key in {"esc", "enter"} else _typed(model, typed)


def _typed(model: Model, typed: str) -> Model:
    line = model.latest.course
    last = (line.end if model.latest.recording else line.now) // line.per
    model = replace(model, past=replace(model.past, typed=typed))
    text = f"go to {line.unit} (0 to {last:,}): {typed}_   Enter goes, Esc cancels"
    return replace(model, message=text)


def _said(model: Model) -> Model:
    """Set the message to the moment, and to the keys that lead on."""
    line = model.latest.course
    if model.past.wanted is None and model.live and not model.latest.recording:
        return replace(model, message="back in the present")
    end = "to the end" if model.latest.recording else "back to the present"
    where = line.named(moment(model))
    where = where if model.latest.recording else f"the past, {where}"
    return model.with_message(f"{where}: {{offer}} {{later}} go forward, {{last}} {end}")


def ask_what_if(model: Model, action: int) -> Model:
    """Ask the session to continue from here with another action."""
    playback = model.playback
    assert playback is not None
    return model.send(WhatIf(model.learned, playback.negotiation, playback.visible, action))


def show_what_if(model: Model, negotiation: Negotiation) -> Model:
    """Play a what-if on the bar, from its own action on."""
    turns = negotiation.what_if or 0
    model = replace(model, origin=model.origin or model.playback, running=True)
    return model.play_back(negotiation, turns + 1)


def leave_what_if(model: Model) -> Model:
    """Return to the position where the what-if began, and pause."""
    message = "back from the what-if: this was really played"
    return replace(model, playback=model.origin, origin=None, running=False, message=message)
