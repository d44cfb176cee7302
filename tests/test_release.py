"""The release: a small pure wheel, and a source distribution with the tests; `.ci/run` runs it."""

import os
import re
import runpy
import shutil
import tarfile
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from negotiation_tui._version import __version__
from tests.support.cli import python
from tests.support.paths import ROOT

pytest.importorskip("build")
pytestmark = pytest.mark.slow
WHEEL = f"negotiation_tui-{__version__}-py3-none-any.whl"
SOURCE = f"negotiation_tui-{__version__}.tar.gz"
TREE = (
    *("negotiation_tui", "tests", "docs", ".ci", ".github", ".zensical.toml"),
    *("CHANGELOG.md", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml"),
)


def printed(*words: str, cwd: Path, **changes: Any) -> str:
    ended = python(*words, cwd=cwd, timeout=300, PYTHONUTF8="1", **changes)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source distribution and the wheel that was built from it."""
    if "DISTRIBUTIONS" in os.environ:
        return Path(os.environ["DISTRIBUTIONS"])
    tree, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    passing = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=passing)
        else:
            shutil.copy(ROOT / name, tree)
    printed("-m", "build", "--outdir", str(out), cwd=tree)
    return out


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(built / SOURCE) as files:
        files.extractall(folder, filter="data")
    return folder / SOURCE.removesuffix(".tar.gz")


def about(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as files:
        folder = f"negotiation_tui-{__version__}.dist-info"
        return message_from_string(files.read(f"{folder}/METADATA").decode())


def test_a_pure_wheel_and_its_source(built: Path) -> None:
    assert sorted(file.name for file in built.iterdir()) == [WHEEL, SOURCE]
    assert all(file.stat().st_size < 1_500_000 for file in built.iterdir())


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    with zipfile.ZipFile(built / WHEEL) as files:
        held = {name: files.read(name) for name in files.namelist() if ".dist-info/" not in name}
    package = [*(ROOT / "negotiation_tui").rglob("*.py"), ROOT / "negotiation_tui" / "py.typed"]
    assert held == {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in package}


def test_the_source_distribution_holds_every_file(unpacked: Path) -> None:
    for name in TREE:
        for file in (ROOT / name).rglob("*") if (ROOT / name).is_dir() else (ROOT / name,):
            inner = file.relative_to(ROOT)
            if file.is_file() and not re.search(r"__pycache__|_cache/", inner.as_posix()):
                assert (unpacked / inner).read_bytes() == file.read_bytes(), inner


def test_the_description_has_no_dead_link(built: Path) -> None:
    text = about(built / WHEEL).get_payload()
    assert isinstance(text, str)
    assert "# negotiation-tui" in text
    assert_absolute(text)


def test_the_description_leads_to_the_source() -> None:
    pytest.importorskip("setuptools")
    description = runpy.run_path(str(ROOT / ".ci" / "build_backend.py"))["description"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    there = "https://example.org/us/negotiation-tui"
    text = description(readme, there, "1.2.3")
    assert_absolute(text)
    for link in (
        f"[keys]({there}/blob/v1.2.3/docs/keys.md)",
        f"]({there}/blob/v1.2.3/docs/configuration.md#themes)",
        f'src="{there}/blob/v1.2.3/docs/film-dark.svg?raw=true"',
    ):
        assert link in text
    assert text.count(there) == len(re.findall(LINK, readme)) - len(re.findall(ABSOLUTE, readme))
    nowhere = description(readme, None, "1.2.3")
    assert_absolute(nowhere)
    assert "keys" in nowhere
    assert "<img" not in nowhere


LINK = r'(?:\]\(|(?:src|srcset|href)=")([^)"\s]+)'
ABSOLUTE = r'(?:\]\(|(?:src|srcset|href)=")(?:https?://|#)'


def assert_absolute(text: str) -> None:
    """Check that every link and picture leads somewhere without files beside the text."""
    assert [to for to in re.findall(LINK, text) if not re.match("https?://|#", to)] == []


def test_what_the_wheel_says_of_itself(built: Path) -> None:
    said = about(built / WHEEL)
    assert (said["Name"], said["Version"]) == ("negotiation-tui", __version__)
    assert (said["License-Expression"], said["License-File"]) == ("MIT", "LICENSE")
    assert said["Description-Content-Type"] == "text/markdown"
    needed = [line for line in said.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert [line.partition(">=")[0] for line in needed] == ["numpy", "windows-curses"]
    assert {"cluster", "docs", "fast", "plot"} <= set(said.get_all("Provides-Extra", []))
