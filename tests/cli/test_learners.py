"""`learners`, `strategies NAME`, `--learner`, and what is said about wrong ones."""

import json
from typing import Any

import pytest

from negotiation_tui import LEARNERS, STRATEGIES, Role
from negotiation_tui.cli.subcommands import play
from negotiation_tui.tui.negotiation import preparation, watch
from tests.support.cli import Captured, printed, status_of

SHORT = ("--cycles", "2", "--episodes", "10", "--seed", "7")


def test_every_learner_is_listed_with_its_schedule_and_source(capsys: Captured) -> None:
    text = printed(capsys, "learners")
    for name, learner in LEARNERS.items():
        assert f"{name} " in text
        assert learner.summary in text
        assert f"{learner.schedule}; {learner.source}\n" in text


def test_a_learner_has_its_settings_with_defaults_values_and_meanings(capsys: Captured) -> None:
    text = printed(capsys, "learners", "wolf-phc")
    (row,) = (line for line in text.splitlines() if line.startswith("delta_win"))
    assert row.split("  ")[-1].strip() == "step of the policy while winning, from 0 to 1"
    assert ("0.01" in row, "a number from 0 to 1" in row) == (True, True)
    told = json.loads(printed(capsys, "learners", "wolf-phc", "--json"))
    assert told["source"] == LEARNERS["wolf-phc"].source
    assert "delta_win" in {setting["name"] for setting in told["settings"]}
    assert json.loads(printed(capsys, "learners", "--json"))["wolf-phc"] == told


def test_a_strategy_has_its_settings_too(capsys: Captured) -> None:
    assert "a number above 0, at most 1,000" in printed(capsys, "strategies", "boulware")
    assert "It has no settings." in printed(capsys, "strategies", "micro")
    assert {*json.loads(printed(capsys, "strategies", "--json"))} == {*STRATEGIES}


def test_a_switch_is_true_or_false_as_it_is_typed(capsys: Captured) -> None:
    assert "average        false  " in printed(capsys, "learners", "monte-carlo")
    words = ["--learner", "monte-carlo:average=true"]
    assert " by monte-carlo:average=true," in printed(capsys, "train", *SHORT, *words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "training both agents, seller first"),
        ("--learner sarsa", "training both agents by sarsa, seller first"),
        ("--learner wolf-phc", "training both agents by wolf-phc, together"),
        (
            "--learner wolf-phc --seller learned:sarsa:learning_rate=0.2",
            "training the seller by sarsa:learning_rate=0.2 and the buyer by wolf-phc, together",
        ),
        (
            "--buyer learned:sarsa --train-agent buyer",
            "training the seller by q-learning and the buyer by sarsa, buyer first",
        ),
        ("--learner sarsa --seller micro", "training the buyer by sarsa against micro"),
        ("--learner sarsa --no-train-both", "training the seller alone by sarsa"),
    ],
)
def test_a_training_says_who_learns_how(capsys: Captured, words: str, said: str) -> None:
    assert f", {said}: 2 cycles" in printed(capsys, "train", *SHORT, *words.split())


def test_mixed_policies_are_printed_and_in_the_json(capsys: Captured) -> None:
    words = ("train", *SHORT, "--seller", "learned:wolf-phc", "--buyer", "learned:sarsa")
    text = printed(capsys, *words)
    assert "seller's Q-table" in text
    assert "seller's probabilities of actions" in text
    assert "buyer's probabilities of actions" not in text, "it plays the best by its Q-table"
    told = json.loads(printed(capsys, *words, "--json"))
    assert told["players"] == {"seller": "learned:wolf-phc", "buyer": "learned:sarsa"}
    assert sum(told["probabilities"]["seller"][0]) == pytest.approx(1)
    plain = json.loads(printed(capsys, "train", *SHORT, "--json"))
    assert plain["probabilities"] == {"seller": None, "buyer": None}


@pytest.mark.parametrize("against", ["learned", "learned:wolf-phc"])
def test_a_person_plays_a_trained_learner(monkeypatch: pytest.MonkeyPatch, against: str) -> None:
    begun: list[Any] = []

    def leave(session: Any, *_: Any, **__: Any) -> int:
        begun.append(session)
        return 0

    monkeypatch.setattr(play, "on_terminal", bool)
    monkeypatch.setattr(watch, "watch", leave)
    monkeypatch.setattr(preparation, "SHORT", 60.0)  # no bar, however busy the machine is
    assert status_of("play", "--against", against, "--seed", "7") == 0
    snapshot = begun[0].snapshot
    assert snapshot.finished
    assert snapshot.seating.specs == (against, against)
    assert snapshot.score.role is Role.BUYER
