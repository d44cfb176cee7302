"""One negotiation as a picture: the price bar, without a training behind it."""

import numpy as np

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.learning import kernel
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.statistics import CycleStatistics
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.tui.negotiation.layout import PRICE_HEIGHT
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.price_bar import draw_bars
from negotiation_tui.tui.negotiation.playback import Playback
from negotiation_tui.tui.toolkit.canvas import Canvas
from negotiation_tui.tui.toolkit.widgets import draw_heading_line

WIDTH = 80


def still(transcript: Transcript, note: str = "") -> Canvas:
    """The price bar with all the turns so far, 80 columns wide; the note stands at its head."""
    canvas = Canvas(WIDTH, PRICE_HEIGHT)
    draw_heading_line(canvas, " Price ", False, note)
    draw_bars(canvas, _model(transcript))
    return canvas


def _model(transcript: Transcript) -> Model:
    """What the pane looks at: a negotiation from which nobody learns."""
    negotiation = Negotiation(0, 0, 0, None, 0.0, True, transcript)
    snapshot = Snapshot(
        scenario=transcript.scenario,
        parameters=Parameters(),
        seed=0,
        opener=transcript.scenario.opener,
        strategies=(None, None),
        given=(),
        negotiations=0,
        finished=True,
        negotiation=negotiation,
        q_tables=(None, None),
        statistics=CycleStatistics(np.zeros((0, kernel.N_STATISTICS), np.int64)),
        per_second=None,
        compiled=False,
        tests=(),
        notice="",
        notices=0,
        handled=0,
        equilibria=((), ()),
        nash_conv=None,
        nash_convs=(),
    )
    playback = Playback(negotiation, len(transcript.turns), 0.0, 0.0, 0.0)
    return Model(snapshot, width=WIDTH, running=False, playback=playback)
