"""Each frame gives one answer to each question, in the story and after keys."""

import re
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest

from negotiation_tui import Role, States
from negotiation_tui.runtime.text import money
from negotiation_tui.tui.negotiation.keys import PRICE
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.panes.price_bar import bar_of
from negotiation_tui.tui.negotiation.render import render
from negotiation_tui.tui.widgets.words import short
from tests.support.game import values_of
from tests.support.price_bar import cells
from tests.support.screen_driver import Screen

SEEDS, SIZES = range(5), ((80, 24), (120, 36), (200, 60))
KEYS = "t", "n", "t", "s", ".", ".", ",", *"g30", "enter", "end", "b", "n"
STEP = 1.5  # seconds between two frames
LEARNING: dict[str, Any] = {"states": States.OPENER_AWARE, "recipe": "reverse-curriculum"}
STORY = {**LEARNING, "pace": "story"}


class Frame:
    """A frame, and the model that it was drawn from."""

    def __init__(self, model: Model) -> None:
        self.model, self.canvas = model, render(model)
        self.text = self.canvas.text()

    @property
    def caption(self) -> str:
        """The sentences below the price bar, in one line; empty without any."""
        found = re.search(r"^ ▸ (.*(?:\n   \S.*)*)", self.text, re.MULTILINE)
        return " ".join(found[1].split()) if found else ""


@lru_cache(maxsize=1)  # its frames at all sizes come one after the other
def models(seed: int, seconds: int = 150) -> tuple[Model, ...]:
    """Return a model per step of the story, then one after each key."""
    screen = Screen(seed=seed, width=80, height=24, paused=False, **STORY)
    told = [screen.doze(STEP, 0.1).model for _ in range(int(seconds / STEP))]
    return *told, *(screen.press(key).doze(0.4, 0.1).model for key in KEYS)


SAMPLES = [(seed, size) for seed in SEEDS for size in SIZES]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(each, marks=[pytest.mark.slow] * (n > 0)) for n, each in enumerate(SAMPLES)
    ],
    ids=[f"{seed}-{width}" for seed, (width, _) in SAMPLES],
)
def frames(request: pytest.FixtureRequest) -> list[Frame]:
    seed, (width, height) = request.param
    return [Frame(replace(each, width=width, height=height)) for each in models(seed)]


def test_a_frame_names_one_cycle(frames: list[Frame]) -> None:
    for frame in frames:
        named = re.findall(
            r"[Cc]ycle (\d+)|\b(\d+)(?: of |/)120\b", re.sub("cycle 1  [^│]*", "", frame.text)
        )
        numbers = {int(one or other) for one, other in named}
        assert len(numbers) == 1, frame.text


def test_at_a_deal_each_bright_length_is_what_that_seat_gets(frames: list[Frame]) -> None:
    deals = 0
    for frame in frames:
        playback, area = frame.model.playback, frame.model.area_of(PRICE)
        if not playback or not area or not playback.over or playback.shown.outcome.price is None:
            continue
        deals += 1
        game = playback.shown.scenario
        bar = frame.canvas.subcanvas(area)
        parts = [cells(bar, role) for role in Role]
        for part, gain in zip(parts, playback.shown.gains, strict=True):
            assert abs(part - gain / game.width * sum(parts)) <= 1, frame.text
    assert deals > 5


def test_names_are_of_those_who_played_the_game_shown(frames: list[Frame]) -> None:
    rules = {"midpoint", "linear", "boulware"}
    for frame in frames:
        playback, head = frame.model.playback, frame.text.splitlines()[0]
        if playback is None:
            continue
        played = {short(spec) for spec in playback.negotiation.specs} & rules
        said = {name for name in rules if re.search(rf"\b{name}\b", head)}
        assert said == played, frame.text
        assert (" against " in frame.text.splitlines()[1]) <= bool(played), frame.text


def test_both_wallets_are_in_each_frame(frames: list[Frame]) -> None:
    amount = r"(−?\d\.\d|·)"
    table = rf"rules +(learned|mixed).*\n.* opener +{amount} +{amount}"
    for frame in frames:
        wide = frame.model.width >= 100
        assert bool(re.search(table, frame.text)) is wide, frame.text


def test_a_value_with_its_action_is_in_each_frame(frames: list[Frame]) -> None:
    for frame in frames:
        value = r"(ask \d|offer \d|accept|walk away) [−\d]*\.\d|if accepted \d|nothing learned yet"
        low = frame.model.height < 28
        assert low or re.search(value, frame.text), frame.text


def test_a_sentence_belongs_to_its_game(frames: list[Frame]) -> None:
    for frame in frames:
        story, playback = frame.model.snapshot.story, frame.model.playback
        if not frame.caption or playback is None:
            continue
        told = story.caption is not None and story.key == playback.negotiation.key
        cycle = any(fact.cycle == frame.model.here.cycle for fact in frame.model.latest.story.found)
        assert told or cycle, frame.text


SUBJECT = (
    "it|they|nobody|both|neither|each|whoever|seller|buyer|other side|item|rules|practice|move"
    "|plan|plans|sum|theory|game"
)


def told(frame: Frame) -> str:
    return frame.caption.partition("Next:")[0].strip()


def test_each_sentence_has_a_subject(frames: list[Frame]) -> None:
    for frame in frames:
        for sentence in re.split(r"(?<=\.) ", told(frame)) if told(frame) else ():
            begins = " ".join(sentence.split()[:6])
            assert sentence[0].isupper(), frame.text
            assert sentence[-1] == ".", frame.text
            assert re.search(rf"\b({SUBJECT})\b", begins, re.IGNORECASE), frame.text


