"""The pages: options and links exist, tables are up to date, and the site needs no network."""

import re
import runpy
import shutil
import tomllib
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest

from negotiation_tui.cli.main import RESTRICTED, parser
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.cli import python
from tests.support.documented import PAGES, anchors, links
from tests.support.paths import ROOT

OTHERS = r"pip|pytest|tests\.soak|tmux|dask|zensical|asciinema|useradd|twine|uvx|zizmor"
"""Programs with options of their own."""
INDEX = "docs/index.md"


def test_every_option_named_exists() -> None:
    (choices,) = (a.choices for a in parser()._actions if isinstance(a.choices, dict))
    known = {option for sub in choices.values() for option in sub._option_string_actions}
    known |= {RESTRICTED, "--version"}
    for page in PAGES:
        text = re.sub(rf"({OTHERS})[^\n]*", "", page.read_text(encoding="utf-8"))
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - {"--benchmarks"}
        assert named <= known, page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in links(page.read_text(encoding="utf-8")):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if anchor:
            assert anchor in anchors(linked.read_text(encoding="utf-8")), f"{target}#{anchor}"


def test_every_page_is_linked_from_the_first_one() -> None:
    """README.md leads to index.md, which lists all pages."""
    first = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", INDEX)}
    assert INDEX in {target for target, _ in links(first["README.md"])}
    linked = {Path(target).name for target, _ in links(first[INDEX])}
    assert {page.name for page in PAGES} - {"README.md", "index.md"} <= linked


def test_the_pages_count_the_learners_and_name_every_strategy() -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    assert f" by one of {len(LEARNERS) - 1} other methods." in pages["README.md"]
    assert f": {len(LEARNERS)} ways to learn," in pages["index.md"]
    assert f" lists all {len(LEARNERS)} " in pages["learners.md"]
    assert {name for name in STRATEGIES if f"`{name}`" not in pages["strategies.md"]} == set()


@pytest.mark.parametrize("page", ["README.md", INDEX])
def test_a_telephone_shows_a_film_that_it_need_not_shrink(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    narrow = re.findall(r'media="\(max-width[^>]*srcset="(\S+)"', text)
    assert len(narrow) == 2, "dark and light"
    for name in narrow:
        film = ((ROOT / page).parent / name).read_text(encoding="utf-8")
        assert int(re.findall(r'viewBox="0 0 (\d+)', film)[0]) < 380


def test_the_first_pages_install_all_that_their_examples_need_where_pip_may() -> None:
    """A system's own Python refuses to install (PEP 668), and no index has this program."""
    pages = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    (command,) = re.findall(r"(?m)^python3 -m venv .*negotiation-tui$", pages["README.md"])
    assert f"    {command}\n" in pages["index.md"]
    assert '".[fast,theory]"' in command
    assert "solve --scenario hidden" in pages["README.md"], "which needs theory"
    assert not [name for name, text in pages.items() if "install 'negotiation-tui[" in text]


def test_scripts_end_at_ctrl_c_without_a_traceback() -> None:
    """`run` handles signals; the demo records the program, in less than a minute."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("docs/*.py")}
    called = {name for name, text in texts.items() if re.search(r"(?m)^    main\(\)", text)}
    assert called <= {"demo.py"}


WRITTEN = runpy.run_path(str(ROOT / "docs" / "tables.py"))["pages"]()


@pytest.mark.parametrize("name", WRITTEN)
def test_the_page_is_up_to_date(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page == WRITTEN[name], "run python docs/tables.py"


CONFIGURATION = ".zensical.toml"
built = pytest.mark.skipif(not find_spec("zensical"), reason="needs the extra docs")


def test_the_navigation_has_every_page_once() -> None:
    text = (ROOT / CONFIGURATION).read_text(encoding="utf-8")
    assert tomllib.loads(text)["project"]["nav"]
    named = re.findall(r'"(\S+\.md)"', text)
    assert sorted(named) == sorted(page.name for page in PAGES if page.name != "README.md")


class Fetched(HTMLParser):
    """Collects what a browser would fetch to show a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.classes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.classes.update((given.get("class") or "").split())
        links = ("href",) if tag == "link" and given.get("rel") != "canonical" else ()
        self.addresses += [given[name] or "" for name in ("src", "srcset", *links) if name in given]


@built
@pytest.mark.slow
def test_it_is_built_strictly_and_fetches_nothing_from_elsewhere(tmp_path: Path) -> None:
    shutil.copy(ROOT / CONFIGURATION, tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (tmp_path / "negotiation_tui").symlink_to(ROOT / "negotiation_tui")
    words = ("zensical", "build", "--strict", "-f", CONFIGURATION)
    done = python("-m", *words, cwd=tmp_path, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        fetched = Fetched()
        fetched.feed(page.read_text(encoding="utf-8"))
        assert fetched.addresses
        assert not [each for each in fetched.addresses if "//" in each], page
        assert "mermaid" not in fetched.classes, "a script of another site would draw it"
    for sheet in (tmp_path / "site").rglob("*.css"):
        assert not re.search(r"(url\(|@import\s*)[\"']?(https?:)?//", sheet.read_text("utf-8"))
