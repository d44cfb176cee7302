"""Names that a package loads on first use."""

import json

import pytest

from negotiation_tui.runtime.lazy import on_first_use
from tests.support.modules import loaded_by


def test_a_name_is_that_of_its_module_or_the_module_itself() -> None:
    load = on_first_use("json", {"JSONDecodeError": "decoder", "scanner": "scanner"})
    assert load("JSONDecodeError") is json.JSONDecodeError
    assert load("scanner").__name__ == "json.scanner"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'json' has no attribute 'nonsense'"):
        on_first_use("json", {})("nonsense")


def test_parameters_need_no_numpy_but_a_training_does() -> None:
    assert "numpy" not in loaded_by(
        "from negotiation_tui.learning.hyperparameters import Parameters"
    )
    assert "numpy" in loaded_by(
        "from negotiation_tui.learning.concurrent import ConcurrentTraining"
    )
