"""Return the model after each message: snapshots, time, and the commands of the keys.

Pure: nothing here reads a clock, draws or talks to the session. Commands for the session are left
in `Model.commands`.
"""

from collections.abc import Callable
from dataclasses import replace

from negotiation_tui.game.roles import Role
from negotiation_tui.learning.q_table import Values
from negotiation_tui.players.spec import MOST_SAID
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions.commands import Halt, Play, Save
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.story.facts import fixed_rule
from negotiation_tui.strategies.registry import spec_of
from negotiation_tui.tui.negotiation import chapters, human_controls, menus, time_travel, why
from negotiation_tui.tui.negotiation.adjust import adjust
from negotiation_tui.tui.negotiation.caption import plays_rules
from negotiation_tui.tui.negotiation.model import BOTH_TABLES, TABLES, Model
from negotiation_tui.tui.negotiation.panes import q_tables
from negotiation_tui.tui.negotiation.render import VIEW, render
from negotiation_tui.tui.negotiation.time_travel import direct, directs, run_on
from negotiation_tui.tui.negotiation.wallets import known_coins, seats_kind
from negotiation_tui.tui.toolkit import paned, timeline
from negotiation_tui.tui.toolkit.canvas import Target
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Mouse, Tick
from negotiation_tui.tui.toolkit.pace import STORY
from negotiation_tui.tui.toolkit.paned import STEPS, Controls, moved
from negotiation_tui.tui.toolkit.timeline import Wish
from negotiation_tui.tui.widgets.ribbon import Game, with_game


def update(model: Model, message: Message) -> Model:
    after = _CONTROLS.update(model, message)
    key = message.key if isinstance(message, KeyPressed) else None
    if after.asked and ((key and after.asked == model.asked) or not after.message):
        after = replace(after, asked=None)  # another key, repeated and done, or long ago
    if after.price_typed and key and not human_controls.edits(model, key):
        after = replace(after, price_typed="")
    if after.modal == human_controls.SAY:
        after = replace(after, typed=after.typed[:MOST_SAID])
    if isinstance(message, Tick):
        after = _awaiting(after, message.now)
    after = _noted(_arrived(_followed(after, model), model))
    over = after.human_playing and after.over
    if over and not model.over and not after.modal:
        return replace(after, modal="score", modal_row=0)
    if after.modal == "score" and not over:
        return replace(after, modal=None)
    if after.modal == menus.WHAT_IF and after.position != model.position:
        return replace(after, modal=None)  # the list belongs to another position
    return after


def _awaiting(model: Model, now: float) -> Model:
    """Note since when a command is awaited."""
    if not model.waiting:
        return model if model.awaits is None else replace(model, awaits=None)
    number, known = model.latest.status.handled, model.awaits
    since = known if known and known[0] == number else (number, now)
    return replace(model, now=now, awaits=since)


def _followed(model: Model, before: Model) -> Model:
    """Show the table of who has just acted, if one table alone has room."""
    shown = model.shown
    new = shown is not None and (before.shown is None or shown.turns != before.shown.turns)
    follows = model.width < BOTH_TABLES and model.chosen in TABLES and not model.scrolled
    if not (new and follows and shown and shown.turns and model.live):
        return model
    last = shown.turns[-1].role
    return replace(model, chosen=next(n for n, role in TABLES.items() if role is last))


def _noted(model: Model) -> Model:
    """Add a game that has just ended to those shown."""
    playback, games = model.playback, model.games
    if playback is None or not model.live or not playback.over or not playback.shown.turns:
        return model
    shown, told = playback.negotiation, model.here.told
    if shown.learners and model.pace.directed and told is None:  # it stands for passing cycles
        return model
    last = next((game.key for game in reversed(games) if not game.sample), (0, 0))
    if shown.key <= last or shown.person is not None:
        return model
    kind, practice = seats_kind(model.here.seating), bool(shown.learners)
    game = Game.of(shown.key, shown.transcript, kind, practice)
    return replace(model, games=with_game(games, game))


def _arrived(model: Model, before: Model) -> Model:
    """Add the coins, and the games by the plans after cycles, that a new moment brings."""
    here = model.here
    if here is before.here or not model.live:
        return model
    games, kind, per = model.games, seats_kind(here.seating), here.parameters.episodes
    last = next((game.key[0] for game in reversed(games) if game.sample), 0)
    for cycle, transcript in here.story.samples:
        if cycle * per > last:
            games = with_game(games, Game.of((cycle * per, 0), transcript, kind, sample=True))
    return replace(model, coins=known_coins(model.coins, here), games=games)


