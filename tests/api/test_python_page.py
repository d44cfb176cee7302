"""docs/python.md does what it says: its code runs from top to bottom, and gives what it shows."""

import re
from typing import Any

import pytest

from tests.support.paths import DOCS

PAGE = DOCS / "python.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^(?P<code>\S.*?)\s+# → (?P<value>.*)$")


def test_the_page_runs_and_shows_what_comes() -> None:
    """A line `code   # → value` says what `repr` writes of it, up to an ellipsis."""
    pytest.importorskip("matplotlib.pyplot").switch_backend("Agg")
    names: dict[str, Any] = {"__name__": "page"}
    shown = 0
    for block in BLOCKS:
        exec(compile(block, PAGE.name, "exec"), names)
        for line in block.splitlines():
            found = SHOWN.match(line)
            if found is None:
                continue
            value, dots, _ = found["value"].partition("…")
            said = repr(eval(found["code"], names))
            assert said.startswith(value) if dots else said == value, found["code"]
            shown += 1
    assert len(BLOCKS) >= 8
    assert shown >= 12
