"""What can happen to a screen, whichever it is."""

from dataclasses import dataclass
from typing import Any


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
    """What works in the background has something new to show."""

    snapshot: Any


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; seconds of a clock that never goes back."""

    now: float


Message = KeyPressed | Resized | Published | Tick