def start(model: Model) -> Model:
    """Start a new model; its session may already have handled commands, or be at a moment."""
    model = _new_line(replace(model, sent=model.latest.status.handled))
    if plays_rules(model) and model.pace.directed and model.playback is None:
        model = timeline.wished(model, Wish(timeline.ALL), Play())  # their first game at once
    return run_on(model) if model.running else model


def _new_line(model: Model) -> Model:
    """Return the model at the beginning of a training: the story opens with its fixed rules."""
    model = replace(model, history=timeline.History(), games=(), coins={}, before=None, parent=None)
    if model.latest.negotiation is not None:
        return timeline.show_newest(model, timeline.ALL)
    return timeline.remember(_before_first(model))


def _before_first(model: Model) -> Model:
    """Show the moment before the first game, with the players of that game."""
    here = model.latest
    if model.pace.directed and any(fact.rules for fact in here.story.news):
        here = here.by_rules((spec_of(fixed_rule(here.scenario)),) * 2)
    return model.arrive(here, 0)


def _tick(model: Model, now: float) -> Model:
    playback = model.playback
    if playback and playback.moving:
        model = replace(model, playback=replace(playback, now=now))
    goes_on = model.running or (model.human_playing and not (playback and playback.rewound))
    if not goes_on or (playback and now < playback.due):
        return model
    later = replace(model, now=now)
    if playback and not playback.last:
        return replace(later, playback=playback.next(now))
    if model.wish:
        return model
    if model.human_playing:
        return timeline.show_newest(later, 0) if model.unseen and not model.waiting else model
    return _after(later)


def _after(model: Model) -> Model:
    """Return the model after the negotiation on the bar has ended, while running."""
    if model.parent:
        return timeline.pause(model)
    if not model.in_present:
        model = time_travel.forward(model, 1)
        recorded = model.latest.recording
        return (
            model
            if not model.in_present
            else time_travel.at_end(model)
            if recorded
            else run_on(model)
        )
    if model.latest.only_games:
        return time_travel.at_end(model)
    if directs(model):
        return direct(model)
    if model.unseen:
        return timeline.show_newest(model, 1)
    return model if model.free_running or model.waiting else model.send(Play())


def _published(model: Model, snapshot: Snapshot) -> Model:
    before = model.latest
    model = replace(model, latest=snapshot)
    if snapshot.status.notices != before.status.notices:
        model = replace(model, message=snapshot.status.notice)
    if snapshot.line != before.line:
        return time_travel.answered(_new_line(model)).with_players()
    if snapshot.finished and not before.finished and not (directs(model) or snapshot.recording):
        done = f"all {snapshot.parameters.cycles:,} cycles are done, so the plans are learned"
        follows = "{sit} plays against them, {test} tests, {more} trains"
        model = model.with_message(f"{done}: {follows} {time_travel.MORE} more")
        if model.running and not model.pace.seen:
            model = replace(model, pace_index=STORY)  # each further game can be seen
    if snapshot.negotiation is None and before.negotiation is not None:
        model = model.arrive(snapshot, 0)
    what_if = snapshot.replies.what_if
    if what_if is not before.replies.what_if and what_if:
        model = time_travel.show_what_if(model, what_if)
    model = time_travel.answered(_refreshed(model))
    here, new = ((each.seating.specs, each.opener) for each in (model.here, snapshot))
    others = here != new if model.here.negotiation else not model.running
    due = model.live and model.unseen and snapshot.negotiation and not (model.wish or model.waiting)
    if due and others and not snapshot.score:  # nobody wishes for it any more
        visible = 1 if model.running and not directs(model) else timeline.ALL
        model = timeline.show_newest(model, visible)
    return model if model.waiting else model.with_players()


def _refreshed(model: Model) -> Model:
    """Update the newest moment in the history, and on the screen if it is shown there."""
    if model.unseen:
        return model
    newest, model = model.latest.negotiation, timeline.remember(model)
    if newest is None and model.live:
        return _before_first(model)
    playback = model.playback
    if playback is None or newest is None or not model.live or playback.negotiation is newest:
        return model
    steps = model.timed(playback.visible).playback
    assert steps is not None
    return replace(model, playback=replace(playback, negotiation=newest, steps=steps.steps))


