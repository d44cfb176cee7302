"""Messages: everything that can happen to a screen."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class KeyPressed:
    """A key by its name in `terminal`, and the time of the press."""

    key: str
    now: float


@dataclass(frozen=True, slots=True)
class Resized:
    """The screen has a new size in cells."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Published:
    """The session has published a new snapshot."""

    snapshot: Any


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; seconds of a clock that never goes back."""

    now: float


@dataclass(frozen=True, slots=True)
class Mouse:
    """The mouse at a cell: `press` or `drag` with its left button, `up` or `down` by its wheel."""

    action: str
    y: int
    x: int


Message = KeyPressed | Resized | Published | Tick | Mouse
