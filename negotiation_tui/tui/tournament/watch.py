"""Run the screen of a contest from the first frame to the last."""

from functools import partial

from negotiation_tui.contest.contest import Contest
from negotiation_tui.runtime.result_file import ResultFile
from negotiation_tui.sessions.contest_session import ContestSession
from negotiation_tui.tui.toolkit.run_screen import RenderOptions, run_screen
from negotiation_tui.tui.tournament.keys import KEYS
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import render
from negotiation_tui.tui.tournament.update import start, update


def watch(
    contest: Contest,
    file: ResultFile | None,
    workers: int | None,
    cluster: str | None,
    appearance: RenderOptions,
    paused: bool,
) -> None:
    """Carry out a contest on the screen until the user quits."""
    from negotiation_tui.tui.toolkit.app import Screen
    from negotiation_tui.tui.tournament import live

    session = ContestSession(contest, file, workers, cluster)

    def first(ascii_only: bool) -> Model:
        keys = KEYS.rebound(appearance.keys)
        return start(Model(session.snapshot, keys=keys, ascii=ascii_only, running=not paused))

    opening = partial(live.opened, options=appearance)
    run_screen(session, Screen(update, render, opening), first, appearance)
