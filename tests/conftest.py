"""Every test runs in a temporary folder, without a user configuration."""

import compileall
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.support.processes import hear_signals

# Set before any test module reads the environment.
os.environ["NEGOTIATION_TUI_CONFIG"] = os.devnull
if sys.platform == "win32":  # the user's cache folder is that of each test, see `own_folder`
    os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / "build" / "compiled"))
# A test on a busy machine may be slow. Smaller examples of a failure take long to find.
settings.register_profile(
    "patient",
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[each for each in Phase if each is not Phase.shrink or "NO_SHRINKING" not in os.environ],
)
settings.load_profile("patient")
hear_signals()
# Rewritten by pytest, the tests take longer to compile than to collect: the next run finds them.
sys.dont_write_bytecode = False
# The program is started hundreds of times, often by a Python that writes no bytecode.
compileall.compile_dir(Path(__file__).parents[1] / "negotiation_tui", quiet=2)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over thousands of tests, which stay to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "state"))


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Compile nothing: hide numba, and the compiled code, which would crash while it is hidden."""
    from negotiation_tui.learning.compiling import new_backend

    monkeypatch.setitem(sys.modules, "numba", None)
    new_backend.cache_clear()
    yield
    new_backend.cache_clear()
