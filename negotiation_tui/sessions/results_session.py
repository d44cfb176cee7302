"""A session that follows the results of people in folders: their transcripts, and their tours.

Nothing in the files is trusted or run. No link is followed. Foreign and damaged lines are counted.
"""

import math
import os
import stat
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

from negotiation_tui.contest.contest import AnyStanding, RankingColumn, mean, ranked
from negotiation_tui.errors import BadInputError
from negotiation_tui.runtime.files import open_file, reading
from negotiation_tui.runtime.folders import located
from negotiation_tui.runtime.records import sealed
from negotiation_tui.runtime.text import cleaned, plural
from negotiation_tui.sessions import tour_progress
from negotiation_tui.sessions.commands import Halt, PlayOn
from negotiation_tui.sessions.human_player import LONGEST_NAME, PersonGame
from negotiation_tui.sessions.session import PlainSession
from negotiation_tui.sessions.transcripts import DAMAGE, MOST_BYTES, person_game

_REST = 0.5  # seconds between two looks at the files
MOST_UNREAD = 1000  # damaged lines of a file, after which no more is read
_LONGEST = 1 << 26  # bytes of a line; one that holds large tables has some millions
_STATE = Path(".local", "state", "negotiation-tui")
_Change = tuple[int, int] | None
"""The size of a file and the time of its last change; None for what is not read."""
COLUMNS = (
    RankingColumn("regret", "regret", 8, ".3f", "regret", rising=True),
    RankingColumn("role", "role", 7, "", "role", rising=True),
    RankingColumn("opponent", "against", 12, "", "opponent", rising=True),
    RankingColumn("price", "price", 7, ".1f", "price"),
    RankingColumn("theory", "theory", 7, ".1f"),
    RankingColumn("scenario", "scenario", 11, ""),
    RankingColumn("games", "games", 7, ",d", "games"),
    RankingColumn("share", "share", 7, ".3f", "share"),
    RankingColumn("deals", "deals", 7, ".0%", "deals"),
    RankingColumn("efficiency", "efficiency", 11, ".0%"),
    RankingColumn("lessons", "lessons", 8, "d", "lessons of the tour"),
    RankingColumn("right", "right", 6, ".0%"),
    RankingColumn("unread", "not read", 9, ",d", "lines not read"),
    RankingColumn("name", "person", 0, "", "name", rising=True),
)
"""The columns of the table of people, and its orders."""
_Same = tuple[str | None, str | None, str | None]
_MIXED: _Same = None, None, None  # role, opponent and scenario of different games, or of none
GAME_COLUMNS: tuple[str, ...] = ("name", "folder", "role", "opponent", "scenario", "seller_limit")
GAME_COLUMNS += ("buyer_limit", "price", "theory", "rounds", "share", "best", "regret")


@sealed(frozen=True, slots=True)
class PersonStanding(AnyStanding):
    """The results of a person in one role, or of all; the mean of nothing is None."""

    folder: str
    role: str | None  # None, as the opponent and the scenario, if games differ
    opponent: str | None
    scenario: str | None
    games: int
    deals: float | None  # share of the games
    share: float | None  # mean reward per game
    regret: float | None  # mean per game of what a best response would have earned more
    price: float | None  # mean of the deals that have a price in theory; None for several roles
    theory: float | None  # mean of their prices in theory
    efficiency: float | None  # gains of both roles, as a share of the possible gains
    lessons: int  # number of finished lessons of the tour
    right: float | None  # share of the predictions in these lessons
    unread: int  # number of lines and files that are foreign or damaged

    @classmethod
    def of(
        cls, person: "Person", games: Sequence[PersonGame], same: _Same = _MIXED
    ) -> "PersonStanding":
        """Return the results of games, and of the tours and damages in a person's files."""
        deals = [game for game in games if game.price is not None]
        priced = [game for game in deals if game.theory is not None and same[0]]
        possible = math.fsum(game.possible for game in games)
        lessons = [result for file in person.files for result in file.tour.values()]
        asked = sum(result.asked for result in lessons)
        return cls(
            None,
            person.name,
            person.folder,
            *same,
            len(games),
            len(deals) / len(games) if games else None,
            mean([game.share for game in games]),
            mean([game.regret for game in games if game.regret is not None]),
            mean([game.price or 0 for game in priced]),
            mean([game.theory or 0 for game in priced]),
            math.fsum(game.gained for game in games) / possible if possible else None,
            len(lessons),
            sum(result.right for result in lessons) / asked if asked else None,
            sum(file.unread for file in person.files),
        )


class Person(NamedTuple):
    """A person in a folder, with their games; files hold their tour and damages."""

    name: str
    folder: str
    games: Sequence[PersonGame]
    files: Sequence["_File"] = ()

    def standings(self) -> Iterator[PersonStanding]:
        """Yield the results by role, opponent and scenario; in one line if there are no games."""
        rows = defaultdict[_Same, list[PersonGame]](list, {} if self.games else {_MIXED: []})
        for game in self.games:
            rows[game.role, game.opponent, game.scenario].append(game)
        for same, games in rows.items():
            yield PersonStanding.of(self, games, same)


