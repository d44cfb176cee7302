"""Keys that ask for what cannot take its seat: it is said so, and they lead on."""

import pytest

from negotiation_tui.game.roles import Role
from negotiation_tui.strategies.registry import STRATEGIES
from tests.support.screen_driver import Screen, Seats


def held(screen: Screen) -> Seats:
    return screen.model.snapshot.strategies


@pytest.mark.parametrize("role", Role)
def test_a_walk_passes_what_cannot_take_the_seat(role: Role) -> None:
    """Opposite a best response, what heeds the whole negotiation is refused and said so."""
    best = "best-response"
    screen = Screen(strategies=(None, best) if role is Role.SELLER else (best, None))
    seen = []
    for name in (*STRATEGIES, None):
        screen.press(str(role)[0])
        seen.append(held(screen)[role])
        if seen[-1] != name:
            assert screen.model.message.startswith("best-response: expected")
    assert seen[-1] is None
    rules = {name for name, rule in STRATEGIES.items() if "history" not in rule.depends_on}
    assert set(seen) == {None, *rules} - {best}


def test_the_toggle_gets_out_where_a_seat_cannot_be_taken() -> None:
    screen = Screen(strategies=("best-response", "zeuthen")).press("t")
    assert held(screen) == (None, None)
    screen.press(*"b" * (1 + list(STRATEGIES).index("micro")))
    assert held(screen) == (None, "micro")
    seen = []
    for _ in range(5):
        screen.press("t")
        seen.append(held(screen))
        if None in seen[-1] and any(seen[-1]):
            assert "micro, which depends on the whole history" in screen.model.message
    nobody, one, other = (None, None), (None, "micro"), ("best-response", None)
    assert seen == [one, nobody, other, nobody, other]
