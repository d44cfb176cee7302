"""The effect of each key: one test or one row of a table for every key."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from negotiation_tui.game.roles import Opener
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.learning.learner_registry import LEARNERS
from negotiation_tui.strategies.registry import STRATEGIES
from negotiation_tui.tui.configuration import SCREENS
from negotiation_tui.tui.negotiation.keys import KEYS
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.render import PANES
from negotiation_tui.tui.toolkit.keys import Key
from tests.support.panes import headings
from tests.support.screen_driver import STATIC, Screen

PANE_KEYS = "123456789"
LAST = len(PANES)
"""The number of the last pane."""


class Effect(NamedTuple):
    """After the keys before it, a key changes what is looked at from one value to another."""

    key: str
    look: Callable[[Model], object]
    was: object
    becomes: object
    before: tuple[str, ...] = ()


def pane(model: Model) -> int:
    return model.chosen


def on_the_bar(model: Model) -> tuple[int, int]:
    """Which negotiation, and how many of its turns."""
    assert model.playback is not None
    return model.playback.negotiation.number, model.playback.visible


def person(model: Model) -> str | None:
    return str(model.latest.score.role) if model.latest.score else None


def played(model: Model) -> tuple[int, int]:
    """Negotiations of the person, and its deals."""
    assert model.latest.score is not None
    return model.latest.score.negotiations, model.latest.score.deals


def bar_prices(model: Model) -> tuple[int | None, ...]:
    assert model.playback is not None
    return model.playback.negotiation.transcript.prices


def first_cell(model: Model) -> object:
    return model.scrolled.get(2)


EFFECTS = (
    Effect("q", lambda m: m.quit, False, True),
    Effect("T", lambda m: (m.quit, m.tour), (False, False), (False, True)),
    Effect("?", lambda m: m.modal, None, "help"),
    Effect("?", lambda m: m.modal, "help", None, ("?",)),
    Effect("f1", lambda m: m.modal, None, "help"),
    Effect("e", lambda m: m.modal, None, "test"),
    Effect("e", lambda m: m.modal, "test", None, ("e",)),
    Effect("?", lambda m: m.modal, "test", "help", ("e",)),
    Effect("space", lambda m: m.running, False, True),
    Effect("space", lambda m: m.running, True, False, ("space",)),
    Effect(".", lambda m: m.snapshot.negotiations, 0, 1),
    Effect("n", lambda m: m.snapshot.negotiations, 0, 1),
    Effect("n", lambda m: m.snapshot.negotiations, 1, 2, ("n",)),
    Effect("n", lambda m: m.snapshot.negotiations, 1, 1, (".",)),
    Effect("c", lambda m: m.snapshot.negotiations, 0, 100),
    Effect("c", lambda m: m.snapshot.negotiations, 1, 100, (".",)),
    Effect("c", lambda m: m.snapshot.negotiations, 100, 200, ("c",)),
    Effect(",", on_the_bar, (1, 2), (1, 1), (".", ".")),
    Effect(",", lambda m: m.place, None, 0, ("n", ".")),
    Effect("[", lambda m: m.snapshot.negotiations, 200, 100, ("c", "c")),
    Effect("]", lambda m: m.snapshot.negotiations, 100, 200, ("c", "c", "[")),
    Effect("g", lambda m: m.past.typed, None, ""),
    Effect("end", lambda m: m.in_present, False, True, ("c", "c", "[")),
    Effect("home", lambda m: m.snapshot.negotiations, 200, 0, ("c", "c")),
    Effect("L", lambda m: m.message, "", "this game has no hidden limits"),
    Effect("d", lambda m: m.message, "", "the seller has no hidden limits"),
    Effect("m", lambda m: m.latest.parameters.cycles, 50, 100),
    Effect("f", lambda m: m.modal, None, "what-if", (".",)),
    Effect("f", lambda m: m.modal, "what-if", None, (".", "f")),
    Effect("enter", lambda m: m.origin is not None, False, True, (".", "f")),
    Effect("p", person, None, "buyer"),
    Effect("p", person, "buyer", "seller", ("p",)),
    Effect("p", person, "seller", None, ("p", "p")),
    Effect("right", lambda m: m.cursor, None, 1, ("p", "n")),
    Effect("left", lambda m: m.cursor, 1, 0, ("p", "n", "right")),
    Effect("a", played, (0, 0), (1, 1), ("p", "n")),
    Effect("x", lambda m: m.asked, None, "reject", ("p", "n")),
    Effect("x", played, (0, 0), (1, 0), ("p", "n", "x")),
    Effect("enter", lambda m: len(bar_prices(m)), 1, 3, ("p", "n")),
    Effect("+", lambda m: m.pace.text, "4 offers/s", "8 offers/s"),
    Effect("=", lambda m: m.pace.text, "4 offers/s", "8 offers/s"),
    Effect("-", lambda m: m.pace.text, "4 offers/s", "2 offers/s"),
    Effect("-", lambda m: m.pace.text, "1 offer/s", "1 offer/s", ("-", "-")),
    Effect("+", lambda m: m.pace.text, "flat out", "flat out", ("+",) * 6),
    Effect("D", lambda m: (m.pace.text, m.running), ("4 offers/s", False), ("story", True)),
    Effect("s", lambda m: m.snapshot.strategies, (None, None), ("midpoint", None)),
    Effect(
        "s", lambda m: m.snapshot.strategies, ("midpoint", None), ("fixed-fraction", None), ("s",)
    ),
    Effect("b", lambda m: m.snapshot.strategies, (None, None), (None, "midpoint")),
    Effect(
        "b", lambda m: m.snapshot.strategies, (None, "midpoint"), (None, "fixed-fraction"), ("b",)
    ),
    Effect(
        "s",
        lambda m: m.snapshot.strategies,
        ([*STRATEGIES][-1], None),
        (None, None),
        ("s",) * len(STRATEGIES),
    ),
    Effect("t", lambda m: m.snapshot.strategies, (None, None), STATIC),
    Effect("t", lambda m: m.snapshot.strategies, STATIC, (None, None), ("t",)),
    Effect("t", lambda m: m.snapshot.strategies, ("midpoint", None), STATIC, ("s",)),
    Effect("o", lambda m: m.snapshot.opener, Opener.ALTERNATE, Opener.SELLER),
    Effect("o", lambda m: m.snapshot.opener, Opener.SELLER, Opener.BUYER, ("o",)),
    Effect("o", lambda m: m.snapshot.opener, Opener.BUYER, Opener.ALTERNATE, ("o", "o")),
    Effect("v", lambda m: m.values, None, "raw"),
    Effect("v", lambda m: m.values, "raw", "normalized", ("v",)),
    Effect("v", lambda m: m.values, "normalized", "relative", ("v", "v")),
    Effect("v", lambda m: m.values, "relative", None, ("v", "v", "v")),
    Effect("v", first_cell, (1, 0), None, ("down",)),
    Effect("u", lambda m: m.message.partition(":")[0], "", "one plan for both"),
    Effect("z", lambda m: m.zoomed, False, True),
    Effect("z", lambda m: m.zoomed, True, False, ("z",)),
    Effect("tab", pane, 2, 3),
    Effect("tab", pane, LAST, 1, (str(LAST),)),
    Effect("shift-tab", pane, 2, 1),
    Effect("shift-tab", pane, 1, LAST, ("1",)),
    *(Effect(key, pane, 2, int(key)) for key in PANE_KEYS[: len(PANES)]),
    *(Effect(key, pane, 2, 2) for key in PANE_KEYS[len(PANES) :]),
    Effect("down", first_cell, None, (1, 0)),
    Effect("up", first_cell, (2, 0), (1, 0), ("j", "j")),
    Effect("up", first_cell, None, (0, 0)),
    Effect("pgdn", first_cell, None, (10, 0)),
    Effect("pgup", first_cell, (11, 0), (1, 0), ("down", "pgdn")),
    Effect("end", first_cell, None, (20, 0), ("z",)),
    Effect("home", first_cell, (20, 0), (0, 0), ("z", "end")),
    Effect("end", first_cell, None, (386, 0), ("v", "z")),
    Effect("home", first_cell, (386, 0), (0, 0), ("v", "z", "end")),
    Effect("right", first_cell, None, (0, 1)),
    Effect("left", first_cell, (0, 2), (0, 1), ("l", "l")),
    Effect("down", lambda m: m.modal_row, 0, 1, ("?",)),
    Effect("pgup", lambda m: m.modal_row, 7, 0, ("?", *("down",) * 7)),
    Effect("end", lambda m: m.modal_row > len(KEYS.rows), False, True, ("?",)),
    Effect("home", lambda m: m.modal_row, 7, 0, ("?", *("down",) * 7)),
    Effect("end", lambda m: m.modal_row, 0, len(LEARNERS) + len(STRATEGIES), ("S",)),
    Effect("r", lambda m: m.snapshot.negotiations, 100, 0, ("c",)),
    Effect("ctrl-l", lambda m: m.repaints, 0, 1),
    Effect("esc", lambda m: m.modal, "help", None, ("?",)),
    Effect("esc", lambda m: m.modal, "test", None, ("e",)),
    Effect("esc", lambda m: m.zoomed, True, False, ("z",)),
    Effect("i", lambda m: m.advice, False, True),
    Effect("P", lambda m: m.hides, True, False, ("p",)),
    Effect("P", lambda m: m.hides, False, True, ("p", "P")),
    Effect("S", lambda m: m.modal, None, "seller"),
    Effect("S", lambda m: m.modal, "seller", None, ("S",)),
    Effect("B", lambda m: (m.modal, m.modal_row), (None, 0), ("buyer", 1 + len(LEARNERS)), ("b",)),
    Effect("down", lambda m: m.modal_row, 0, 1, ("S",)),
    Effect("up", lambda m: m.modal_row, 0, 0, ("S",)),
    Effect("enter", lambda m: m.strategies[1], None, "zeuthen", ("B", *"zeu")),
    Effect("enter", lambda m: m.modal, "buyer", "settings", ("B", *"boul")),
    Effect("enter", lambda m: m.modal, "seller", None, ("S",)),
    Effect("enter", lambda m: m.message[:17], "", "nothing to choose", ("1",)),
    Effect("enter", lambda m: m.modal, None, "why", ("c", ".")),
    Effect("i", lambda m: m.advice, True, False, ("i",)),
    Effect("esc", first_cell, (1, 0), None, ("down",)),
    Effect("esc", lambda m: (m.modal, m.zoomed), ("help", True), (None, True), ("z", "?")),
)
ELSEWHERE = {"w"}
"""Commands whose test is further down: `save` writes files."""


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda e: " ".join((*e.before, e.key)))
def test_a_key_does_what_it_says(effect: Effect) -> None:
    screen = Screen("fine", width=80, height=24).press(*effect.before)
    assert effect.look(screen.model) == effect.was
    screen.press(effect.key)
    assert effect.look(screen.model) == effect.becomes


def test_every_key_has_a_test() -> None:
    tested = {KEYS.commands[effect.key] for effect in EFFECTS} | {
        KEYS.commands[key] for key in ELSEWHERE
    }
    assert tested == {key.command for key in KEYS}


SEVERAL = [k for k in KEYS if k.command != "pane" and len({*k.keys, *k.also}) > 1]


@pytest.mark.parametrize("key", SEVERAL, ids=lambda k: k.command)
def test_all_keys_for_one_thing_do_the_same(key: Key) -> None:
    frames = set()
    for name in (*key.keys, *key.also):
        screen = Screen("fine", width=80, height=24).press("n", "j", "j", "l", "l", name)
        frames.add(screen.text())
    assert len(frames) == 1


def test_no_key_means_two_things() -> None:
    names = [name for key in KEYS for name in (*key.keys, *key.also)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("key", ["y", "Q", "é", "KEY_F(5)", "$", "0"])
def test_an_unknown_key_says_so_and_does_nothing_else(key: str) -> None:
    screen = Screen().press("n")
    before = screen.settle()
    screen.press(key)
    assert screen.line("no such key").split()[:4] == ["no", "such", "key:", key]
    after = screen.press("?", "?").settle()
    assert (after.snapshot, after.playback and after.playback.visible) == (
        before.snapshot,
        before.playback and before.playback.visible,
    )


@pytest.mark.parametrize("key", PANE_KEYS[len(PANES) :])
def test_a_pane_that_does_not_exist_says_so(key: str) -> None:
    assert Screen().press(key).line(f"no pane {key}").strip().endswith(f"expected 1 to {LAST}")


@pytest.mark.parametrize("pane", PANES)
def test_a_zoomed_pane_has_the_screen_for_itself(pane: int) -> None:
    text = Screen(width=120, height=36).press("n", str(pane), "z").text()
    assert set(headings(text)) == {pane}


def test_the_footer_shows_keys_that_exist() -> None:
    hints = [KEYS.footer(key).split() for key in KEYS if key.footer]
    for *names, word in hints:
        for name in "".join(names) if names in (["+-"], ["s", "b"]) else names:
            assert name.lower() in KEYS.commands
        assert word in Screen("hidden", width=240).line("q quit")


def test_esc_never_quits() -> None:
    screen = Screen()
    for key in (*KEYS.commands, "y"):
        if KEYS.commands.get(key) not in {"quit", "save", "tour"}:
            assert not screen.press(key, "esc", "esc", "esc", "esc").model.quit


def test_save_writes_a_new_file_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    screen = Screen().press("c")
    for _ in range(3):
        seen = screen.press("esc").text()
        saved = "saved tables, 1 transcript and the screen to original-seed7-after100"
        assert screen.press("w").line(saved)
    names = [file.name for file in tmp_path.glob("*.npz")]
    assert len(names) == 3
    for ending in (".jsonl", ".svg", ".txt"):
        assert {file.stem for file in tmp_path.glob(f"*{ending}")} == {name[:-4] for name in names}
    for text in tmp_path.glob("*.txt"):
        assert text.read_text(encoding="utf-8") == seen + "\n"
    for name in names:
        loaded = load_tables(tmp_path / name).q_tables
        for role, table in enumerate(screen.model.snapshot.q_tables):
            assert table is not None
            assert np.array_equal(loaded[role], table)


REBOUND = KEYS.rebound(
    {
        "quit": ("Q",),
        "run": ("f5", "enter"),
        "take": ("space",),
        "help": ("h",),
        "left": ("a", "left"),
        "accept": ("+",),
        "faster": (">",),
        "pane": ("!", '"'),
        "sit": ("{",),
        "close": ("esc", "backspace"),
        "zoom": ("Z",),
    }
)


def rebound(*keys: str) -> Screen:
    """A screen with other keys, some of which were pressed."""
    screen = Screen(width=120, height=24)
    screen.model = replace(screen.model, keys=REBOUND)
    return screen.press(*keys)


def test_rebound_keys_are_named_wherever_keys_are() -> None:
    screen = rebound()
    assert screen.line(" Q quit").startswith(" Q quit  h help  F5 run/pause")
    assert screen.line("press F5 to begin")
    assert ">- pace" in screen.line(" Q quit")
    table = rebound("{").tick(3)
    table.model = replace(table.model, message="")
    assert table.line(" Q exit")
    assert "space offer" in table.line(" Q exit")
    assert "a→ price" in table.line(" Q exit")
    assert table.line("your turn: type a price, space offers")
    assert "your turn: type a price or a→, space offers" in table.resize(200, 60).text()
    assert rebound("+").line("+ works only while you play: press { to play")
    assert rebound("!", "space").line("nothing to choose: S, B and f open a list; press { to play")
    assert rebound("h", *"or pause").line("▸F5 Enter ")
    assert rebound("h", *"by its number").line('▸! "')
    assert "Q quits" in rebound().resize(30, 5).text()


def test_a_key_means_the_same_on_all_screens() -> None:
    meanings: dict[str, set[str]] = {}
    for row in chain(*SCREENS.values()):
        for key in (*row.keys, *row.also):
            meanings.setdefault(key, set()).add(row.command)
    assert {key: commands for key, commands in meanings.items() if len(commands) > 1} == {}
