"""Judge frames of a screen by what their parts tell: a frame shows one moment, by one world.

A part of a frame tells its values on the topic `field` of `Canvas.tell`. A judge compares them with
each other, with what is said of the frame, and with the game on the bar.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from negotiation_tui import BadInputError, Role
from negotiation_tui.game.negotiation import NO_STATE
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.sessions.human_player import PERSON
from negotiation_tui.strategies.registry import STRATEGIES, strategy
from negotiation_tui.tui.toolkit.messages import Tick
from negotiation_tui.tui.widgets.words import short
from tests.support.screen_loop import ScreenLoop

Verdict = tuple[str, str]  # a kind that a frame was judged by, and what is wrong; empty if nothing
LEARNED = "learned"
STILL = 3.0  # seconds for which a running screen may stand still after a step was due
AT_ONCE = 0.2  # seconds within which a key is answered
ANSWERED = {"Watch", "Step", "Seats", "Play", "Time"}  # the groups of keys that have an answer
KINDS = {
    "answered": "a key has no effect on the next frame, and no message says why",
    "awaited": "something is awaited, and the frame does not say what",
    "begin": "no game is on the bar of a training that has begun",
    "cycle": "the title and the time line have different cycles, or one the past, the other now",
    "games": "the ribbon has games newer than the moment",
    "movers": "a move is not one of the player that the title names",
    "openers": "the title names another opener than the one that opens",
    "person": "a person plays, and the title or the bar has somebody else, or it cannot move",
    "plans": "the heading of a plan names another player than the title",
    "players": "the title names other players than the game on the bar has",
    "seats": "the title of the present names other players than sit",
    "sentence": "the sentence is of other players or a later cycle",
    "speech": "what is said has another cycle, other players or another time than the fields",
    "still": "it runs, and stands still for longer than 3 s",
    "tables": "tables, curves or wallets are newer or older than the game on the bar",
    "wallets": "learned players have coins before anything was learned",
    "what if": "a what-if has other players or another beginning than the game that it leaves",
}
OF_MARKET = {
    "answered": KINDS["answered"],
    "market": "two panes show different ticks",
    "speech": KINDS["speech"],
    "still": KINDS["still"],
}


class Frame:
    """A frame of a screen, and what its parts tell."""

    def __init__(self, screen: ScreenLoop) -> None:
        self.screen, self.model, self.now = screen, screen.model, screen.now
        self.canvas = screen.frame()
        self.fields: dict[str, tuple[Any, ...]] = {}
        self.said: dict[str, list[str]] = {}
        for topic, texts in self.canvas.texts:
            if topic == "field":
                self.fields[str(texts[0])] = texts[1:]
            else:
                self.said.setdefault(topic, []).extend(t for t in texts if isinstance(t, str))

    @property
    def label(self) -> str:
        return str(self.fields["title"][0])

    @property
    def cycle(self) -> int:
        return int(self.fields["title"][1])

    @property
    def players(self) -> tuple[str, ...]:
        return self.fields["title"][2:4]


class Judge:
    """Counts the frames judged by each kind, and notes what is wrong with them."""

    def __init__(self) -> None:
        self.judged = Counter[str]()
        self.found: dict[str, list[str]] = {}
        self._looks: object = None
        self._since = 0.0
        self._empty = 0.0  # the last time at which the bar had a game, or waited for one
        self._game: Any = None  # on the bar
        self._left: Any = None  # on the bar before that one

    def frame(self, screen: ScreenLoop, typed: Sequence[str], own: Sequence[Verdict] = ()) -> None:
        frame = Frame(screen)
        verdicts = of_market if "title" not in frame.fields else of_two
        every = *own, *verdicts(frame), *self._still(frame), *self._what_if(frame)
        every = *every, *self._begins(frame)
        self.judged.update({kind for kind, _ in every})
        bad = {kind: wrong for kind, wrong in every if wrong}
        for kind, wrong in bad.items():
            text = f"{kind}: {wrong} after {' '.join(typed[-14:])}\n{frame.canvas.text()}"
            self.found.setdefault(kind, []).append(text)

    def begin(self, screen: ScreenLoop) -> None:
        """Begin with another screen."""
        self._looks, self._since, self._empty = None, screen.now, screen.now
        self._game = self._left = None

    def press(self, screen: ScreenLoop, key: str, typed: Sequence[str]) -> None:
        """Press a key and judge the next frame, also against one without the key.

        A box on top takes keys for itself: `end` in a text that is typed may change nothing.
        """
        before = replace(screen.model, message="", message_until=None)
        screen.press(key)
        if screen.model.quit:
            return
        screen.tick(AT_ONCE, AT_ONCE / 2)
        groups, after = {row.group for row in before.keys if key in row.keys}, screen.model
        verdicts = list[Verdict]()
        if groups & ANSWERED and not (before.zoomed or before.modal):
            answers = bool(after.message) or self._differs(screen, before)
            verdicts.append(("answered", f"{key} changes nothing" * (not answers)))
        self.frame(screen, typed, verdicts)

    def _differs(self, screen: ScreenLoop, before: Any) -> bool:
        """True if the screen differs from the one before and, if it moves, from one without key."""
        text, without = screen.text(), before
        if screen.render(before).text() == text:
            return False
        for n in (1, 0):
            without = screen.update(without, Tick(screen.now - n * AT_ONCE / 2))
        return not before.running or bool(screen.render(without).text() != text)

    def hold(self, screen: ScreenLoop, key: str, drops: bool, typed: Sequence[str]) -> None:
        """Press a key whose commands wait; then let the session answer, or drop the wish."""
        screen.prompt = False
        asked = screen.press(key).model.commands  # by the key, not by the time that passes
        model, verdicts = screen.tick(AT_ONCE, AT_ONCE / 4).model, list[Verdict]()
        works = [each for each in asked if not isinstance(each, Halt | PlayOn)]
        if works and not model.modal:
            fields = Frame(screen).fields
            shown = any(fields.get("awaited", ("-",)))
            verdicts.append(("awaited", "" if shown else f"{key} waits: {works}"))
            on_top = model.zoomed or getattr(model, "human_playing", True)
            if drops and model.wish and key != "p" and not on_top:
                screen.press("esc")
                typed = (*typed, "esc")
                verdicts.append(("awaited", "Esc does not drop the wish" * bool(screen.model.wish)))
        self.frame(screen, typed, verdicts)
        screen.prompt = True
        screen.answer()

    @property
    def summary(self) -> str:
        """What was found: the first two frames of each kind."""
        return "\n\n".join(
            f"{len(texts)} of {self.judged[kind]:,} frames: {text}"
            for kind, texts in self.found.items()
            for text in texts[:2]
        )

    def _what_if(self, frame: Frame) -> Iterator[Verdict]:
        """Judge a what-if against the game that it leaves."""
        shown = getattr(frame.model, "playback", None) and frame.model.playback.negotiation
        if shown is not self._game:
            self._left, self._game = self._game, shown
        if shown is None or shown.what_if is None or self._left is None:
            return
        turns = [each.transcript.turns[: shown.what_if] for each in (self._left, shown)]
        wrong = "another beginning" * (turns[0] != turns[1])
        wrong = wrong or f"{shown.specs} / {self._left.specs}" * (shown.specs != self._left.specs)
        yield "what if", wrong or "not in the title" * (frame.label != "what if")

    def _begins(self, frame: Frame) -> Iterator[Verdict]:
        """Judge a bar without a game: a training that has begun has one, at the next frame."""
        model, empty = frame.model, "price" not in frame.fields
        if "title" not in frame.fields or model.area_of(1) is None:
            return
        waits = not empty or frame.label != "now" or not model.latest.negotiations
        if waits or any(frame.fields["awaited"]):
            self._empty = frame.now
        yield "begin", "no game" * (frame.now - self._empty > AT_ONCE)

    def _still(self, frame: Frame) -> Iterator[Verdict]:
        """Judge a screen that runs: a step that is due is shown, once its sentence was read.

        A session that runs on its own publishes by the real clock, five times per second; here
        more time passes between two steps of it. Until it publishes, no step is due.
        """
        model = frame.model
        looks = frame.fields, {**frame.said, "message": ()}
        works = not model.pace.seen and frame.screen.session.running and not model.unseen
        if looks != self._looks or not model.running or works:
            self._looks, self._since = looks, frame.now
        if not model.running or getattr(model, "human_playing", False):
            return
        playback = getattr(model, "playback", model)
        due = max(self._since, playback.due if playback else 0.0)
        stood = frame.now - due
        yield "still", f"{stood:.1f} s" if stood > STILL else ""


def of_two(frame: Frame) -> Iterator[Verdict]:
    """Judge a frame of the screen of two agents."""
    yield from _title(frame)
    yield from _speech(frame)
    model = frame.model
    if "price" not in frame.fields:
        return
    yield from _players(frame)
    yield from _tables(frame)
    yield from _sentence(frame)
    yield from _movers(frame)
    if model.latest.score is not None:
        yield from _person(frame)


def _title(frame: Frame) -> Iterator[Verdict]:
    """Judge the title against the time line, the seats and the headings of the plans."""
    model, label, fields = frame.model, frame.label, frame.fields
    if "time line" in fields and label != "what if":
        other = fields["time line"]
        here = model.here  # a line of games alone counts games
        same = (label, str(here.course.now if here.only_games else frame.cycle)) == other
        yield "cycle", "" if same else f"{fields['title']} / {other}"
    latest = frame.screen.session.snapshot
    if label == "now" and model.wish is None and "price" in fields and latest.score is None:
        same = all(map(is_called, frame.players, map(short, latest.seating.specs)))
        on_bar = model.playback.negotiation.person is None  # the training waits
        if on_bar:
            yield "seats", "" if same else f"{frame.players} / {latest.seating.specs}"
    for role in Role:
        if str(role) in fields:
            title, heading = frame.players[role], fields[str(role)][0]
            same = title in {"you", PERSON} or is_called(title, heading)
            yield "plans", "" if same else f"{title} / {heading}"


def is_called(title: str, player: str) -> bool:
    """True if the title may call a player so."""
    if not title.startswith(("learned", "learning")):
        return title == player or (title == "you" and player == PERSON)
    name = re.search(r"\((.*)\)", title)
    return player.partition(":")[0] == (name[1] if name else LEARNED)


def _players(frame: Frame) -> Iterator[Verdict]:
    players, opener = frame.fields["price"][:2], frame.fields["price"][2]
    same = all(map(is_called, frame.players, players))
    yield "players", "" if same else f"{frame.players} / {players}"
    rule = frame.fields["title"][4]
    if rule != "alternate" and not frame.model.here.score:
        yield "openers", "" if rule == opener else f"{rule} opens / {opener}"


def _tables(frame: Frame) -> Iterator[Verdict]:
    """Judge what was learned: it is of the game on the bar, or, until that is over, before it."""
    fields, (episode, extra) = frame.fields, map(int, frame.fields["price"][3:])
    over = (frame.model.parent or frame.model).over
    least = episode if extra or over else max(0, episode - 1)
    known = {name: fields[name][-1] for name in (*map(str, Role), "curves") if name in fields}
    known |= {"wallets": fields["wallets"][0]} if "wallets" in fields else {}
    if frame.model.before is None:  # it is not known
        least = 0
    wrong = {name: n for name, n in known.items() if not least <= int(n) <= episode}
    if "state" in fields and int(fields["state"][0]) != episode:
        wrong["state"] = fields["state"][0]
    if known or "state" in fields:
        yield "tables", f"game {episode}, {extra}: {wrong}" if wrong else ""
    if games := [*map(int, fields.get("games", ()))]:
        yield "games", f"game {episode}, {extra}: {games}" if games > [episode, extra] else ""
    if "wallets" in fields:
        early = LEARNED in fields["wallets"] and not frame.cycle
        yield "wallets", "cycle 0" * early
    per = frame.model.here.parameters.episodes
    yield "cycle", "" if frame.cycle == -(-episode // per) else f"{frame.cycle} / {episode}"


def _sentence(frame: Frame) -> Iterator[Verdict]:
    if "caption" not in frame.fields:
        return
    _, text, rules = frame.fields["caption"]
    here, cycle = frame.model.here, int(text)
    fixed = not any(name.startswith("learn") for name in frame.players)
    wrong = [f"of cycle {cycle} in {frame.cycle}"] if cycle > frame.cycle else []
    wrong += [f"rules: {frame.players}"] if rules and not fixed else []
    first, last = cycle * here.parameters.episodes, here.negotiations
    changes = [
        each for each in here.course.changes if first < each[0] < last and "open" not in each[1]
    ]
    wrong += [f"of cycle {cycle}, before {changes}"] if changes else []
    yield "sentence", ", ".join(wrong)


def _movers(frame: Frame) -> Iterator[Verdict]:
    """Judge each move on the bar by the player that the title names, if that can be asked."""
    model = frame.model
    played = model.playback.negotiation
    begins, transcript, left = played.transcript.first_ply, played.transcript, played.what_if or 0
    for n, turn in enumerate(transcript.turns):
        position, name = transcript.first(n).position, frame.players[turn.role]
        drawn = turn.state == NO_STATE or turn.explored or (n == 0 and begins)
        if drawn or n == played.what_if or played.person is turn.role or position is None:
            continue
        if name.partition(":")[0] in STRATEGIES:
            rule = _rule(name)
            if rule is not None:
                legal = rule.in_seat(position.scenario, turn.role).support(position)
                yield "movers", "" if turn.action in legal else f"{name}: {turn}"
        elif name.startswith("learn") and (n > left if played.what_if is not None else played.test):
            yield "movers", _wrong_move(frame, turn, position, name)


def _wrong_move(frame: Frame, turn: Any, position: Any, name: str) -> str:
    """Return a move that is none of the learned plan shown; empty if it is one of them."""
    learned = frame.model.pane_snapshot.agents[turn.role]
    if learned.nothing:
        return f"{name} has no table: {turn}"
    policy = learned.policy_in(frame.model.here.scenario, turn.role)
    assert isinstance(policy, TabularPolicy)
    return "" if policy.probabilities[policy.row(position), turn.action] else f"{name}: {turn}"


def _rule(name: str) -> Any:
    try:
        rule = strategy(name)
    except BadInputError:  # it is shortened
        return None
    return None if rule.needs_opponent else rule


def _person(frame: Frame) -> Iterator[Verdict]:
    model = frame.model
    score, position = model.latest.score, model.position
    if frame.label != "now" or model.wish:
        return
    yield "person", "" if frame.players[score.role] == "you" else f"{frame.players}"
    on_bar = frame.fields["price"][score.role] == PERSON
    yield "person", "" if on_bar else f"on the bar: {frame.fields['price']}"
    waits = position is None or position.role is not score.role or model.playback.rewound
    asked = waits or model.playback.ended
    due = frame.now > model.playback.due + STILL
    yield "person", "no turn is asked for" * (not asked and due)


def _speech(frame: Frame) -> Iterator[Verdict]:
    """Judge what is said by the values of the fields."""
    label, said = frame.label, frame.said
    wrong = []
    title = said.get("title", [])
    for role in Role:
        heard = next((each for each in title if each.startswith(f"{role}: ")), None)
        name = f"{role}: {frame.players[role]}"
        wrong += [f"{heard} / {name}"] if heard is None or not heard.startswith(name) else []
    state = " ".join(title)
    heard = "past" if " past: " in state else "what if" if "what if" in state else "now"
    wrong += [f"{state} / {label}"] if heard != label else []
    cycles = re.search(r"cycle (\d+)", state.replace(",", ""))
    if label != "what if" and cycles and int(cycles[1]) != frame.cycle and "…" not in state:
        wrong.append(f"{state} / cycle {frame.cycle}")
    for text in said.get("event", []):
        if opens := re.search(r"the (SELLER|BUYER) opens", text):
            wrong += [text] if opens[1].lower() != frame.fields["price"][2] else []
    for text in said.get("message", []):
        if re.search(r"^(the past,|this is the past)", text):
            wrong += [text] if label == "now" and frame.model.wish is None else []
        elif "back in the present" in text:
            wrong += [text] if label != "now" else []
    yield "speech", "; ".join(wrong)


def of_market(frame: Frame) -> Iterator[Verdict]:
    """Judge a frame of a market: a sample may be older, accounts one tick as well."""
    model, fields = frame.model, frame.fields
    ticks = {name: int(values[0]) for name, values in fields.items()}
    accounts = {name: ticks[name] for name in ("leaderboard", "prices", "caption") if name in ticks}
    bar = {name: ticks[name] for name in ("room", "price", *map(str, Role)) if name in ticks}
    now = model.snapshot.tick
    least = 0 if model.free_running else now
    wrong = {name: tick for name, tick in bar.items() if not least <= tick <= now}
    if len({*bar.values()}) > 1 or len({*accounts.values()}) > 1:
        wrong |= bar | accounts
    wrong |= {name: tick for name, tick in accounts.items() if not now - 1 <= tick <= now}
    yield "market", f"tick {now}: {wrong}" if wrong else ""
    state = " ".join(frame.said.get("title", []))
    said = [f"{state} / {model.live}"] * ((" back" in state) is model.live)
    for text in frame.said.get("event", []):
        if (tick := re.search(r"tick ([\d,]+)", text)) and "price" in ticks:
            said += [text] if int(tick[1].replace(",", "")) != ticks["price"] else []
    yield "speech", "; ".join(said)