def test_two_minutes_have_at_most_16_captions(frames: list[Frame]) -> None:
    captions = [frame.caption for frame in frames[: int(120 / STEP)]]
    changes = [new for old, new in pairwise(["", *captions]) if new and new != old]
    assert 12 <= len(changes) <= 16, changes
    assert len({*changes}) == len(changes), "each stays until the next"


def offers_on_the_bar(frame: Frame) -> int:
    bar = bar_of(frame.model, None)
    return sum(len(bar.offers(role)) for role in Role)


def test_a_story_begins_with_the_haggling_of_two_fixed_rules(frames: list[Frame]) -> None:
    for frame in frames[: int(4.5 / STEP)]:
        assert frame.text.count("midpoint") >= 2
        assert "guess" not in frame.text
    assert max(map(offers_on_the_bar, frames[: int(24 / STEP)])) >= 5


def test_in_the_first_minute_the_bar_seldom_lacks_two_offers(frames: list[Frame]) -> None:
    minute = frames[: int(60 / STEP)]
    assert sum(offers_on_the_bar(frame) < 2 for frame in minute) <= len(minute) / 4


def test_in_the_first_minute_both_learn_what_a_move_is_worth(frames: list[Frame]) -> None:
    agents = frames[int(52 / STEP)].model.pane_snapshot.agents
    assert all(values_of(agent).max() > 0 for agent in agents)


def test_a_step_goes_to_the_next_game_of_the_story_with_its_sentence() -> None:
    screen, captions = Screen(width=80, height=24, **STORY), list[str]()
    for _ in range(7):
        frame = Frame(screen.press("n").model)
        playback, told = frame.model.playback, frame.model.latest.story
        assert playback is not None
        assert told.key == playback.negotiation.key, frame.text
        captions.append(frame.caption)
    assert len({*captions}) == len(captions)
    assert captions[-1].startswith("Whoever opens will win")


def test_what_would_be_has_no_sentence_of_what_was() -> None:
    screen = Screen(**STORY).press("n", "n", "n", "n", ",", "f", "enter")
    assert "what if" in screen.tick(20).text()
    assert not Frame(screen.model).caption


def test_where_one_table_has_room_it_is_of_who_acts_or_of_the_pane_chosen() -> None:
    screen = Screen(width=60, height=20).press("c", *"....")
    assert f" {str(screen.model.shown.turns[-1].role).capitalize()}'s Q-table" in screen.text()
    assert " Seller's Q-table" in screen.press("4").text()
    assert " Buyer's Q-table" in screen.press("tab").text()


def test_a_key_lets_the_new_players_play_at_once() -> None:
    screen = Screen(**LEARNING).press(*"ccc", "n")
    opener = screen.model.shown.opener
    screen.press("t")
    shown = screen.model.playback
    assert shown.negotiation.specs == ("midpoint", "midpoint")
    assert (shown.over, shown.shown.opener) == (True, opener)  # as the one before
    assert "SHOW · midpoint against midpoint" in screen.text()
    screen.press("t")
    assert screen.model.playback.negotiation.specs == ("learned", "learned")


def test_the_wallets_of_two_tables_are_exact() -> None:
    screen = Screen(**LEARNING).press("c", "t")
    coins = screen.model.latest.theory.coins
    assert coins is not None
    assert [money(coins.mean(role, tuple(Role))) for role in Role] == ["2.5", "2.5"]
    assert [money(coins.gains[role][role]) for role in Role] == ["3", "3"]
    assert re.search(r"seller +2\.5", screen.text())


def test_the_box_of_a_test_begins_with_coins_before_the_columns() -> None:
    screen = Screen(**LEARNING).press("t", "e")
    screen.settle()
    assert "coins per game: seller" in screen.text()
    assert "the opener gets 3, the other side 2 (computed exactly)" in screen.text()
    assert "published" not in screen.text()
    assert "published" in screen.press("v").text()


@pytest.mark.parametrize(
    ("key", "seats"),
    [("t", ("learned", "learned")), ("s", ("learned", "midpoint")), ("b", ("midpoint", "learned"))],
)
def test_a_seat_is_toggled_as_the_header_names_it(key: str, seats: tuple[str, str]) -> None:
    screen = Screen(**STORY)
    assert screen.press(".").line("midpoint against midpoint")
    assert screen.press(key).model.playback.negotiation.specs == seats


def test_rules_without_a_table_have_the_coins_of_the_games_watched() -> None:
    screen = Screen(strategies=("hardliner", "tit-for-tat"), width=120, height=36)
    assert re.search(r"opener +· +·", screen.text())
    assert re.search(r"seller +5\.0 +·", screen.press("n").text())


def test_a_restart_forgets_the_wallet_of_what_was_learned() -> None:
    screen = Screen(width=120, height=36).press(*"ccc")
    assert re.search(r"seller +\d\.\d +\d\.\d", screen.text())
    assert re.search(r"seller +\d\.\d +·", screen.press("r").text())


def test_limits_show_as_the_story_tells_them() -> None:
    screen = Screen("hidden", pace="story").press(".")
    assert "The seller asks 5 and would" in screen.text()
    assert "seller 5" in screen.text()


def test_a_person_keeps_the_game_that_it_plays() -> None:
    screen = Screen(width=120, height=36).press("c", "p", "4", "enter")
    role = screen.model.latest.score.role
    turns = screen.model.shown.turns
    for key in ("t", "sb"[role]):
        assert "you are playing" in screen.press(key).text()
        assert screen.model.shown.turns == turns


def test_fixed_rules_say_that_nobody_learns() -> None:
    assert "nobody learns: t lets both learn" in Screen().press("t", "c").text()
