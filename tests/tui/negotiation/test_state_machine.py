"""Any keys, at any moment, on a screen of any size, with a trainer as late as it likes."""

import contextlib
import tempfile
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from negotiation_tui.tui.negotiation.keys import KEYS
from negotiation_tui.tui.negotiation.layout import PRICE
from negotiation_tui.tui.negotiation.menus import SEATS, SETTINGS
from negotiation_tui.tui.negotiation.model import Model, table_view
from negotiation_tui.tui.negotiation.pace import PACES
from negotiation_tui.tui.negotiation.render import PANES, render
from negotiation_tui.tui.negotiation.update import update
from negotiation_tui.tui.toolkit.messages import KeyPressed, Message, Published, Resized, Tick
from negotiation_tui.tui.toolkit.theme import THEMES
from tests.support.screen_driver import STATIC, Screen, Seats, picture

known = st.sampled_from(sorted(set(KEYS.commands) - {"q", "w", "T"}))
junk = st.text(max_size=3) | st.sampled_from(["enter", "KEY_F(5)", "\x00", "é", "価", "resize"])
sizes = st.tuples(st.integers(1, 220), st.integers(1, 70))
seats: st.SearchStrategy[Seats] = st.sampled_from(
    [(None, None), STATIC, ("midpoint", None), (None, "midpoint")]
)


class Anything(RuleBasedStateMachine):
    """The commands of a key wait until `trainer_answers`, as they do behind a busy trainer."""

    @initialize(
        scenario=st.sampled_from(["original", "legacy", "fine"]),
        strategies=seats,
        paused=st.booleans(),
        ascii_only=st.booleans(),
        cycles=st.integers(1, 4),
        episodes=st.sampled_from([1, 5, 100]),
    )
    def begin(
        self,
        scenario: str,
        strategies: Seats,
        paused: bool,
        ascii_only: bool,
        cycles: int,
        episodes: int,
    ) -> None:
        self.folder = contextlib.ExitStack()
        here = self.folder.enter_context(tempfile.TemporaryDirectory())
        self.folder.enter_context(contextlib.chdir(here))
        self.screen = Screen(
            scenario,
            strategies=strategies if scenario != "legacy" else STATIC,
            paused=paused,
            ascii_only=ascii_only,
            cycles=cycles,
            episodes=episodes,
            prompt=False,
        )

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.close()

    @rule(keys=st.lists(known, min_size=1, max_size=4))
    def keys(self, keys: list[str]) -> None:
        self.screen.press(*keys)

    @rule(key=junk)
    def key_that_may_not_exist(self, key: str) -> None:
        if key not in {"q", "w", "T"}:
            self.screen.press(key)

    @rule()
    def save(self) -> None:
        self.screen.press("w")

    @rule()
    def esc(self) -> None:
        assert not self.screen.press("esc").model.quit

    @rule(seconds=st.floats(0, 3), step=st.sampled_from([0.02, 0.3]))
    def time_passes(self, seconds: float, step: float) -> None:
        self.screen.tick(min(seconds, 40 * step), step)

    @rule(size=sizes)
    def resized(self, size: tuple[int, int]) -> None:
        self.screen.resize(*size)

    @rule()
    def trainer_answers(self) -> None:
        self.screen.answer()

    @rule()
    def trainer_answers_and_only_the_last_snapshot_is_seen(self) -> None:
        self.screen.answer_at_once()

    @precondition(lambda self: self.screen.trainer.running)
    @rule(at_least=st.integers(1, 5))
    def trainer_plays_on(self, at_least: int) -> None:
        self.screen.work(at_least)

    @rule(key=known, seconds=st.floats(0, 2), size=sizes)
    def the_same_model_and_message_give_the_same_frame(
        self, key: str, seconds: float, size: tuple[int, int]
    ) -> None:
        model = self.screen.model
        before = picture(render(model))
        later = model.now + seconds
        for message in (KeyPressed(key, later), Tick(later), Resized(*size)):
            self._same(model, message)
        self._same(model, Published(self.screen.trainer.snapshot))
        assert picture(render(model)) == before

    @staticmethod
    def _same(model: Model, message: Message) -> None:
        once, again = update(model, message), update(model, message)
        assert once == again
        assert picture(render(once)) == picture(render(again))

    @rule()
    def a_message_that_changes_nothing_leaves_the_model(self) -> None:
        model = self.screen.model
        assert update(model, Resized(model.width, model.height)) is model

    @rule()
    def q_quits_whatever_lies_on_top_but_what_takes_letters(self) -> None:
        model, now = self.screen.model, self.screen.now
        for _ in range(2):  # settings lie over their list
            if model.modal in {"help", *SEATS, SETTINGS} or model.past.typed is not None:
                model = update(model, KeyPressed("esc", now))
        once = update(model, KeyPressed("q", now))
        assert once.quit or update(once, KeyPressed("q", now)).quit

    @invariant()
    def a_frame_fills_the_screen_and_has_known_styles(self) -> None:
        canvas = self.screen.frame()
        assert (canvas.width, canvas.height) == (self.screen.model.width, self.screen.model.height)
        for y in range(canvas.height):
            assert len(canvas.line(y)) == canvas.width
            assert {style for _, _, style in canvas.spans(y)} <= set(THEMES["dark"])
        assert canvas.text().isascii() or not self.screen.model.ascii

    @invariant()
    def numbers_are_in_their_ranges(self) -> None:
        model = self.screen.model
        assert model.chosen in PANES
        assert model.detail in set(PANES) - {PRICE}
        assert 0 <= model.pace_index < len(PACES)
        assert not model.quit
        if model.playback:
            fewest = 0 if model.latest.score else 1
            turns = len(model.playback.negotiation.transcript.turns)
            assert fewest <= model.playback.visible <= turns
        for pane, (row, column) in model.scrolled.items():
            view = table_view(model, pane) if model.values else None
            if view:
                assert 0 <= view.first_row <= view.last_first_row
                assert 0 <= view.first_column <= view.last_first_column
            assert min(row, column) >= 0

    @invariant()
    def screen_and_trainer_agree_once_no_command_waits(self) -> None:
        model, trainer = self.screen.model, self.screen.trainer
        assert model.sent - len(model.commands) == trainer.snapshot.handled
        if not model.commands and not model.waiting:
            assert model.strategies == model.latest.strategies
            assert model.opener == model.latest.opener
            if not trainer.snapshot.finished:
                assert model.free_running == trainer.running

    @invariant()
    def what_is_shown_as_learned_is_never_ahead_of_what_is_known(self) -> None:
        model = self.screen.model
        assert model.learned.negotiations <= model.snapshot.negotiations

    @invariant()
    def no_offer_comes_from_nowhere(self) -> None:
        model = self.screen.model
        if model.playback and model.snapshot.negotiation and not model.commands:
            assert model.playback.negotiation.number <= model.snapshot.negotiation.number

    @invariant()
    def when_it_may_sleep_nothing_changes_meanwhile(self) -> None:
        model = replace(self.screen.model, now=self.screen.now)
        wait = model.wait(0.03, self.screen.now)
        assert wait >= 0
        if wait > 0.03 and not model.running:
            assert update(model, Tick(self.screen.now + 0.99 * wait)) is model


TestAnything = pytest.mark.slow(Anything.TestCase)
TestAnything.settings = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
