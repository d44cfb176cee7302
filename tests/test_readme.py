"""The README says what is true: keys, commands, options and links."""

import re
import shlex
from pathlib import Path

import pytest

from negotiation_tui.cli import SUBCOMMANDS, parser
from negotiation_tui.tui.keys import KEYS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands() -> list[str]:
    """The lines in the README that begin with the program's name."""
    lines = re.findall(r"^negotiation-tui .*$", README, re.MULTILINE)
    assert len(lines) >= 5
    return lines


def test_the_key_table_is_that_of_the_program() -> None:
    rows = [f"| `{key.shown}` | {key.help} |" for key in KEYS]
    assert "\n".join(["| key | |", "| --- | --- |", *rows]) in README


@pytest.mark.parametrize("line", commands())
def test_every_command_is_understood(line: str, tmp_path: Path) -> None:
    words = shlex.split(line, comments=True)[1:]
    if words[0] not in SUBCOMMANDS:
        words.insert(0, "watch")
    parser().parse_args(words)


def test_every_option_named_exists() -> None:
    (choices,) = (a.choices for a in parser()._actions if isinstance(a.choices, dict))
    known = {option for sub in choices.values() for option in sub._option_string_actions}
    for page in PAGES:
        text = re.sub(
            r"(pip|pytest|tmux|dask|asciinema)[^\n]*", "", page.read_text(encoding="utf-8")
        )
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - {"--benchmark-only"}
        assert named <= known, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"(?:\]\(|src(?:set)?=\")([^)\"#]*)#?([^)\"]*)", text):
        if "://" in target:
            continue
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {title.lower().replace(" ", "-") for title in titles}
