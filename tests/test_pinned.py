"""Trainings, markets, looks back, stories and files have the bits they had before code moved."""

import json

import pytest

from tests.support.pinned import DIGESTS, VALUES

PINNED = json.loads(DIGESTS.read_text(encoding="utf-8"))


def test_every_pinned_value_is_still_computed() -> None:
    assert set(PINNED) == set(VALUES)


@pytest.mark.parametrize("name", VALUES)
def test_value_is_equal_to_the_bit(name: str) -> None:
    if name.endswith("compiled"):
        pytest.importorskip("numba")
    assert VALUES[name]() == PINNED[name]