def intercepted(model: Model, key: str) -> Model | None:
    """Return the model after a key that is typed, refused or asked about now; None otherwise."""
    if (typed := timeline.press_digit(model, key, time_travel.go_to_number)) is not None:
        return typed
    command = model.keys.commands.get(key)
    if command and (why_not := model.keys.refused.get(command)):
        return model.with_message(why_not)
    if (typing := human_controls.type_price(model, key)) is not None:
        return typing
    if model.modal == "test" and command == "values":
        return replace(model, published=not model.published, modal_row=0)
    if model.modal == why.WHY and command in {"left", "right"}:
        return why.other_action(model, STEPS[command][1])
    return asked_first(model, command)


_MOST_LOST = 5.0  # processor seconds of training that may be lost without a question


def asked_first(model: Model, command: str | None) -> Model | None:
    """Return the model with a question if the command would lose something; None otherwise."""
    loss = _loss(model, command)
    if not loss or command is None or model.asked == command:
        return None
    return replace(model, asked=command).with_message(f"{loss}: press {{{command}}} again")


def _loss(model: Model, command: str | None) -> str:
    playing = model.human_playing and model.playback is not None and not model.over
    if command in {"quit", "restart"} and model.latest.unsaved > _MOST_LOST:
        return f"{_duration(model.latest.unsaved)} of training would be lost"
    if command == "quit" and playing:
        return "you would leave in the middle of a game"
    position = human_controls.your_turn(model)
    if command == "reject" and position and position.standing_offer is not None:
        return "you would walk away and gain nothing"
    return ""


def _duration(seconds: float) -> str:
    if seconds < 100:
        return plural(round(seconds), "second")
    if seconds < 6000:
        return plural(round(seconds / 60), "minute")
    return plural(round(seconds / 3600), "hour")


def _close(model: Model) -> Model:
    if model.parent and not model.modal:
        return time_travel.leave_what_if(model)
    on_top = model.modal not in (None, "score") or model.zoomed or model.price_typed
    if model.human_playing and not on_top:
        return human_controls.leave(model)
    if model.wish and not on_top:
        return timeline.stop(model).send(Halt()).with_message("no longer waiting for it")
    if model.guest and not (model.modal or model.zoomed or model.scrolled):
        return asked_first(model, "quit") or replace(model, quit=True)
    return replace(model, price_typed="") if model.price_typed else paned.close(model)


def _enter(model: Model) -> Model:
    """Choose the marked line of a list; in a plan, ask for a reason; as a person, offer."""
    box = menus.BOXES.get(model.modal)
    if box and box.choose:
        return box.choose(model)
    if model.latest.score is not None:
        return human_controls.act(model, "take")
    if model.chosen in TABLES:
        return why.open_answers(model) or why.open_why(model)
    lists = "{seller_menu}, {buyer_menu} and {what_if} open a list, {sit} lets you play"
    return model.with_message(f"nothing to choose: {lists}")


def _what_if(model: Model) -> Model:
    """Open or close the list of actions in the position on the bar."""
    if model.modal == menus.WHAT_IF:
        return replace(model, modal=None)
    model = timeline.stop(model)
    playback, position = model.playback, model.position
    if playback is None or position is None:
        return model.with_message("no decision here: {back} steps back to one")
    if not q_tables.seen(model, position.role):
        text = f"the list would tell the {position.role}'s limit: {{limits}} shows both"
        return model.with_message(text)
    choices = menus.what_if_choices(model)
    following = playback.negotiation.transcript.turns[playback.visible :]
    played = following[0].action if following else None
    row = next((n for n, (_, action) in enumerate(choices) if action == played), 0)
    return replace(model, modal=menus.WHAT_IF, modal_row=row)


def _save(model: Model) -> Model:
    from negotiation_tui.tui.toolkit.svg import screen_files

    shown = [each for each in model.history.entries if each.negotiation]
    if model.history.entry(model.here.key) is None and model.here.negotiation:
        shown.insert(model.history.index(model.here.key), model.here)  # it was computed
    here = None if model.in_present else model.here
    return model.send(Save((*shown,), screen_files(render(model), model.options.theme), here))


def _test(model: Model) -> Model:
    if model.modal == "test":
        return replace(model, modal=None)
    if model.snapshot.seating.has_program:
        return model.with_message("a test would ask a program too often: run tournament for that")
    return time_travel.ask_test(replace(model, modal="test", modal_row=0))


