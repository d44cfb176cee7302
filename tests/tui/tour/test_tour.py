"""The tour: its panel, keys and progress; every right answer is computed here in another way."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.market import summary
from negotiation_tui.sessions.tour_session import Keep, Open, TourSession
from negotiation_tui.strategies.registry import strategy
from negotiation_tui.tui.toolkit.messages import Tick
from negotiation_tui.tui.toolkit.run_screen import RenderOptions
from negotiation_tui.tui.tour import progress as files
from negotiation_tui.tui.tour.lesson import Ask, Do, Lesson
from negotiation_tui.tui.tour.lessons import LESSONS, market
from negotiation_tui.tui.tour.model import TourModel
from negotiation_tui.tui.tour.progress import Progress, Result
from negotiation_tui.tui.tour.render import panel_lines, render
from negotiation_tui.tui.tour.update import start, update
from tests.support.screen_loop import ScreenLoop

PLAIN = RenderOptions(False, "auto", 30.0, "dark", False, False, {})
NUMBERS = {lesson.name: number for number, lesson in enumerate(LESSONS, 1)}
FLAT_OUT = ("space",)
PLAYED: Mapping[tuple[str, int], tuple[str, ...]] = {
    ("bar", 0): (".", ".", "."),
    ("bar", 1): ("n",),
    ("deadline", 0): ("n",),
    ("deadline", 1): ("o", "o", "n", "n"),
    ("table", 0): ("n",),
    ("table", 1): ("c",),
    ("exploration", 0): ("c", "c", "c"),
    ("exploration", 1): ("c",) * 47,
    ("opener", 0): FLAT_OUT,
    ("first", 0): FLAT_OUT,
    ("first", 1): ("e",),
    ("market", 0): FLAT_OUT,
}
"""The keys for each thing to do but playing oneself, by lesson and number."""


class Tour(ScreenLoop):
    """The tour from a lesson on, counted from 1."""

    model: TourModel

    def __init__(
        self,
        number: int = 1,
        *,
        width: int = 120,
        height: int = 36,
        progress: Progress | None = None,
        path: Path | None = None,
        options: RenderOptions = PLAIN,
    ) -> None:
        lesson = LESSONS[number - 1]
        first = Open(lesson.session, lesson.work)
        session = TourSession(first, lambda progress: files.write(path, progress))
        model = TourModel(
            session.snapshot, LESSONS, options, number - 1, progress=dict(progress or {})
        )
        super().__init__(session, update, render, start(model))
        self.resize(width, height)

    @property
    def lesson(self) -> Lesson:
        return self.model.lesson

    @property
    def inner(self) -> Any:
        return self.model.inner

    def compute(self) -> Self:
        while self.model.latest.facts is None:
            self.step()
        return self

    def solve(self) -> Self:
        before = self.lesson.steps[: self.model.step]
        number = sum(isinstance(step, Do) for step in before)
        if self.lesson.name == "buyer":
            return self._negotiate()
        self.press(*PLAYED[self.lesson.name, number]).tick(1.0)
        while not self.model.did:
            assert self.session.running
            self.step().tick(0.1)
        return self

    def _negotiate(self) -> Self:
        for _ in range(20):
            self.tick(3.0)
            if self.model.did:
                break
            position = self.inner.playback.position
            last = position is not None and position.last_decision
            self.press("a" if last else "enter")
        return self

    def go_to(self, kind: type) -> Self:
        """Do and answer all that comes before the next step of a kind."""
        place = self.model.place
        while not isinstance(self.model.present, kind):
            self.pass_step()
            assert self.model.place == place, "the lesson has no such step"
        return self

    def pass_step(self, choice: int = 1) -> Self:
        """Do the present step, answer it with a choice, and go on."""
        step = self.model.present
        if isinstance(step, Do):
            self.solve()
        if isinstance(step, Ask):
            self.compute().press(str(choice))
        return self.press("enter")

    def right_choice(self) -> int:
        """Return the digit of the right answer to the present question."""
        ask = self.model.present
        assert isinstance(ask, Ask)
        facts = self.compute().model.facts
        assert facts is not None
        texts = [self.model.written(choice) for choice in ask.choices]
        return texts.index(facts[ask.right]) + 1


pytestmark = pytest.mark.slow


def panel(tour: Tour) -> str:
    """Return the text of the panel alone."""
    return "\n".join(tour.text().splitlines()[-tour.model.panel_height :])


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_every_step_fits_in_the_panel(number: int, size: tuple[int, int]) -> None:
    tour = Tour(number, width=size[0], height=size[1])
    for step in tour.lesson.steps:
        room = tour.model.panel_height - 2
        assert len(panel_lines(tour.compute().model)) <= room, step.text
        if isinstance(step, Ask):
            wrong = tour.right_choice() % len(step.choices) + 1
            tour.press(str(wrong))
            assert len(panel_lines(tour.model)) <= room, step.reveal
        if isinstance(step, Do) and size == (80, 24):
            tour.solve()
            assert len(panel_lines(tour.model)) <= room, step.text
        tour.model = replace(tour.model, step=tour.model.step + 1, did=False)


def test_an_answer_is_judged_when_the_facts_are_there() -> None:
    tour = Tour(NUMBERS["exploration"])
    while not isinstance(tour.model.present, Ask):
        tour.solve() if tour.model.held_back else tour.press("enter")
    tour.press("1", "enter")
    assert "You say: about 10 %." in panel(tour)
    assert "still computes" in panel(tour), "it does not go on"
    assert "You said about 10 %. It is about 100 %." in panel(tour.compute())
    assert "0 of 1 predictions right" in panel(tour)


def test_steps_go_back_and_lessons_can_be_skipped_and_opened_again() -> None:
    tour = Tour().compute().press("enter", "backspace")
    assert tour.model.step == 0
    assert "first step" in panel(tour.press("backspace"))
    for number in range(2, len(LESSONS) + 1):
        assert f"Lesson {number} of 8" in panel(tour.press(">"))
    assert "lesson 8 of 8" in panel(tour.press(">"))
    assert "Lesson 7 of 8" in panel(tour.press("<"))
    assert tour.model.progress == {}, "a lesson that was skipped is not finished"


def test_enter_does_not_lead_to_a_question_about_a_game_that_was_not_played() -> None:
    tour = Tour().press("enter", "enter", "enter")
    assert tour.model.step == 1
    assert "do this first, the next question is about it" in panel(tour)
    assert "Enter goes on" not in panel(tour.press("backspace", "enter"))
    assert isinstance(tour.press(".", ".", ".").tick(3).press("enter").model.present, Ask)


def test_while_a_lesson_is_opened_the_screen_waits() -> None:
    tour = Tour()
    tour.prompt = False
    tour.press(">")
    assert tour.model.opening
    assert "is being opened" in panel(tour)
    before = tour.inner
    assert tour.press("n", "enter").tell(Tick(1.0)).inner is before
    assert tour.answer().model.inner is not before


def test_while_the_user_plays_enter_makes_the_offer() -> None:
    tour = Tour(NUMBERS["buyer"]).go_to(Do)
    assert "Enter goes on" not in panel(tour)
    step = tour.model.step
    tour.tick(3).press("enter").tick(3)
    assert tour.model.step == step
    assert tour.inner.playback.visible == 3
    assert "Enter goes on" in panel(tour.solve())


def test_a_progress_that_cannot_be_kept_does_not_end_the_tour(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    tour = Tour(path=tmp_path / "file" / "tour.json")
    with pytest.warns(UserWarning, match=r"progress of the tour is not kept: .*cannot be written"):
        tour.session.handle(Keep({"bar": Result()}))
    Tour(path=None).session.handle(Keep({"bar": Result()}))


def test_a_damaged_progress_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "tour.json"
    wrong = '{"bar": {"right": 2, "asked": 1}}'
    for text in ("", "[]x", "3", '{"bar": 1}', wrong, "[" * 9999, "{}" * 70000):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(BadInputError, match=r"^progress \S+: .*expected[^\n]*$"):
            files.read(path)


def test_the_progress_is_written_beside_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "state" / "tour.json"
    files.write(path, {"bar": Result(1, 2), "of another version": Result(3, 3)})
    files.write(path, {**files.read(path), "buyer": Result(0, 2)})
    assert [each.name for each in path.parent.iterdir()] == ["tour.json"]
    assert files.read(path).keys() == {"bar", "of another version", "buyer"}
    files.forget(path)
    files.forget(path)
    assert files.read(path) == {}


NAMES = list(NUMBERS)
ORIGINAL = Scenario.original()


def asked(name: str) -> tuple[list[str], Tour]:
    """Play a lesson through with right answers; return them in order, and the tour."""
    tour, said = Tour(NUMBERS[name]), []
    for step in tour.lesson.steps:
        if isinstance(step, Ask):
            digit = tour.right_choice()
            said.append(tour.model.written(step.choices[digit - 1]) or "")
            tour.pass_step(digit)
        else:
            tour.pass_step()
    return said, tour


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_can_be_played_through_and_all_predictions_be_right(name: str) -> None:
    said, tour = asked(name)
    result = tour.model.progress[name]
    assert result.right == result.asked == len(said) > 0
    assert tour.model.place == NUMBERS[name] or tour.model.ended


def test_the_first_lesson_asks_for_halfway_and_for_shares_of_the_zone() -> None:
    (price, ahead), _ = asked("bar")
    tour = Tour().go_to(Ask)
    shown = [turn.price for turn in tour.inner.playback.turns]
    assert price == f"{math.floor((shown[1] + shown[2]) / 2)}"
    tour.pass_step().solve()
    transcript = tour.inner.playback.negotiation.transcript
    assert transcript.turns[3].price == int(price), "the screen shows it next"
    assert ahead == ("the seller" if 2 * transcript.outcome.price > 20 + 80 else "the buyer")


def test_the_best_buyer_is_the_best_of_all_ways_to_play() -> None:
    seller = strategy("conceder")
    rng = np.random.default_rng(0)

    def best(so_far: Transcript) -> float:
        if so_far.over:
            price = so_far.outcome.price
            return 0.0 if price is None else 1 - price / 5
        position = so_far.position
        assert position is not None
        if position.role is Role.SELLER:
            return best(so_far.followed_by(int(seller.act(position, rng))))
        return max(best(so_far.followed_by(action)) for action in position.legal)

    opening = Transcript(ORIGINAL, Role.SELLER)
    first, share = asked("buyer")[0]
    assert share == f"{100 * best(opening):.0f} %"
    asks = opening.followed_by(int(seller.act(opening.position, rng))).turns[0].price  # type: ignore[arg-type]
    assert asks is not None
    assert first == f"{100 * (1 - asks / 5):.0f} %"


def test_the_deadline_gives_all_to_the_last_offer() -> None:
    def utility(role: Role, end: tuple[int, tuple[int, int]]) -> float:
        """A role's reward, less a tenth for each decision of its own after the first."""
        price, decisions = end
        share = price / 5 if role is Role.SELLER else 1 - price / 5
        return float(0.9 ** max(0, decisions[role] - 1) * share)

    def counted(end: tuple[int, tuple[int, int]], role: Role) -> tuple[int, tuple[int, int]]:
        price, (seller, buyer) = end
        return price, (seller + (role is Role.SELLER), buyer + (role is Role.BUYER))

    @cache
    def end_of(move: int, standing: int | None, role: Role) -> tuple[int, tuple[int, int]]:
        """The deal from a move on, and the decisions of both until then; ten moves in all."""
        ends = [] if standing is None else [counted((standing, (0, 0)), role)]
        own = range(5, 0, -1) if role is Role.SELLER else range(1, 6)
        if move < 9:
            ends += [counted(end_of(move + 1, price, role.other), role) for price in own]
        return max(ends, key=lambda end: utility(role, end))  # the first of equals

    (last, *prices), _ = asked("deadline")
    assert last == "the seller", "the one that opens makes the ninth of ten moves"
    assert prices == [f"{end_of(0, None, role)[0]}" for role in Role]