@sealed(frozen=True, eq=False)
class ResultsSnapshot:
    """The results of all people at one moment: an immutable value."""

    people: tuple[PersonStanding, ...]  # by role, opponent and scenario; the least regret first
    whole: PersonStanding
    persons: tuple[Person, ...]

    def games(self) -> Iterator[dict[str, Any]]:
        """Yield the values in `GAME_COLUMNS` of each game."""
        for each in self.persons:
            for game in each.games:
                values = {**game._asdict(), **each._asdict(), "regret": game.regret}
                values["seller_limit"], values["buyer_limit"] = game.limits
                yield {name: values[name] for name in GAME_COLUMNS}

    def __str__(self) -> str:
        whole, n = self.whole, len(self.persons)
        parts = [f"{n:,} {'person' if n == 1 else 'people'}, {plural(whole.games, 'game')}"]
        if whole.efficiency is not None:
            parts += [f"efficiency {100 * whole.efficiency:.0f}%"]
        if whole.regret is not None:
            parts += [f"regret {whole.regret:.3f} per game"]
        return "; ".join([*parts, *[f"{plural(whole.unread, 'line')} not read"][: whole.unread]])


class _File:
    """The results in a file that may grow: the games of a transcript, or the progress of a tour."""

    def __init__(self) -> None:
        self._change: _Change = (-1, 0)  # of the file when it was read last
        self._begin()

    def _begin(self) -> None:
        self.games: list[PersonGame] = []
        self.tour: tour_progress.Progress = {}
        self._done = self._damaged = self._partial = 0  # bytes that were read; numbers of lines

    @property
    def unread(self) -> int:
        return self._damaged + self._partial

    def follow(self, path: Path, change: _Change) -> bool:
        """Read what is new; return True if something is."""
        if change == self._change:
            return False
        if change is None or change[0] < self._done or not self._done:  # another of that name
            self._begin()
        self._change = change
        try:
            if change is None:
                self._damaged = 1
            elif path.name == tour_progress.FILE:
                self.tour = tour_progress.read(path)
            else:
                with reading(path, "transcripts"), open_file(path) as file:
                    self._read(file)
        except BadInputError:
            self._damaged += os.path.lexists(path)  # not if it was renamed meanwhile
        return True

    def _read(self, file: IO[bytes]) -> None:
        file.seek(self._done)
        self._partial = 0
        while self._damaged < MOST_UNREAD and self._done < MOST_BYTES:
            if not (line := file.readline(_LONGEST)):
                break
            try:
                game = person_game(line)
                self.games += [] if game is None else [game]
            except DAMAGE:
                if not line.endswith(b"\n") and len(line) < _LONGEST:
                    self._partial = 1
                    break
                self._damaged += 1
            self._done += len(line)


class ResultsSession(PlainSession):
    """The results below some folders as they grow; halted, no file is read.

    Raises BadInputError for a folder that cannot be read.
    """

    def __init__(self, folders: Sequence[str]) -> None:
        self._roots, self.running = [*map(located, folders)], True
        for folder, root in zip(folders, self._roots, strict=True):
            with reading(folder, "results"):
                next(root.iterdir(), None)
        self._files: dict[Path, _File] = {}
        self.snapshot = self._snapshot()
        self.step()

    def handle(self, command: PlayOn | Halt) -> None:
        self.running = isinstance(command, PlayOn)

    def step(self) -> float:
        """Read what is new in all files; return the seconds to rest."""
        before, self._files, new = self._files, {}, False
        for path, change in chain(*map(_found, self._roots)):
            file = self._files[path] = before.get(path) or _File()
            new |= file.follow(path, change)
        if new or before.keys() != self._files.keys():
            self.snapshot = self._snapshot()
        return _REST

    def _snapshot(self) -> ResultsSnapshot:
        top, folders = os.path.commonpath(self._roots), defaultdict[Path, list[_File]](list)
        for path in sorted(self._files):
            inside = path.parent.parts[-len(_STATE.parts) :] == _STATE.parts
            folder = path.parents[len(_STATE.parts)] if inside else path.parent
            folders[folder].append(self._files[path])
        found = [each for folder, files in folders.items() for each in _people(folder, top, files)]
        names = Counter(each.name for each in found)
        persons = tuple(
            each._replace(name=f"{each.name} ({each.folder})") if names[each.name] > 1 else each
            for each in found
        )
        files = [*self._files.values()]
        every = Person("all", "", [game for file in files for game in file.games], files)
        people = ranked([*chain(*map(Person.standings, persons))], lambda each: each.regret)
        return ResultsSnapshot(tuple(people), PersonStanding.of(every, every.games), persons)


def _found(root: Path) -> Iterator[tuple[Path, _Change]]:
    """Yield the files of results; None for the change of a link, a device or a closed folder."""
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            for path in folder.iterdir():
                with suppress(FileNotFoundError):  # renamed meanwhile
                    status = path.lstat()
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append(path)
                    elif path.suffix == ".jsonl" or path.name == tour_progress.FILE:
                        ordinary = stat.S_ISREG(status.st_mode)
                        yield path, (status.st_size, status.st_mtime_ns) if ordinary else None
        except OSError:
            if folder == root or os.path.lexists(folder):
                yield folder / "closed", None


def _people(folder: Path, top: str, files: Sequence[_File]) -> Iterator[Person]:
    """Yield each person in a folder.

    Games without a name, tours and damages belong to the only person, otherwise to the folder.
    """
    place, games = os.path.relpath(folder, top), defaultdict[str, list[PersonGame]](list)
    for game in chain(*(file.games for file in files)):
        games[game.name].append(game)
    nameless, named = games.pop("", []), [*games]
    owner = named[0] if len(named) == 1 else cleaned(folder.name, LONGEST_NAME)
    if len(named) < 2 or nameless or any(each.tour or each.unread for each in files):
        played = [*games.pop(owner, []), *nameless]
        yield Person(owner, cleaned(place, 100), played, files)
    for name, played in games.items():
        yield Person(name, cleaned(place, 100), played)
