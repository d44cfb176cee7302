"""What every test has: a folder of its own to stand in, so that nothing is written here."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
