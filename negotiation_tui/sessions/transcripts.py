"""Transcripts: a run and its games as JSON lines, from which the run is played again.

The heading holds the run; a restart writes another one. Every other line holds a change of the run
or a game, each with its check sum. docs/transcripts.md has the format.
"""

import json
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, Any, TypeVar

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position, Spoken, Transcript, check_legal, play_out
from negotiation_tui.game.roles import Opener, Role, pair
from negotiation_tui.game.scenario import CLOSING, Scenario
from negotiation_tui.learning.hyperparameters import Parameters
from negotiation_tui.learning.spec import LEARNED
from negotiation_tui.players.change import TimedChange
from negotiation_tui.players.program import MOST_WORDS
from negotiation_tui.players.run import Run, change_from_dict, change_to_dict
from negotiation_tui.runtime.files import open_file, reading
from negotiation_tui.runtime.records import dataclass, replace
from negotiation_tui.runtime.text import cleaned, plural
from negotiation_tui.runtime.validate import integer, number, one_of, string
from negotiation_tui.sessions.human_player import PERSON, PersonGame
from negotiation_tui.sessions.snapshot import GameKey, Negotiation, Snapshot
from negotiation_tui.sessions.story.facts import fixed_rule
from negotiation_tui.strategies.registry import spec_of

_FIRST = "negotiation-tui transcripts 1"  # without the run: it cannot be played again
_FORMAT = "negotiation-tui transcripts 2"
V = TypeVar("V")


def lines(run: Run, episodes: int, snapshots: Sequence[Snapshot]) -> Iterator[str]:
    yield heading(run, episodes)
    yield from map(line, filter(has_line, snapshots))


def has_line(snapshot: Snapshot) -> bool:
    """True if the negotiation of a snapshot is finished: an unfinished one is not written."""
    return snapshot.negotiation is not None and snapshot.negotiation.transcript.over


def heading(run: Run, episodes: int = 0) -> str:
    """Return the line of a run with its changes, of which a number of episodes was played."""
    return _with_check_sum({"format": _FORMAT, "run": run.to_dict(), "episodes": episodes})


def change_line(change: TimedChange) -> str:
    return _with_check_sum(change_to_dict(change))


def line(snapshot: Snapshot) -> str:
    """Return the line of a snapshot's negotiation."""
    played, score = snapshot.negotiation, snapshot.score
    assert played is not None
    transcript, game = played.transcript, played.transcript.scenario
    actions = [*game.prices, *CLOSING]
    values: dict[str, Any] = {
        "key": played.key,
        "learners": [*map(str, played.learners)],
        "epsilon": played.epsilon,
        **{str(role): played.specs[role] for role in Role},
        "openers": str(snapshot.opener),
        "opener": str(transcript.opener),
    }
    if game.lottery is not None:
        hidden = zip(Role, game.lottery.limits, strict=True)
        values["limits"] = [game.limit(role) if limits else None for role, limits in hidden]
    values |= {
        "turns": [actions[turn.action] for turn in transcript.turns],
        "explored": [int(turn.explored) for turn in transcript.turns],
        **_words(transcript),
        "begun": transcript.first_ply,
        "deal": transcript.outcome.price,
    }
    if score and score.last and played.person is score.role:
        values["person"] = score.last._asdict()
    return _with_check_sum(values)


def _with_check_sum(values: dict[str, Any]) -> str:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    # The name of a strategy's file may contain bytes that are not text.
    text = text.encode(errors="backslashreplace").decode()
    return f'{text[:-1]},"check":"{zlib.crc32(text.encode()):08x}"}}\n'


def _words(transcript: Transcript) -> dict[str, Any]:
    """Return what was said, turn by turn, and where an answer failed; nothing without any."""
    said = [cleaned(turn.said, MOST_WORDS) for turn in transcript.turns]
    failed = [int(turn.failed) for turn in transcript.turns]
    return {name: each for name, each in (("said", said), ("failed", failed)) if any(each)}