def test_an_update_moves_a_tenth_of_the_way() -> None:
    (first, second), _ = asked("table")
    tour = Tour(NUMBERS["table"]).go_to(Do).solve()
    price = tour.inner.playback.negotiation.transcript.outcome.price
    assert tour.inner.playback.negotiation.transcript.turns[-1].role is Role.SELLER
    assert first == f"{0.1 * price / 5:.2f}"
    assert second == f"{(1 - 0.9**2) * price / 5:.2f}"
    assert tour.inner.latest.q_tables[Role.SELLER].max() == pytest.approx(0.1 * price / 5)


def test_epsilon_in_the_last_cycle() -> None:
    published = np.mean([0.1 + 0.9 * math.exp(-0.001 * n) for n in range(100)])
    corrected = np.mean([0.1 + 0.9 * math.exp(-0.001 * n) for n in range(4900, 5000)])
    assert abs(published - 1) < 0.05
    assert abs(corrected - 0.1) < 0.05
    said, _ = asked("exploration")
    assert said == ["about 100 %", "about 10 %"]


def test_only_states_that_say_who_opened_reach_equilibrium() -> None:
    (said,), _ = asked("opener")
    reached = {}
    for states in States:
        scenario = Scenario.of({**ORIGINAL.to_dict(), "states": states.value})
        trained = nt.train(scenario, seed=7, recipe="reverse-curriculum")
        reached[states] = trained.nash_conv().total == 0
    assert reached == {States.PUBLISHED: False, States.OPENER_AWARE: True}
    assert said == "the one that is told"


