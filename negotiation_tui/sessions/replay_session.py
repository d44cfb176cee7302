"""A session that plays back a recording."""

from typing import Any

from negotiation_tui.errors import BadInputError
from negotiation_tui.players.resolve import resolve_trusted
from negotiation_tui.sessions import commands as do
from negotiation_tui.sessions.saving import save_screen
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.sessions.timeline import RecordedTimeline
from negotiation_tui.sessions.timeline_session import NashConvMonitor, TimelineSession
from negotiation_tui.sessions.transcripts import Recording


class ReplaySession(TimelineSession):
    """The recorded negotiations, one after the other; only what-ifs add new play."""

    _resolve = staticmethod(resolve_trusted)

    def __init__(self, recording: Recording) -> None:
        damage = recording.damage
        super().__init__(f"{damage}: only the lines before it are played" if damage else "")
        self._timeline = timeline = RecordedTimeline(recording)
        self._monitor = NashConvMonitor(timeline, lambda: (timeline.line, timeline.scenario.opener))
        self.snapshot = self._snapshot()

    @property
    def negotiations(self) -> int:
        """Number of negotiations that were played in training."""
        return self._timeline.episode

    @property
    def _finished(self) -> bool:
        return self._timeline.finished

    def _obey(self, command: do.Command) -> None:
        timeline = self._timeline
        match command:
            case do.Play() | do.Run() | do.Halt() | do.Restart():
                super()._obey(command)
            case do.PlayCycle():
                timeline.go_to(timeline.course.after(timeline.line) or timeline.course.end)
            case do.GoTo(moment):
                timeline.go_to(moment)
            case do.WhatIf():
                try:
                    super()._obey(command)
                except BadInputError as error:
                    self._say(f"no what-if here: {error}")
            case do.Save(_, screen) if screen:
                name, details = timeline.scenario.name, f"line{timeline.line}"
                self._say(save_screen(name, details, screen))
            case _:
                self._say("this is a recording: only what-ifs can be played")

    def _restart(self) -> str:
        self._timeline.go_to(0)
        return "back at the beginning of the recording"

    def _play(self, n: int) -> None:
        self._timeline.go_to(self._timeline.line + n)

    def _state(self, **fields: Any) -> Snapshot:
        timeline = self._timeline
        key = timeline.cycle, timeline.scenario.opener, timeline.specs
        fields["policies"] = self._monitor.policies(*key)
        return timeline.present(**fields, **vars(self._status()))