MOST_BYTES = 256_000_000
"""The number of bytes that are read, besides the heading; the lines after them count as damaged."""
_PERSON = b',"person":'  # the beginning of a person's game

_LONGEST_HEADING = 1_000_000
_MOST = 1 << 62
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
_natural = partial(integer, "value", low=0, high=_MOST)


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """The line of a game as it is in the file."""

    key: GameKey
    line: int  # its number in the file, from 1
    text: bytes

    def played(self, scenario: Scenario) -> tuple[Negotiation, Opener]:
        """Return the game and the rule for openers. Raises BadInputError if it is against rules."""
        try:
            values = json.loads(self.text)
            return _negotiation(scenario, self.key, values), Opener.of(values["openers"])
        except DAMAGE:
            raise BadInputError(f"line {self.line} is damaged") from None


@dataclass(frozen=True, slots=True)
class Recording:
    """The run and the games since the last start in a file, up to the first damaged line."""

    name: str  # of the file; empty for a run that is played up to a moment
    run: Run  # with its changes; without its players if it cannot be played again
    episodes: int  # number of episodes of the run
    games: tuple[RecordedGame, ...]
    reason: str = ""  # why the run cannot be played again; empty if it can
    notices: tuple[str, ...] = ()  # what is left out, such as what follows a damaged line

    @property
    def last(self) -> int:
        """The last game of `--at`: see `GameKey.number`."""
        return max((self.episodes, *(game.key.number for game in self.games)))


class _Start:
    """The run, the changes and the games in a file since a start of the training."""

    def __init__(self, heading: Mapping[str, Any]) -> None:
        older = one_of("format", heading["format"], [_FORMAT, _FIRST]) == _FIRST
        self.games: list[RecordedGame] = []
        self.reason = "its format is older" if older else ""
        self.episodes, self._changes = 0, list[TimedChange]()
        values = heading if older else heading["run"]
        rules = Scenario.from_dict(values["scenario"]), Parameters.from_dict(values["parameters"])
        self._run = Run(*rules, integer("seed", values["seed"], 0, _MOST))
        if not older:
            self.episodes = _natural(heading["episodes"])
            self._run = self._known(Run.from_dict, values) or self._run

    @property
    def run(self) -> Run:
        return replace(self._run, changes=(*self._run.changes, *self._changes))

    def add(self, line: int, text: bytes, values: Mapping[str, Any]) -> None:
        """Add a change or a game of a line; raise one of DAMAGE for another one."""
        if "change" in values:
            change = self._known(change_from_dict, values, f"line {line}: ")
            self._changes += [] if change is None else [change]
            self.episodes = max(self.episodes, _natural(values["after"]))
            return
        key, before = self._key(values), self.games[-1].key if self.games else GameKey()
        if key < before:
            raise ValueError
        self.games.append(RecordedGame(key, line, text))
        self.episodes = max(self.episodes, key.episode)
        if PERSON in {values[str(role)] for role in Role}:
            self.reason = self.reason or "a person played"

    def _known(
        self, make: Callable[[Mapping[str, Any]], V], values: Any, where: str = ""
    ) -> V | None:
        """Return what is made of values; without a player or a change of them note the reason."""
        try:
            return make(values)
        except BadInputError as error:
            self.reason = self.reason or f"{where}{error}"
            return None

    def _key(self, values: Mapping[str, Any]) -> GameKey:
        if "key" in values:
            return GameKey(*map(_natural, values["key"]))
        episode = _natural(values["negotiations"])
        same = [game.key for game in self.games[-1:] if game.key.episode == episode]
        return GameKey(episode, same[0].extra + 1 if same else int(values["test"] is True))


