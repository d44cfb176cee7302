"""The parts of a price bar."""

from negotiation_tui import Role
from negotiation_tui.tui.toolkit.canvas import Canvas


def cells(canvas: Canvas, role: Role, would: bool = False) -> int:
    """Return the most cells of one row in the colour of what a role gets, or would get."""
    styles = {f"{role}-range", str(role)} if would else {str(role), f"{role}-mark"}
    fill = {"▒", "░"} if would else {"█", "▓"}
    rows = ([*canvas.spans(y)] for y in range(3, canvas.height))
    parts = [[text for x, text, style in row if x and style in styles] for row in rows]
    return max((sum(map(len, row)) for row in parts if fill & {*"".join(row)}), default=0)
