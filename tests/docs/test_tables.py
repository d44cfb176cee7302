"""The pages of keys, options and learners are as docs/tables.py writes them."""

import runpy

import pytest

from tests.support.paths import ROOT

PAGES = runpy.run_path(str(ROOT / "docs" / "tables.py"))["pages"]()


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_up_to_date(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page == PAGES[name], "run python docs/tables.py"
