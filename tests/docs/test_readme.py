"""Options and links in the README and in docs/ exist."""

import re
from pathlib import Path

import pytest

from negotiation_tui.cli.main import RESTRICTED, parser
from tests.support.documented import PAGES, anchors, links
from tests.support.paths import ROOT

OTHERS = r"pip|pytest|tests\.soak|tmux|dask|zensical|asciinema|useradd|twine|uvx|zizmor"
"""Programs with options of their own."""


def test_every_option_named_exists() -> None:
    (choices,) = (a.choices for a in parser()._actions if isinstance(a.choices, dict))
    known = {option for sub in choices.values() for option in sub._option_string_actions}
    known.add(RESTRICTED)
    for page in PAGES:
        text = re.sub(rf"({OTHERS})[^\n]*", "", page.read_text(encoding="utf-8"))
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - {"--benchmark-only"}
        assert named <= known, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in links(page.read_text(encoding="utf-8")):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked.read_text(encoding="utf-8")), f"{target}#{anchor}"


@pytest.mark.parametrize("first", ["README.md", "docs/index.md"])
def test_every_page_is_linked_from_the_first_ones(first: str) -> None:
    """README.md is read in the folder, index.md on the site."""
    linked = {Path(target).name for target, _ in links((ROOT / first).read_text(encoding="utf-8"))}
    assert {page.name for page in PAGES} - {"README.md", "index.md"} <= linked
