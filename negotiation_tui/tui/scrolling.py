"""How far the keys go that scroll, or move what is marked, on any screen. Pure."""

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
