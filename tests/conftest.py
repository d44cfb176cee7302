"""What every test has: a folder of its own to stand in, so that nothing is written here."""

import compileall
import os
import signal
from pathlib import Path

import pytest

# Nobody's own configuration is read; set before any test module takes up the environment.
os.environ["NEGOTIATION_TUI_CONFIG"] = os.devnull
# Under nohup, and behind `&` in a script, these are ignored, and a test that sends one would wait.
signal.signal(signal.SIGINT, signal.default_int_handler)
for name in ("SIGHUP", "SIGQUIT", "SIGTERM"):
    if hasattr(signal, name):  # Windows has fewer
        signal.signal(getattr(signal, name), signal.SIG_DFL)
# The program is begun hundreds of times, and often where Python is told to keep no bytecode.
compileall.compile_dir(Path(__file__).parents[1] / "negotiation_tui", quiet=2)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
