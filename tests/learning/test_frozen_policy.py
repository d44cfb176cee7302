"""The frozen policy takes over the logged rows, or all of them once the log is full."""

from negotiation_tui.learning.frozen_policy import freeze, log_change


def frozen_after(log: list[int], changed_rows: list[int]) -> list[int]:
    actions, n_actions = [7, 8, 7, 8, 7, 8], [2, 1, 2]
    frozen, n_frozen = [0] * 6, [0] * 3
    for row in changed_rows:
        log_change(log, row)
    freeze(log, actions, n_actions, frozen, n_frozen)
    assert log[0] == 0
    return frozen


def test_only_logged_rows_are_copied() -> None:
    assert frozen_after([0, 0, 0], [1]) == [0, 0, 7, 0, 0, 0]


def test_all_rows_are_copied_once_the_log_is_full() -> None:
    assert frozen_after([0, 0, 0], [1, 1, 1]) == [7, 8, 7, 0, 7, 8]
