"""Run the market screen from the first frame to the last."""

from negotiation_tui.sessions.market_session import MarketSession
from negotiation_tui.tui.market.keys import KEYS
from negotiation_tui.tui.market.model import Model
from negotiation_tui.tui.market.render import render
from negotiation_tui.tui.market.update import start, update
from negotiation_tui.tui.toolkit.run_screen import RenderOptions, run_screen


def watch(session: MarketSession, appearance: RenderOptions, pace_index: int, paused: bool) -> None:
    """Show a market until the user quits."""
    from negotiation_tui.tui.toolkit.app import Screen

    def first(ascii_only: bool) -> Model:
        snapshot = session.snapshot
        return start(
            Model(
                snapshot,
                snapshot,
                keys=KEYS.rebound(appearance.keys),
                ascii=ascii_only,
                theme=appearance.theme,
                animation=appearance.animation,
                pace_index=pace_index,
                running=not paused,
            )
        )

    run_screen(session, Screen(update, render), first, appearance)
