"""The announcement above a price bar: the last turn, its reason, and the shares of a deal."""

from collections.abc import Sequence

from negotiation_tui.game.negotiation import NO_STATE, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.widgets.price_bar_view import PriceBarView

VERBS = {Role.SELLER: "asks", Role.BUYER: "offers"}
_NARROW, _WIDE = 70, 100
_SHARE = 10
"""Cells of the bar of a share."""
_UNEXPECTED = "unexpected"


def reason(
    shown: Transcript,
    trainee: Role | None,
    epsilon: float,
    learned: Sequence[bool],
    best: str = "its best",
) -> str:
    """Return why the last offer of an episode was made: a guess, the best known, or an old plan.

    `learned` is True for each seat that plays from a learned table, seller first. `best`
    names what the trainee does while it does not guess.
    """
    if trainee is None or not shown.turns:
        return ""
    last = shown.turns[-1]
    if last.state == NO_STATE:
        return "a random start"
    if last.role is trainee:
        does = "a guess" if last.explored else best
        return f"{does}: it guesses {epsilon * 100:.0f} % of its moves"
    return "as it knew how to a cycle ago" if learned[last.role] else ""


def draw_announcement(canvas: Canvas, view: PriceBarView) -> None:
    """Describe the last turn on row 1."""
    shown = view.shown
    if not shown.turns:
        canvas.write(1, 1, view.waiting, "faint")
        return
    last = shown.turns[-1]
    left = f"round {last.round + 1} of {shown.scenario.rounds}"
    if canvas.width >= _NARROW:
        left = f"{left} · {shown.opener} opened"
    if not shown.over:
        canvas.write(1, 1, left, "faint")
        offer = f"{last.role} {VERBS[last.role]} {last.price}"
        x = len(left) + 5
        canvas.write(1, x, offer, str(last.role))
        _draw_reason(canvas, view, x + len(offer) + 2)
    elif view.broken_off:
        canvas.write(1, 1, " NO DEAL ", "no-deal")
        walks = f"the {last.role} walks away in round {last.round + 1}"
        canvas.write(1, 12, walks, "faint")
        _draw_reason(canvas, view, 12 + len(walks) + 3)
    else:
        text = f" DEAL at {last.price} "
        canvas.write(1, 1, text, "deal-flash" if view.flash else "deal")
        x = len(text) + 3
        longest = f"the {last.role} accepts in round {last.round + 1}"
        accepts = longest if x + len(longest) < canvas.width else f"the {last.role} accepts"
        canvas.write(1, x, accepts, "faint")
        _draw_shares(canvas, view, x + len(accepts) + 3)


def _draw_reason(canvas: Canvas, view: PriceBarView, x: int) -> None:
    """Draw a reason, or if it has no room its beginning."""
    texts = (view.reason, view.reason.partition(":")[0])
    if view.unexpected:
        texts = (f"{view.reason} · {_UNEXPECTED}".removeprefix(" · "), _UNEXPECTED)
    for text in texts:
        if x + len(text) <= announcement_width(canvas, view):
            canvas.write(1, x, text, "faint")
            return


def _draw_shares(canvas: Canvas, view: PriceBarView, x: int) -> None:
    """Draw who gains how much of the surplus, as bars if there is room."""
    scenario, price = view.shown.scenario, view.shown.outcome.price
    room = announcement_width(canvas, view) - x
    # Hidden limits have one width of rewards; the surplus is that of the limits drawn.
    width = scenario.lottery.width / scenario.width if scenario.lottery else 1
    shares = [(role, scenario.reward(role, price or 0) * width) for role in Role]
    for begin, bars in (("gains: ", True), ("gains: ", False), ("", False)):
        parts = [(str(role), f"{share:.0%}".replace("%", " %"), share) for role, share in shares]
        gap = _SHARE + 3 if bars else 2
        if len(begin) + sum(len(name + text) + 1 + gap for name, text, _ in parts) - 2 > room:
            continue
        canvas.write(1, x, begin, "faint")
        x += len(begin)
        for name, text, share in parts:
            canvas.write(1, x, f"{name} {text}", name)
            x += len(name) + len(text) + 2
            if bars:
                full = min(_SHARE, max(0, round(share * _SHARE)))
                canvas.write(1, x, "█" * full, name)
                canvas.write(1, x + full, "░" * (_SHARE - full), "faint")
                x += _SHARE + 1
            x += 1
        return


def draw_theory(canvas: Canvas, view: PriceBarView) -> None:
    """Write the prices of the equilibria at the right end of row 1, if there is room."""
    if _theory_fits(canvas, view):
        canvas.write_right(1, f"{_theory(view)}  ", "faint")


def _theory(view: PriceBarView) -> str:
    """Return the prices of the equilibria as text."""
    return f"▲ theory: {' or '.join(map(str, view.equilibria))}"


def announcement_width(canvas: Canvas, view: PriceBarView) -> int:
    """Return the column up to which the announcement may reach, before what theory says."""
    return canvas.width - (len(_theory(view)) + 4 if _theory_fits(canvas, view) else 2)


def _theory_fits(canvas: Canvas, view: PriceBarView) -> bool:
    return bool(view.equilibria) and canvas.width >= _WIDE
