"""All lessons, played through by keys; each right answer is computed here in another way."""

import math
import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import negotiation_tui as nt
from negotiation_tui import Role, Scenario, States
from negotiation_tui.learning.concurrent import ConcurrentTraining
from negotiation_tui.tui.tour.lessons import LESSONS, patience
from negotiation_tui.tui.tour.model import TourModel
from tests.support.game import values_of
from tests.support.golden import check
from tests.support.tour import NUMBERS, Tour

NAMES = [pytest.param(name, marks=[pytest.mark.slow] * (name == "first")) for name in NUMBERS]
ORIGINAL = Scenario.original()


@cache
def computed(name: str) -> tuple[TourModel, list[float], Tour]:
    """Return a lesson as its facts are there, the share of the work at each step, and the tour."""
    tour, shares = Tour(NUMBERS[name]), [0.0]
    while tour.model.facts is None:
        shares.append(tour.step().model.latest.share)
    return tour.model, shares, tour


@cache
def asked(name: str) -> tuple[list[str], Tour]:
    """Play a lesson through with right answers; return them in order, and the tour."""
    tour, said = computed(name)[-1], []
    for step in tour.lesson.steps:
        if step.choices:
            digit = tour.right_choice()
            said.append(tour.model.written(step.choices[digit - 1]) or "")
            tour.pass_step(digit)
        else:
            tour.pass_step()
    return said, tour


@pytest.mark.parametrize("name", NAMES)
def test_right_predictions_finish_a_lesson(name: str) -> None:
    said, tour = asked(name)
    result = tour.model.progress[name]
    assert result.right == result.asked == len(said) > 0
    assert tour.model.place == NUMBERS[name] or tour.model.ended


def test_the_first_lesson_asks_for_the_price_halfway() -> None:
    assert all(words in Tour().text() for words in ("cost 20", "worth 80", "┌─────"))
    tour = Tour().go_to("choices")
    shown = [turn.price for turn in tour.inner.playback.shown.turns]
    price = math.floor((shown[1] + shown[2]) / 2)
    assert asked("bar")[0][0] == f"{price}"
    turns = tour.pass_step().solve().inner.playback.negotiation.transcript.turns
    assert turns[3].price == price, "the screen shows it next"


def test_the_first_lesson_asks_for_shares_of_the_zone() -> None:
    tour = Tour().go_to("choices").pass_step().solve()
    price = tour.inner.playback.negotiation.transcript.outcome.price
    assert asked("bar")[0][1] == ("the seller" if 2 * price > 20 + 80 else "the buyer")


def test_the_best_buyer_earns_what_a_best_response_does() -> None:
    played = nt.negotiate("original", "conceder", "best-response", "seller")
    prices = played.turns[0].price, played.outcome.price
    assert asked("buyer")[0] == [f"{5 - price} coins" for price in prices if price]


def test_the_deadline_gives_all_to_the_last_offer() -> None:
    (last, *prices), _ = asked("deadline")
    ways = [nt.negotiate("original", "equilibrium", "equilibrium", role) for role in Role]
    assert prices == [f"{played.outcome.price}" for played in ways]
    assert last == "the seller", "the one that opens makes the ninth of ten moves"


def agreed(delta: float) -> str:
    """The price at which a buyer with this δ opens, by induction over the eleven offers."""
    left, gains = (0.8, delta), (0.0, 0.0)
    for offer in reversed(range(11)):
        own, other = (0, 1) if offer % 2 else (1, 0)
        shares = ((float(price), 10.0 - price) for price in range(11))
        taken = [each for each in shares if each[other] >= left[other] * gains[other]]
        gains = max(taken, key=lambda each: each[own])
    return f"{gains[0]:.0f}"


