"""What the screen knows, and how each message changes it.

Pure: nothing here reads a clock, draws or talks to the trainer. Commands for the trainer are left
in `Model.commands`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from negotiation_tui.commands import (
    Command,
    Halt,
    Play,
    PlayCycle,
    Restart,
    Run,
    Save,
    SetOpener,
    TakeSeat,
    Test,
)
from negotiation_tui.roles import Opener, Role
from negotiation_tui.snapshot import Snapshot
from negotiation_tui.strategies import STRATEGIES
from negotiation_tui.tui import pace
from negotiation_tui.tui.keys import COMMANDS
from negotiation_tui.tui.layout import (
    BUYER_TABLE,
    PANES,
    PRICE,
    SELLER_TABLE,
    Layout,
    TooSmall,
    arrange,
)
from negotiation_tui.tui.overlays import overlay_lines, overlay_rows
from negotiation_tui.tui.pace import PACES, Pace
from negotiation_tui.tui.playback import Playback
from negotiation_tui.tui.table_view import TableView

TABLES = {SELLER_TABLE: Role.SELLER, BUYER_TABLE: Role.BUYER}
T = TypeVar("T")
PAGE = 10
ALL = 1 << 30
_SCROLLS = {
    "up": (-1, 0),
    "down": (1, 0),
    "left": (0, -1),
    "right": (0, 1),
    "page_up": (-PAGE, 0),
    "page_down": (PAGE, 0),
}


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key, as the terminal names it, and when it was pressed."""

    key: str
    now: float


@dataclass(frozen=True, slots=True)
class Resized:
    """The screen has a new size in cells."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Published:
    """The trainer has a new snapshot."""

    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; seconds of a clock that never goes back."""

    now: float


Message = KeyPressed | Resized | Published | Tick


@dataclass(frozen=True, slots=True)
class Model:
    """Everything a frame is drawn from."""

    snapshot: Snapshot
    width: int = 80
    height: int = 24
    ascii: bool = False
    now: float = 0.0
    running: bool = True
    pace_index: int = pace.DEFAULT
    strategies: tuple[str | None, str | None] = (None, None)
    """What each seat was last asked to hold, None for its learner; seller first."""
    static: tuple[str, str] = (next(iter(STRATEGIES)), next(iter(STRATEGIES)))
    """The static strategy each seat held last, which `toggle` brings back."""
    opener: Opener = Opener.ALTERNATE
    playback: Playback | None = None
    reveal: int | None = None
    """How many turns of the next negotiation to show when it comes, while stepping."""
    sent: int = 0
    """Commands sent so far; the trainer has answered when it has handled as many."""
    commands: tuple[Command, ...] = ()
    """For the trainer, to be taken out and sent."""
    chosen: int = SELLER_TABLE
    detail: int = SELLER_TABLE
    """The pane chosen last, the price bar left aside: what a screen with little room shows."""
    zoomed: bool = False
    scrolled: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """First row and column shown, of the panes that were scrolled by hand."""
    overlay: str | None = None
    """What lies on top: `help` or `test`."""
    overlay_row: int = 0
    normalized: bool = False
    message: str = ""
    repaints: int = 0
    quit: bool = False

    @property
    def pace(self) -> Pace:
        """The step of the ladder."""
        return PACES[self.pace_index]

    @property
    def waiting(self) -> bool:
        """Whether a command is still on its way."""
        return self.snapshot.handled < self.sent

    @property
    def free_running(self) -> bool:
        """Whether the trainer plays on by itself."""
        return self.running and not self.pace.seen and not self.snapshot.finished

    def layout(self) -> Layout | TooSmall:
        """Where everything goes."""
        rows = self.snapshot.scenario.n_states
        return arrange(self.width, self.height, self.chosen, self.detail, self.zoomed, rows)

    def wait(self, frame: float) -> float:
        """Seconds that nothing will happen by itself, given the length of a frame."""
        if self.waiting or self.free_running:
            return frame
        if self.playback and self.playback.moving:
            return frame
        if not self.running:
            return 0.5
        return max(0.0, self.playback.due - self.now) if self.playback else frame


def update(model: Model, message: Message) -> Model:
    """The model after a message; the same object if nothing changed."""
    match message:
        case Tick(now):
            return _tick(model, now)
        case Published(snapshot):
            return _published(model, snapshot)
        case Resized(width, height):
            same = (width, height) == (model.width, model.height)
            return model if same else replace(model, width=width, height=height)
        case KeyPressed(key, now):
            return _key(replace(model, now=max(now, model.now)), key)


