"""`import negotiation_tui as nt` loads a name, and what it needs, on its first use."""

import pytest

import negotiation_tui as nt
from tests.support.modules import loaded_by


def test_every_name_is_there_and_no_other() -> None:
    assert dir(nt) == sorted(nt.__all__)
    for name in dir(nt):
        assert getattr(getattr(nt, name), "__name__", name).rpartition(".")[2] == name
    with pytest.raises(AttributeError, match="nonsense"):
        _ = nt.nonsense  # type: ignore[attr-defined]


TRAIN = "train --cycles 1 --no-verbose"
OURS = "market", "tui", "learning.algorithms.sarsa", "strategies.concession"
# code | a module that it loads | modules that it does not load
LOADED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("import negotiation_tui.learning.hyperparameters", "", ("numpy",)),
    ("import negotiation_tui.learning.concurrent", "numpy", ()),
    (
        "nt.nash_conv('original', 'random', 'random')",
        "negotiation_tui.solvers.induction",
        ("numba",),
    ),
    (
        "from negotiation_tui.cli.main import main; main(['solve'])",
        "negotiation_tui.solvers",
        ("numpy.random", "negotiation_tui.players", "negotiation_tui.learning.loop"),
    ),
    (
        f"from negotiation_tui.cli.main import main; main({TRAIN!r}.split())",
        "negotiation_tui.learning.loop",
        ("subprocess", *(f"negotiation_tui.{name}" for name in OURS)),
    ),
)


@pytest.mark.parametrize(("code", "needed", "spared"), LOADED)
def test_no_more_is_loaded_than_is_needed(code: str, needed: str, spared: tuple[str, ...]) -> None:
    loaded = loaded_by(f"import negotiation_tui as nt\n{code}")
    assert needed in {"", *loaded}
    assert not loaded & {*spared}
