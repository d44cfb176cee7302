"""Messages: everything that can happen to a screen."""

from typing import Any, NamedTuple


class KeyPressed(NamedTuple):
    """A key by its name in `terminal`, and the time of the press."""

    key: str
    now: float


class Resized(NamedTuple):
    """The screen has a new size in cells."""

    width: int
    height: int


class Published(NamedTuple):
    """The session has published a new snapshot."""

    snapshot: Any


class Tick(NamedTuple):
    """Time has passed; seconds of a clock that never goes back."""

    now: float


class Mouse(NamedTuple):
    """The mouse at a cell: `press` or `drag` with its left button, `up` or `down` by its wheel."""

    action: str
    y: int
    x: int


class Pasted(NamedTuple):
    """A text was pasted; one line of printable characters."""

    text: str


class HangupError(Exception):
    """The terminal is gone."""


Message = KeyPressed | Resized | Published | Tick | Mouse | Pasted