def start(model: Model) -> Model:
    """Set a model going that has just been made."""
    return _run(model) if model.running else model


def _send(model: Model, *commands: Command) -> Model:
    return replace(model, commands=(*model.commands, *commands), sent=model.sent + len(commands))


def _tick(model: Model, now: float) -> Model:
    playback = model.playback
    if playback and playback.moving:
        model = replace(model, playback=playback.at(now))
    if not model.running or model.reveal is not None or (playback and now < playback.due):
        return model
    model = replace(model, now=now)
    if playback and not playback.over:
        return replace(model, playback=playback.showing(playback.visible + 1, now))
    newest = model.snapshot.negotiation
    if newest and (playback is None or newest.number != playback.negotiation.number):
        return _show(model, 1)
    if model.free_running or model.waiting:
        return model
    return _send(model, Play())


def _show(model: Model, visible: int) -> Model:
    """Put the newest negotiation on the bar."""
    negotiation = model.snapshot.negotiation
    if negotiation is None:
        return replace(model, playback=None)
    shown = Playback(negotiation, 0, model.now, model.now, 1 / model.pace.offers)
    return replace(model, playback=shown.showing(visible, model.now))


def _published(model: Model, snapshot: Snapshot) -> Model:
    before, model = model.snapshot, replace(model, snapshot=snapshot)
    if snapshot.notice != before.notice:
        model = replace(model, message=snapshot.notice)
    if snapshot.finished and not before.finished:
        cycles = snapshot.parameters.cycles
        text = f"all {cycles} cycles done; now showing test negotiations of what was learned"
        model = replace(model, message=text)
    if snapshot.negotiation is None and before.negotiation is not None:
        model = replace(model, playback=None)
    if model.waiting:
        return model
    model = replace(model, strategies=snapshot.strategies, opener=snapshot.opener)
    if model.reveal is not None:
        model = replace(_show(model, model.reveal), reveal=None)
    return model


def _key(model: Model, key: str) -> Model:
    model = replace(model, message="")
    command = COMMANDS.get(key)
    if command is None:
        return replace(model, message=f"no such key: {key}  ·  ? shows all keys")
    if command == "pane":
        return _choose(model, int(key))
    if command in _SCROLLS:
        return _scroll(model, *_SCROLLS[command])
    return _COMMANDS[command](model)


def _quit(model: Model) -> Model:
    return replace(model, quit=True)


def _help(model: Model) -> Model:
    return replace(model, overlay=None if model.overlay == "help" else "help", overlay_row=0)


def _close(model: Model) -> Model:
    if model.overlay:
        return replace(model, overlay=None)
    if model.zoomed:
        return replace(model, zoomed=False)
    return replace(model, scrolled={})


def _run(model: Model) -> Model:
    """Go on at the present pace."""
    model = replace(model, running=True)
    if model.pace.seen or model.snapshot.finished:
        return model
    return _send(model, Run(model.pace.negotiations))


def _pause(model: Model) -> Model:
    halt = model.free_running
    model = replace(model, running=False)
    return _send(model, Halt()) if halt else model


def _run_or_pause(model: Model) -> Model:
    return _pause(model) if model.running else _run(model)


def _step(model: Model, command: Command, reveal: int) -> Model:
    """Pause, and have the trainer play something to show."""
    return replace(_send(_pause(model), command), reveal=reveal)


def _offer(model: Model) -> Model:
    playback = model.playback
    if playback is None or playback.over:
        return _step(model, Play(), 1)
    model = _pause(model)
    return replace(model, playback=playback.showing(playback.visible + 1, model.now))


def _negotiation(model: Model) -> Model:
    playback = model.playback
    if playback is None or playback.over:
        return _step(model, Play(), ALL)
    model = _pause(model)
    return replace(model, playback=playback.showing(ALL, model.now))


def _cycle(model: Model) -> Model:
    return _step(model, PlayCycle(), ALL)


def _faster(model: Model) -> Model:
    return _change_pace(model, 1)


def _slower(model: Model) -> Model:
    return _change_pace(model, -1)


def _change_pace(model: Model, step: int) -> Model:
    index = model.pace_index + step
    if not 0 <= index < len(PACES):
        return replace(model, message=f"{model.pace.text} is as {_END[step]} as it goes")
    was_free = model.free_running
    model = replace(model, pace_index=index, message=f"pace: {PACES[index].text}")
    if model.playback:
        seconds = 1 / model.pace.offers
        model = replace(model, playback=replace(model.playback, turn_seconds=seconds))
    if model.free_running:
        return _run(model)
    return _send(model, Halt()) if was_free else model