def read(path: Path) -> Recording:
    """Read a file up to the first damaged line; raise BadInputError if the heading is damaged."""
    start: _Start | None = None
    earlier, damage = 0, ""
    with reading(path, "transcripts", "--record or w"), open_file(path) as file:
        for number, text, fault in _lines(file):
            try:
                values = json.loads(_checked(text))
                if start and ("format" in values or values.get("anew") is True):
                    earlier += len(start.games)
                    start.games, start.episodes = [], 0
                if start is None or "format" in values:
                    start = _Start(values)
                else:
                    start.add(number, text, values)
            except DAMAGE:
                if start is None:
                    raise
                damage = f"line {number} is {fault}"
                break
    assert start is not None
    notices = f"left out: {plural(earlier, 'game')} before the last restart" * (earlier > 0), damage
    found = start.run, start.episodes, tuple(start.games), start.reason
    return Recording(path.name, *found, tuple(filter(None, notices)))


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes, str]]:
    """Yield the number and the text of each line that is not blank, and its fault if it has one."""
    left, text = MOST_BYTES, file.readline(_LONGEST_HEADING)
    for n in count(1):
        if not text:
            return
        beyond = f"beyond the first {MOST_BYTES // 10**6} MB"
        fault = "damaged" if text.endswith(b"\n") else "cut short" if left > 0 else beyond
        if text.strip():
            yield n, text, fault
        text = file.readline(max(1, left))
        left -= len(text)


def person_game(line: bytes) -> PersonGame | None:
    """Return a person's game in a line, None if it has none; raise one of DAMAGE for other lines.

    Nothing else of the line is read: a class may have many thousands.
    """
    text = line.strip() and _checked(line)
    at = text.find(_PERSON)
    if at < 0:
        return None
    values, _ = json.JSONDecoder().raw_decode(text[at + len(_PERSON) :].decode())
    return PersonGame.read(values)


def _checked(line: bytes) -> bytes:
    """Return a line without its check sum; raise ValueError if that is wrong.

    An editor may have put a BOM before it, and taken the last end of a line away.
    """
    text, _, check = line.removeprefix(BOM_UTF8).rstrip(b"\r\n").rpartition(b',"check":"')
    if check != f'{zlib.crc32(text + b"}"):08x}"}}'.encode():
        raise ValueError
    return text + b"}"


def _negotiation(scenario: Scenario, key: GameKey, values: Mapping[str, Any]) -> Negotiation:
    trainee = values.get("trainee")  # of files without `learners`
    older = () if trainee is None else tuple(Role) if values.get("together") else (trainee,)
    specs = pair(string("player", values[str(role)] or LEARNED) for role in Role)
    if values.get("rules"):  # of these files: the seats are those that the training goes on with
        specs = (spec_of(fixed_rule(scenario)),) * 2
    return Negotiation(
        key,
        _transcript(scenario, values),
        tuple(map(Role.of, values.get("learners", older))),
        float(number("epsilon", values["epsilon"], 0, 1)),
        person=next((role for role in Role if specs[role] == PERSON), None),
        specs=specs,
    )


def _transcript(scenario: Scenario, values: Mapping[str, Any]) -> Transcript:
    """Play the negotiation again; raise ValueError if it breaks the rules."""
    explored, n = values["explored"], len(values["turns"])
    if not isinstance(explored, list) or any(flag not in {0, 1} for flag in explored):
        raise ValueError
    begun = _natural(values["begun"], high=2 * scenario.rounds - 1)
    said, failed = values.get("said", [""] * n), values.get("failed", [0] * n)
    if not isinstance(said, list) or any(text != cleaned(text, MOST_WORDS) for text in said):
        raise ValueError
    if not isinstance(failed, list) or not {0, 1}.issuperset(failed):
        raise ValueError
    turns = zip(values["turns"], said, failed, strict=True)

    def choose(position: Position) -> int:
        turn, text, failure = next(turns, (None, "", 0))
        if turn in CLOSING:
            action = scenario.accept + CLOSING.index(turn)
        else:
            action = scenario.prices.index(turn)
        if not begun or position.standing_offer is not None:
            check_legal(position, action)
        return Spoken(action, text, failed=bool(failure))

    game = scenario.drawn(*map(scenario.find_limit, Role, values.get("limits", (None, None))))
    transcript = play_out(game, Role.of(values["opener"]), choose, explored, begun)
    if next(turns, None) is not None or transcript.outcome.price != values["deal"]:
        raise ValueError
    return transcript
