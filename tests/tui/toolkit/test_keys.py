"""The effect of each key: one test or one row of a table for every key."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from negotiation_tui import LEARNERS, STRATEGIES, Opener, Role
from negotiation_tui.learning.checkpoint import load_tables
from negotiation_tui.tui.configuration import key_tables
from negotiation_tui.tui.negotiation.keys import BUYER_PLAN, KEYS, SELLER_PLAN
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.render import PANES, render
from negotiation_tui.tui.negotiation.update import update
from negotiation_tui.tui.toolkit.keys import Key
from negotiation_tui.tui.toolkit.messages import KeyPressed
from negotiation_tui.tui.toolkit.paned import MOVES
from tests.support.game import values_of
from tests.support.screen_driver import STATIC, Screen, picture
from tests.support.screen_loop import headings

PANE_KEYS = "123456789"
LAST = len(PANES)  # the number of the last pane


class Effect(NamedTuple):
    """After the keys before it, a key changes what is looked at from one value to another."""

    key: str
    look: str | Callable[[Model], object]  # an attribute of the model, or a function of it
    was: object
    becomes: object
    before: tuple[str, ...] = ()

    def value(self, model: Model) -> object:
        look = attrgetter(self.look) if isinstance(self.look, str) else self.look
        return look(model)


def on_the_bar(model: Model) -> tuple[int, int]:
    assert model.playback
    return sum(model.playback.negotiation.key), model.playback.visible


def person(model: Model) -> tuple[str, int, int] | None:
    score = model.latest.score
    return (str(score.role), score.negotiations, score.deals) if score else None


def first_cell(model: Model) -> object:
    return model.scrolled.get(SELLER_PLAN)


PLAYED = "snapshot.negotiations"
SEATS = "snapshot.seating.strategies"
EFFECTS = (
    Effect("q", "quit", False, True),
    Effect("T", lambda m: (m.quit, m.tour), (False, False), (False, True)),
    Effect("?", "modal", None, "help"),
    Effect("?", "modal", "help", None, ("?",)),
    Effect("e", "modal", None, "test"),
    Effect("space", "running", False, True),
    Effect("space", "running", True, False, ("space",)),
    Effect(".", PLAYED, 0, 1),
    Effect("n", PLAYED, 1, 2, ("n",)),
    Effect("c", PLAYED, 0, 100),
    Effect("c", PLAYED, 1, 100, (".",)),
    Effect(",", on_the_bar, (1, 2), (1, 1), (".", ".")),
    Effect(",", "in_present", True, False, ("n", ".", ".")),
    Effect("[", PLAYED, 200, 100, ("c", "c")),
    Effect("]", PLAYED, 100, 200, ("c", "c", "[")),
    Effect("g", "going", None, ""),
    Effect("end", "in_present", False, True, ("c", "c", "[")),
    Effect("home", PLAYED, 200, 0, ("c", "c")),
    Effect("L", "message", "", "this game has no hidden limits"),
    Effect("d", "message", "", "the seller has no hidden limits"),
    Effect("m", "latest.parameters.cycles", 50, 100),
    Effect("f", "modal", None, "what-if", (".",)),
    Effect("p", person, None, ("buyer", 0, 0)),
    Effect("p", person, ("buyer", 0, 0), ("seller", 0, 0), ("p",)),
    Effect("p", person, ("seller", 0, 0), None, ("p", "p")),
    Effect("right", "cursor", None, 1, ("p", "n")),
    Effect("left", "cursor", 1, 0, ("p", "n", "right")),
    Effect("a", person, ("buyer", 0, 0), ("buyer", 1, 1), ("p", "n")),
    Effect("x", "asked", None, "reject", ("p", "n")),
    Effect(
        '"', "message", "", "nobody hears words here; start the program with --talk", ("p", "n")
    ),
    Effect("+", "pace.text", "4 offers/s", "8 offers/s"),
    Effect("-", "pace.text", "4 offers/s", "2 offers/s"),
    Effect("-", "pace.text", "1 offer/s", "1 offer/s", ("-", "-")),
    Effect("+", "pace.text", "flat out", "flat out", ("+",) * 6),
    Effect("D", lambda m: (m.pace.text, m.running), ("4 offers/s", False), ("story", True)),
    Effect("s", SEATS, (None, None), ("midpoint", None)),
    Effect("b", SEATS, (None, "midpoint"), (None, None), ("b",)),
    Effect("t", SEATS, ("midpoint", None), STATIC, ("s",)),
    Effect("A", "modal", None, "adjust"),
    Effect("o", "snapshot.opener", Opener.ALTERNATE, Opener.SELLER),
    Effect("o", "snapshot.opener", Opener.BUYER, Opener.ALTERNATE, ("o", "o")),
    Effect("v", "values", None, "raw"),
    Effect("v", "values", "raw", "normalized", ("v",)),
    Effect("v", "values", "relative", None, ("v", "v", "v")),
    Effect("v", first_cell, (1, 0), None, ("down",)),
    Effect("u", "other_opener", None, Role.BUYER, ("v",)),
    Effect("H", "message", "", "no sentence of the story yet"),
    Effect("N", "message", "", "no opening to skip: H lists the sentences so far"),
    Effect("z", "zoomed", False, True),
    Effect("z", "zoomed", True, False, ("z",)),
    Effect("tab", "chosen", SELLER_PLAN, BUYER_PLAN),
    Effect("tab", "chosen", LAST, 1, (str(LAST),)),
    Effect("shift-tab", "chosen", BUYER_PLAN, SELLER_PLAN, ("tab",)),
    Effect("shift-tab", "chosen", 1, LAST, ("1",)),
    *(Effect(key, "chosen", SELLER_PLAN, int(key)) for key in PANE_KEYS[: len(PANES)]),
    Effect("down", first_cell, None, (1, 0)),
    Effect("up", first_cell, (2, 0), (1, 0), ("j", "j")),
    Effect("up", first_cell, None, (0, 0)),
    Effect("pgdn", first_cell, None, (10, 0)),
    Effect("pgup", first_cell, (11, 0), (1, 0), ("down", "pgdn")),
    Effect("end", first_cell, None, (20, 0), ("z",)),
    Effect("home", first_cell, (20, 0), (0, 0), ("z", "end")),
    Effect("end", first_cell, None, (380, 0), ("v", "z")),
    Effect("right", first_cell, None, (0, 1)),
    Effect("left", first_cell, (0, 2), (0, 1), ("l", "l")),
    Effect("pgup", "modal_row", 7, 0, ("?", *("down",) * 7)),
    Effect("end", lambda m: m.modal_row > len(KEYS.rows), False, True, ("?",)),
    Effect("home", "modal_row", 7, 0, ("?", *("down",) * 7)),
    Effect("end", "modal_row", 0, len(LEARNERS) + len(STRATEGIES), ("S",)),
    Effect("r", PLAYED, 100, 0, ("c",)),
    Effect("ctrl-l", "repaints", 0, 1),
    Effect("esc", "modal", "test", None, ("e",)),
    Effect("esc", first_cell, (1, 0), None, ("down",)),
    Effect("esc", lambda m: (m.modal, m.zoomed), ("help", True), (None, True), ("z", "?")),
    Effect("i", "advice", False, True),
    Effect("P", "hides", True, False, ("p",)),
    Effect("S", "modal", None, "seller"),
    Effect("B", lambda m: (m.modal, m.modal_row), (None, 0), ("buyer", 1 + len(LEARNERS)), ("b",)),
    Effect("down", "modal_row", 0, 1, ("S",)),
    Effect("up", "modal_row", 0, 0, ("S",)),
    Effect("enter", lambda m: m.parent is not None, False, True, (".", "f")),
    Effect("enter", lambda m: m.strategies[1], None, "zeuthen", ("B", *"zeu")),
    Effect("enter", "modal", "seller", None, ("S",)),
    Effect("enter", "modal", None, "why", ("c", ".")),
)
ELSEWHERE = {"w"}  # commands whose test is further down: `save` writes files


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda e: " ".join((*e.before, e.key)))
def test_a_key_does_what_it_says(effect: Effect) -> None:
    game = "fine" if effect.look is first_cell else "original"  # many rows take more time
    screen = Screen(game, width=80, height=24).press(*effect.before)
    assert effect.value(screen.model) == effect.was
    screen.press(effect.key)
    assert effect.value(screen.model) == effect.becomes


def test_every_key_has_a_test() -> None:
    tested = {effect.key for effect in EFFECTS} | ELSEWHERE
    assert {KEYS.commands[key] for key in tested} == {key.command for key in KEYS}


SEVERAL = [k for k in KEYS if k.command != "pane" and len({*k.keys, *k.also}) > 1]


@pytest.mark.parametrize("key", SEVERAL, ids=lambda k: k.command)
def test_all_keys_for_one_thing_do_the_same(key: Key) -> None:
    frames = set()
    for name in (*key.keys, *key.also):
        screen = Screen(width=80, height=24).press("n", "j", "j", "l", "l", name)
        frames.add(screen.text())
    assert len(frames) == 1


@pytest.mark.parametrize("key", ["y", "Q", "é", "KEY_F(5)", "$", "0"])
def test_an_unknown_key_only_says_so(key: str) -> None:
    screen = Screen().press("n")
    before = screen.settle().model
    screen.press(key)
    assert screen.line("no such key").split()[:4] == ["no", "such", "key:", key]
    after = screen.press("?", "?").settle().model
    assert (after.snapshot, after.playback and after.playback.visible) == (
        before.snapshot,
        before.playback and before.playback.visible,
    )


@pytest.mark.parametrize("pane", PANES)
@pytest.mark.parametrize("zoom", [(), ("z",)])
def test_no_key_is_silent(pane: int, zoom: tuple[str, ...]) -> None:
    screen = Screen(width=80, height=24).press("c", "n", str(pane), *zoom).settle()
    before = picture(screen.frame())
    skipped = {"pane", "tour", "repaint", "quit", *(MOVES if pane in TABLES else ())}
    for key in KEYS:
        after = update(screen.model, KeyPressed(key.keys[0], screen.now))
        told = after.commands or after.message != screen.model.message
        silent = not told and picture(render(after)) == before
        assert key.command in skipped or not silent, key.command


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("6v", "no Q-table is on the screen: choose pane 4 or 5"),
        ("1zu", "no Q-table is on the screen: choose pane 4 or 5"),
        ("pv", "the plans are hidden while you play: P shows both"),
        ("pu", "the plans are hidden while you play: P shows both"),
    ],
)
def test_a_key_of_tables_says_that_there_is_none(keys: str, says: str) -> None:
    screen = Screen(width=80, height=24).press("n", *keys)
    assert says in screen.text()
    assert (screen.model.values, screen.model.other_opener) == (None, None)


@pytest.mark.parametrize("pane", PANES)
def test_a_zoomed_pane_has_the_whole_screen(pane: int) -> None:
    assert set(headings(Screen().press("n", str(pane), "z").text())) == {pane}


@pytest.mark.parametrize("key", PANE_KEYS[LAST:])
def test_a_pane_that_does_not_exist_says_so(key: str) -> None:
    assert Screen().press(key).line(f"no pane {key}").strip().endswith(f"expected 1 to {LAST}")


def test_the_footer_shows_keys_that_exist() -> None:
    line = Screen("hidden", width=240).line("q quit")
    for names, words in filter(None, map(KEYS.footer, KEYS)):
        for name in names if names == "+-" else [names]:
            assert name.lower() in KEYS.commands
        assert words.replace(":", "") in line.replace("space run", "space pause")


def test_save_writes_a_new_file_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    screen = Screen().press("c")
    for _ in range(3):
        seen = screen.press("ctrl-l").text()
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
        for role, agent in enumerate(screen.model.snapshot.agents):
            assert np.array_equal(loaded[role], values_of(agent))


OTHER_KEYS = (
    'quit Q, run f5 enter, take space, help h, left a left, accept +, faster >, pane ! ", sit {,'
    " close esc backspace, zoom Z"
)
REBOUND = KEYS.rebound(
    {command: (*keys,) for command, *keys in map(str.split, OTHER_KEYS.split(","))}
)


def rebound(*keys: str) -> Screen:
    screen = Screen(width=120, height=24)
    screen.model = replace(screen.model, keys=REBOUND)
    return screen.press(*keys)


def test_rebound_keys_are_named_wherever_keys_are() -> None:
    screen = rebound()
    assert screen.line(" Q quit").startswith(" Q quit  h help  F5 run")
    assert screen.line("press F5 to begin")
    assert ">- pace" in screen.line(" Q quit")
    table = rebound("{").tick(3)
    table.model = replace(table.model, message="")
    assert table.line(" Q exit")
    assert "space offer" in table.line(" Q exit")
    assert "a→ price" in table.line(" Q exit")
    assert table.line("type a price or a→, space offers")
    assert "your turn: type a price or a→, space offers" in table.resize(200, 60).text()
    assert rebound("+").line("+ works only while you play: { lets you play")
    assert rebound("!", "space").line("nothing to choose: S, B and f open a list, { lets you play")
    assert rebound("h", *"or pause").line("▸F5 Enter ")
    assert rebound("h", *"type a price").line('▸! "')
    assert "Q quits" in rebound().resize(30, 5).text()


def test_a_key_means_the_same_on_all_screens() -> None:
    meanings: dict[str, set[str]] = {}
    for row in chain(*key_tables().values()):
        for key in (*row.keys, *row.also):
            meanings.setdefault(key, set()).add(row.command)
    assert {key: commands for key, commands in meanings.items() if len(commands) > 1} == {}
