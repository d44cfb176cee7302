"""The pages of keys, options and learners are as docs/tables.py writes them."""

import re
import runpy
from dataclasses import fields

import pytest

from negotiation_tui.cli.main import parser
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.tui.configuration import SCREENS
from tests.support.paths import ROOT

KEY_LABELS = runpy.run_path(str(ROOT / "docs" / "tables.py"))["pages"]()


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", KEY_LABELS)
def test_the_page_is_up_to_date(name: str) -> None:
    assert page(name) == KEY_LABELS[name], "run python docs/tables.py"


def test_every_key_of_every_screen_has_a_row() -> None:
    for screen in SCREENS.values():
        for key in screen:
            assert f"| `{key.shown}` | {key.help} | `{key.command}` |\n" in page("keys.md")


def test_every_learner_has_a_section_with_its_source_and_settings() -> None:
    sections = page("learners.md").split("\n### ")[1:]
    for section, (name, learner) in zip(sections, LEARNERS.items(), strict=True):
        assert section.startswith(f"`{name}`\n")
        rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
        assert rows == [f"| `{field.name}`" for field in fields(learner)]
        for year in re.findall(r"\d{4}", learner.source):
            assert year in section, "its source"


def test_every_option_of_every_command_has_a_row() -> None:
    (commands,) = (a.choices for a in parser()._actions if isinstance(a.choices, dict))
    sections = page("options.md").split("\n## ")[1:]
    for section, (name, command) in zip(sections, commands.items(), strict=True):
        assert section.startswith(f"`{name}`\n")
        options = set(command._option_string_actions) - {"-h", "--help"}
        rows = [line for line in section.splitlines() if line.startswith("| `--")]
        assert {f"`{option}`" for option in options} == {
            word for row in rows for word in row.split(" | ")[0].split() if word.startswith("`--")
        }
