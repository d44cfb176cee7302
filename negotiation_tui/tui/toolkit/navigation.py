"""Choosing a pane by its number, on any screen that has several. Pure."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

from negotiation_tui.tui.toolkit.keys import Keys
from negotiation_tui.tui.toolkit.layout import Layout, TooSmall


class Paned(Protocol):
    """A model with panes; beside this a frozen dataclass with `detail` and `message`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def detail(self) -> int:
        """The pane chosen last, the one that is always there left aside."""

    @property
    def keys(self) -> Keys:
        """What each key does."""

    def layout(self) -> Layout | TooSmall:
        """Where everything goes."""


M = TypeVar("M", bound=Paned)


def choose_pane(model: M, number: int, panes: Collection[int], always: int) -> M:
    """The model with a pane chosen; `always` is the one that is shown whichever is chosen."""
    if number not in panes:
        return replace(model, message=f"there is no pane {number}, use 1 to {len(panes)}")
    model = replace(model, chosen=number, detail=model.detail if number == always else number)
    placed = model.layout()
    if isinstance(placed, TooSmall) or number in placed.panes:
        return model
    text = f"no room for pane {number} here: {model.keys['zoom']} gives it the whole screen"
    return replace(model, message=text)


STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
"""Rows and columns, by the commands that go one at a time."""


MOVES = {*STEPS, "page_up", "page_down", "first", "last"}
"""All of these commands."""


_FAR = 1 << 30


def moved(command: str, page: int) -> tuple[int, int]:
    """Rows and columns to go by a command of MOVES, where a page has so many rows.

    To an end it is further than anything is long.
    """
    if command in STEPS:
        return STEPS[command]
    return {"page_up": -page, "page_down": page, "first": -_FAR, "last": _FAR}[command], 0
