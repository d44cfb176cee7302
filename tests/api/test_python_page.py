"""The code of docs/python.md runs from top to bottom and gives the values that the page shows."""

import re
from typing import Any

import pytest

from tests.support.paths import DOCS

PAGE = DOCS / "python.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
SHOWN = re.compile(r"^(?P<code>\S.*?)\s+# → (?P<value>.*)$")


def test_the_page_runs_and_shows_the_true_values() -> None:
    """Compare each `code   # → value` with the `repr` of the code, up to an ellipsis."""
    pytest.importorskip("matplotlib.pyplot").switch_backend("Agg")
    names: dict[str, Any] = {"__name__": "page"}
    shown = 0
    for block in BLOCKS:
        exec(compile(block, PAGE.name, "exec"), names)
        for line in block.splitlines():
            match = SHOWN.match(line)
            if match is None:
                continue
            value, dots, _ = match["value"].partition("…")
            result = repr(eval(match["code"], names))
            assert result.startswith(value) if dots else result == value, match["code"]
            shown += 1
    assert len(BLOCKS) >= 8
    assert shown >= 12