def _values(model: Model) -> Model:
    """Show the next kind of values, after the last one the plans again."""
    kinds: list[Values | None] = [None, *Values]
    following = kinds[(kinds.index(model.values) + 1) % len(kinds)]
    scrolled = {pane: to for pane, to in model.scrolled.items() if pane not in TABLES}
    return replace(model, values=following, scrolled=scrolled)


def _of_tables(change: Callable[[Model], Model]) -> Callable[[Model], Model]:
    """Return a command that changes the panes of the plans, or says that none can be seen."""

    def command(model: Model) -> Model:
        if model.hides:
            return model.with_message("the plans are hidden while you play: {peek} shows both")
        if not any(map(model.area_of, TABLES)):
            return replace(model, message="no Q-table is on the screen: choose pane 4 or 5")
        return change(model)

    return command


def scroll(model: Model, command: str) -> Model:
    """Move in a plan or a Q-table, or to an end of time; a person at its turn moves the price."""
    position = human_controls.your_turn(model)
    if position is not None and command in STEPS:
        return human_controls.choose_price(model, position, *moved(command, 1))
    if command in {"first", "last"} and not (model.zoomed and model.chosen in TABLES):
        return time_travel.to_end(model, 1 if command == "last" else -1)
    if model.chosen not in TABLES or model.hides:
        return replace(model, message="this pane does not scroll, but a Q-table does")
    if model.area_of(model.chosen) is None:
        return model.with_message("no room for Q-tables here: {zoom} shows one on the whole screen")
    return q_tables.move_cursor(model, command)


def clicked(model: Model, mouse: Mouse, hit: Target) -> Model:
    """Go to a moment of the time line, or choose the state or the value under the mouse."""
    if hit[:1] == ("moment",):
        cells, end, x = map(int, hit[1:])
        line, cells = model.latest.course, max(1, cells)
        moment = -(-x * end // (cells * line.per)) * line.per
        if x >= line.last * cells // end:
            moment = line.last
        return time_travel.go_to(model, moment) if moment != time_travel.moment(model) else model
    area = model.area_of(model.chosen)
    if model.chosen not in TABLES or area is None or not area.contains(mouse.y, mouse.x):
        return model
    return q_tables.choose_cell(model, model.chosen, mouse.y - area.y, mouse.x - area.x)


COMMANDS: dict[str, Callable[[Model], Model]] = {
    "run": time_travel.run_or_pause,
    "offer": lambda model: time_travel.next_turns(model, 1),
    "negotiation": lambda model: time_travel.next_turns(model, timeline.ALL),
    "cycle": time_travel.next_cycle,
    "faster": lambda model: time_travel.change_pace(model, 1),
    "story": menus.tell_story,
    "slower": lambda model: time_travel.change_pace(model, -1),
    "toggle": menus.toggle,
    "seller": lambda model: menus.toggle_seat(model, Role.SELLER),
    "buyer": lambda model: menus.toggle_seat(model, Role.BUYER),
    "seller_menu": lambda model: menus.menu(model, Role.SELLER),
    "buyer_menu": lambda model: menus.menu(model, Role.BUYER),
    "take": _enter,
    "back": time_travel.back,
    "earlier": lambda model: time_travel.other_cycle(model, -1),
    "later": lambda model: time_travel.other_cycle(model, 1),
    "chapters": chapters.open_chapters,
    "skip_opening": time_travel.skip_opening,
    "go": timeline.type_number,
    "more": time_travel.more,
    "what_if": _what_if,
    "sit": human_controls.sit,
    "accept": lambda model: human_controls.act(model, "accept"),
    "peek": human_controls.peek,
    "reject": lambda model: human_controls.act(model, "reject"),
    "say": human_controls.type_words,
    "adjust": adjust,
    "opener": menus.next_opener,
    "test": _test,
    "values": _of_tables(_values),
    "other_opener": _of_tables(q_tables.switch_opener),
    "limits": q_tables.reveal,
    "other_limit": _of_tables(q_tables.next_limit),
    "advice": lambda model: replace(model, advice=not model.advice),
    "save": _save,
    "restart": time_travel.restart,
    "tour": lambda model: replace(model, tour=True),
    "close": _close,
}

_CONTROLS = Controls(
    view=VIEW,
    commands=COMMANDS,
    scroll=scroll,
    published=_published,
    tick=_tick,
    intercept=intercepted,
    clicked=clicked,
)
