"""The screen of a tournament from the first frame to the last."""

from collections.abc import Sequence

from negotiation_tui.runtime.result_file import ResultFile
from negotiation_tui.sessions.tournament_session import TournamentSession
from negotiation_tui.tournament.pairings import Pairing
from negotiation_tui.tui.toolkit.run_screen import RenderOptions, run_screen
from negotiation_tui.tui.tournament.keys import KEYS
from negotiation_tui.tui.tournament.model import Model
from negotiation_tui.tui.tournament.render import render
from negotiation_tui.tui.tournament.update import start, update


def watch(
    entrants: Sequence[str],
    pairings: Sequence[Pairing],
    file: ResultFile | None,
    workers: int,
    cluster: str | None,
    look: RenderOptions,
    paused: bool,
) -> None:
    """Show a tournament being played until the user quits."""
    from negotiation_tui.tui.toolkit.app import Screen

    referee = TournamentSession(entrants, pairings, file, workers, cluster)

    def first(ascii_only: bool) -> Model:
        keys = KEYS.rebound(look.keys)
        return start(Model(referee.snapshot, keys=keys, ascii=ascii_only, running=not paused))

    run_screen(referee, Screen(update, render), first, look)