def test_an_impatient_buyer_gets_less() -> None:
    (remains, price), _ = asked("patience")
    facts = computed("patience")[0].facts or {}
    assert remains == f"{5 * 0.4**2:.1f}"
    assert (price, facts["patient_price"]) == (agreed(0.4), agreed(0.8))
    training = ConcurrentTraining(
        replace(patience.GAME, opener=nt.Opener.BUYER), patience.CURRICULUM, patience.STUDENT_SEED
    )
    training.run(patience.CURRICULUM.cycles)
    seller, buyer = map(training.policy, Role)
    played = nt.negotiate(training.scenario, seller, buyer)
    assert f"{played.outcome.price}" == price, "two learners find it"


def test_an_update_moves_a_tenth_of_the_way() -> None:
    (first, second), _ = asked("table")
    tour = Tour(NUMBERS["table"]).go_to("check").solve()
    price = tour.inner.playback.negotiation.transcript.outcome.price
    assert tour.inner.playback.negotiation.transcript.turns[-1].role is Role.SELLER
    assert first == f"{0.1 * price:.2f}"
    assert second == f"{(1 - 0.9**2) * price:.2f}"
    assert values_of(tour.inner.latest.agents[Role.SELLER]).max() == pytest.approx(0.1 * price / 5)


def test_epsilon_in_the_last_cycle() -> None:
    published = np.mean([0.1 + 0.9 * math.exp(-0.001 * n) for n in range(100)])
    corrected = np.mean([0.1 + 0.9 * math.exp(-0.001 * n) for n in range(4900, 5000)])
    assert abs(published - 1) < 0.05
    assert abs(corrected - 0.1) < 0.05
    said, _ = asked("exploration")
    assert said == ["about 100%", "about 10%"]


def test_only_states_that_say_who_opened_reach_equilibrium() -> None:
    (said,), _ = asked("opener")
    reached = {}
    for states in States:
        scenario = Scenario.of({**ORIGINAL.to_dict(), "states": states.value})
        trained = nt.train(scenario, seed=7, recipe="reverse-curriculum")
        reached[states] = trained.nash_conv().total == 0
    assert reached == {States.PUBLISHED: False, States.OPENER_AWARE: True}
    assert said == "the one that is told"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_reads_as_it_did_with_all_its_figures(lesson: Any) -> None:
    model, shares, _ = computed(lesson.name)
    assert shares == sorted(shares)
    assert shares[-1] in {0, 1}, "of the work, all is done"
    facts = model.facts or {}
    assert not facts.keys() & {row.command for row in model.inner.keys}, "a fact hides a key"
    lines = list[str]()
    for step in lesson.steps:
        texts, choices = (
            [model.written(text) for text in given]
            for given in ((step.text, step.reveal), step.choices)
        )
        assert None not in {*texts, *choices}
        assert "{" not in f"{texts}{choices}"
        if choices:
            assert choices.count(facts[step.right]) == 1
            assert len(set(choices)) == len(choices)
        marks = (
            ("✓ " if choice == facts[step.right] else "  ") + f"{choice}" for choice in choices
        )
        lines += [f"{texts[0]}", *marks, f"{texts[1]}\n"]
    check(f"tour/{lesson.name}", "\n".join(lines))


@pytest.mark.parametrize("name", ["bar", "deadline", "market", "patience"])
def test_theory_is_shown_after_the_guess_alone(name: str) -> None:
    tour = Tour(NUMBERS[name], width=200, height=60).compute()
    while tour.model.hides_theory:
        screen = "\n".join(tour.text().splitlines()[:-8])
        assert not re.search("theory:? *[0-9]|[▲◂] *[0-9]|if accepted", screen)
        assert name == "market" or tour.text().count("hidden until you have answered") == 2
        tour.press("1") if tour.model.open_question else tour.pass_step()
    assert "hidden until" not in tour.text()
    shown = next(line for line in tour.text().splitlines() if re.search("[▲◂] theory", line))
    facts = tour.model.facts or {}
    assert (facts.get("competitive") or facts.get("price") or "80") in shown
