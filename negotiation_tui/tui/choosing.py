"""Choosing a pane by its number, on any screen that has several. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

from negotiation_tui.tui.keys import Keys
from negotiation_tui.tui.layout import Layout, TooSmall


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


def choose_pane(model: M, number: int, panes: Sequence[int], always: int) -> M:
    """The model with a pane chosen; `always` is the one that is shown whichever is chosen."""
    if number not in panes:
        return replace(model, message=f"there is no pane {number}, use 1 to {len(panes)}")
    model = replace(model, chosen=number, detail=model.detail if number == always else number)
    placed = model.layout()
    if isinstance(placed, TooSmall) or number in placed.panes:
        return model
    text = f"no room for pane {number} here: {model.keys['zoom']} gives it the whole screen"
    return replace(model, message=text)
