"""Compare a screen with its saved text; with WRITE_SCREENS=1 the test writes it."""

import difflib
import os

import pytest

from negotiation_tui.tui.toolkit.canvas import NORMAL, Canvas
from tests.support.paths import DATA

FOLDER = DATA / "screens"
HOW_TO_WRITE = "if the new screen is right, set WRITE_SCREENS=1 and read the difference"


def styles(canvas: Canvas) -> str:
    """Return every span that is not in the normal style: row, column, style and text."""
    return "\n".join(
        f"{y:3}{x:4}  {style:<13} |{text}|"
        for y in range(canvas.height)
        for x, text, style in canvas.spans(y)
        if style != NORMAL
    )


def check(name: str, now: str) -> None:
    file = FOLDER / f"{name}.txt"
    if os.environ.get("WRITE_SCREENS"):
        file.write_text(now + "\n", encoding="utf-8", newline="\n")
    assert file.exists(), f"there is no {file}: {HOW_TO_WRITE}"
    was = file.read_text(encoding="utf-8")
    if was != now + "\n":
        lines = difflib.unified_diff(was.splitlines(), now.splitlines(), str(file), "now", "", "")
        pytest.fail("\n".join([*lines, "", HOW_TO_WRITE]), pytrace=False)