def test_the_left_over_wallet_turns_with_one_cycle() -> None:
    said, _ = asked("first")
    for cycles, sign in ((50, 1), (49, -1)):
        differences = [
            wallet(seed, Role.SELLER, cycles) - wallet(seed, Role.BUYER, cycles)
            for seed in range(100, 103)
        ]
        assert sign * np.mean(differences) > 100
    assert said == ["more than if second", "less than if second"]


def wallet(seed: int, first: Role, cycles: int) -> int:
    """The seller's gain in the last cycle: its deals' prices."""
    training = ConcurrentTraining(ORIGINAL, seed=seed, train_agent=first)
    training.run(cycles)
    return int(training.statistics.wallets[-1, Role.SELLER])


def test_the_shorter_side_gains() -> None:
    said, _ = asked("market")
    prices: dict[tuple[int, int], float] = {}
    for counts in ((6, 2), (2, 6)):
        results = []
        for seed in market.SEEDS:
            simulation = market.market(counts, seed)
            simulation.run()
            results.append(summary.summary(simulation)["last_mean_price"])
        prices[counts] = float(np.mean(results))
        demand = [5] * counts[1]
        below = [price for price in range(1, 6) if counts[0] > sum(v >= price for v in demand)]
        assert bool(below) is (counts == (6, 2)), "sellers without a buyer at every price"
    assert prices[6, 2] < 3 < prices[2, 6]
    assert prices[6, 2] > 1.5
    assert said == ["the buyers", "between it and the middle", "up"]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_name_in_them_is_a_fact_or_a_key(lesson: Any) -> None:
    tour = Tour(NUMBERS[lesson.name], width=60, height=20).compute()
    commands = {row.command for row in tour.inner.keys}
    facts = tour.model.facts or {}
    assert not facts.keys() & commands, "a fact hides a key"
    for step in lesson.steps:
        texts = [step.text, *(step.choices if isinstance(step, Ask) else ())]
        for text in (*texts, step.reveal if isinstance(step, Ask) else ""):
            written = tour.model.written(text)
            assert written is not None, text
            assert "{" not in written
        if isinstance(step, Ask):
            choices = [tour.model.written(choice) for choice in step.choices]
            assert choices.count(facts[step.right]) == 1
            assert len(set(choices)) == len(choices)
