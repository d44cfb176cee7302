"""Draw the screen of a contest. Pure."""

from collections.abc import Callable, Sequence

from negotiation_tui.contest.league import LearnerStanding
from negotiation_tui.contest.tournament import Standing
from negotiation_tui.runtime.text import together
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.tournament.details import draw_details
from negotiation_tui.tui.tournament.lists import draw_heat_map, draw_leaderboard
from negotiation_tui.tui.tournament.model import LEADERBOARD, MATRIX, PAIRING, Model
from negotiation_tui.tui.widgets.ranked_list import draw_list_screen
from negotiation_tui.tui.widgets.words import time_left

PANES: dict[int, Callable[[Canvas, Model, int], None]] = {
    LEADERBOARD: draw_leaderboard,
    MATRIX: draw_heat_map,
    PAIRING: draw_details,
}
"""The function that draws each pane, by its number from 1, without a gap."""


def render(model: Model) -> Canvas:
    """Return the whole screen, in the size of the model."""
    names = "Leaderboard", "Heat map", "Runs" if model.contest.name == "league" else "Pairing"
    return draw_list_screen(model, PANES, names, _title(model), sentence(model))


def _title(model: Model) -> tuple[str, Sequence[Sequence[str]]]:
    """Return the progress with the time left, and the scenario and entrants in several lengths."""
    played, contest = model.latest, model.contest
    done, total = len(played.rows), len(contest.jobs)
    state = f"‖ paused at {done:,} of {total:,}"
    if played.finished:
        state = f"done: {total:,} {contest.unit}"
    elif model.running and played.notice:
        state = f"{done:,} of {total:,}, {played.notice}"
    elif model.running:
        left = "" if played.seconds_left is None else f", {time_left(played.seconds_left)}"
        state = f"▶ {done:,} of {total:,} {contest.unit}{left}"
    name, whole = contest.about[0], (contest.name, *contest.about)
    return state, (("negotiation-tui", *whole), whole, (contest.name, name), (name,))


def sentence(model: Model) -> str:
    """Say who leads or has won, and by how much."""
    played, name = model.latest, model.contest.name
    board = [each for each in played.leaderboard if each.rank is not None]
    first, after = [each for each in board if each.rank == 1], [e for e in board if e.rank != 1]
    if not board:
        text = f"The {name} has no result." if played.finished else f"The {name} begins."
        return text if model.running or played.finished else f"{text} Press {model.keys['run']}."
    many = len(first) > 1
    names = [each.name for each in first]
    who = together(names if len(names) < 4 else [names[0], f"{len(names) - 1} others"])
    verb = ("win" if played.finished else "lead") + "s" * (not many)
    best, second = first[0], after[0] if after else None
    if isinstance(best, Standing):
        assert best.overall is not None
        how = f"a mean gain of {best.overall:.2f} of 1"
        if isinstance(second, Standing) and second.overall is not None:
            how += f", {best.overall - second.overall:.2f} more than {second.name}"
    else:
        assert isinstance(best, LearnerStanding)
        assert best.nash_conv
        how = f"both sides could still gain {best.nash_conv.mean:.4f}"
        if isinstance(second, LearnerStanding) and second.nash_conv:
            how += f", with {second.name} {second.nash_conv.mean:.4f}"
    return f"{who} {verb}: {how}."