_END = {1: "fast", -1: "slow"}


def _take_seat(model: Model, role: Role, name: str | None) -> Model:
    model = replace(
        _send(model, TakeSeat(role, name)),
        strategies=_with(model.strategies, role, name),
        message=f"the {role} plays {name or 'its learned table'}",
    )
    return replace(model, static=_with(model.static, role, name)) if name else model


def _with(pair: tuple[T, T], role: Role, value: T) -> tuple[T, T]:
    return (value, pair[1]) if role is Role.SELLER else (pair[0], value)


def _next_strategy(model: Model, role: Role) -> Model:
    names = (None, *STRATEGIES)
    now = names.index(model.strategies[role])
    return _take_seat(model, role, names[(now + 1) % len(names)])


def _seller(model: Model) -> Model:
    return _next_strategy(model, Role.SELLER)


def _buyer(model: Model) -> Model:
    return _next_strategy(model, Role.BUYER)


def _toggle(model: Model) -> Model:
    """Both seats to their static strategy if either learns, else both to their tables."""
    learned = None in model.strategies
    for role in Role:
        model = _take_seat(model, role, model.static[role] if learned else None)
    what = "their static strategies" if learned else "their learned tables"
    return replace(model, message=f"both seats play {what}")


def _opener(model: Model) -> Model:
    openers = list(Opener)
    opener = openers[(openers.index(model.opener) + 1) % len(openers)]
    text = "openers alternate" if opener is Opener.ALTERNATE else f"the {opener} opens"
    return replace(_send(model, SetOpener(opener)), opener=opener, message=text)


def _test(model: Model) -> Model:
    if model.overlay == "test":
        return replace(model, overlay=None)
    return replace(_send(model, Test()), overlay="test", overlay_row=0)


def _values(model: Model) -> Model:
    return replace(model, normalized=not model.normalized)


def _zoom(model: Model) -> Model:
    return replace(model, zoomed=not model.zoomed)


def _choose(model: Model, number: int) -> Model:
    if number not in PANES:
        return replace(model, message=f"there is no pane {number}, use 1 to {len(PANES)}")
    detail = model.detail if number == PRICE else number
    return replace(model, chosen=number, detail=detail)


def _next_pane(model: Model) -> Model:
    return _choose(model, model.chosen % len(PANES) + 1)


def _previous_pane(model: Model) -> Model:
    return _choose(model, (model.chosen - 2) % len(PANES) + 1)


def _scroll(model: Model, rows: int, columns: int) -> Model:
    if model.overlay:
        last = max(
            0, len(overlay_lines(model.overlay, model.snapshot)) - overlay_rows(model.height)
        )
        return replace(model, overlay_row=min(last, max(0, model.overlay_row + rows)))
    if model.chosen not in TABLES:
        return replace(model, message="this pane shows all it has; choose a Q-table to scroll")
    view = table_view(model, model.chosen)
    if view is None:
        return model
    to = view.clamped(view.first_row + rows, view.first_column + columns)
    return replace(model, scrolled={**model.scrolled, model.chosen: to})


def table_view(model: Model, pane: int) -> TableView | None:
    """Which part of a Q-table is to be seen; None where its pane is not on the screen."""
    placed = model.layout()
    if isinstance(placed, TooSmall) or pane not in placed.panes:
        return None
    role, playback = TABLES[pane], model.playback
    row, column = playback.cell_of(role) if playback else (0, 0)
    return TableView.over(
        model.snapshot.scenario, placed.panes[pane], row, column, model.scrolled.get(pane)
    )


def _save(model: Model) -> Model:
    return _send(model, Save())


def _restart(model: Model) -> Model:
    model = _send(replace(model, playback=None, reveal=None), Restart())
    on_its_own = model.running and not model.pace.seen
    return _send(model, Run(model.pace.negotiations)) if on_its_own else model


def _repaint(model: Model) -> Model:
    return replace(model, repaints=model.repaints + 1)


_COMMANDS = {
    "quit": _quit,
    "help": _help,
    "run": _run_or_pause,
    "offer": _offer,
    "negotiation": _negotiation,
    "cycle": _cycle,
    "faster": _faster,
    "slower": _slower,
    "toggle": _toggle,
    "seller": _seller,
    "buyer": _buyer,
    "opener": _opener,
    "test": _test,
    "values": _values,
    "zoom": _zoom,
    "next_pane": _next_pane,
    "previous_pane": _previous_pane,
    "save": _save,
    "restart": _restart,
    "repaint": _repaint,
    "close": _close,
}
