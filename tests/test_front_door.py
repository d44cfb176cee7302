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


def test_parameters_need_no_numpy_but_a_training_does() -> None:
    assert "numpy" not in loaded_by(
        "from negotiation_tui.learning.hyperparameters import Parameters"
    )
    assert "numpy" in loaded_by(
        "from negotiation_tui.learning.concurrent import ConcurrentTraining"
    )


OURS = "market", "tui", "learning.algorithms.sarsa", "strategies.concession"
SPARED_BY_A_TRAINING = ("subprocess", *(f"negotiation_tui.{name}" for name in OURS))
COMMAND = "from negotiation_tui.cli.main import main\nmain({words!r}.split())"


@pytest.mark.parametrize(
    ("words", "spared"),
    [
        ("solve", ("numpy.random", "negotiation_tui.players", "negotiation_tui.learning.loop")),
        ("train --cycles 1 --no-verbose", SPARED_BY_A_TRAINING),
    ],
)
def test_a_short_command_loads_no_more_than_it_needs(words: str, spared: tuple[str, ...]) -> None:
    assert not loaded_by(COMMAND.format(words=words)) & {*spared}
