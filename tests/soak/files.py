"""Damaged files of every kind that the program reads: it goes on, or refuses with one line."""

import contextlib
import io
import json
import os
import re
import shlex
import signal
import struct
import sys
import tempfile
import time
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from negotiation_tui import BadInputError, Scenario
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.sessions.transcripts import read
from negotiation_tui.tui.configuration import VARIABLE
from tests.support.bots import bot
from tests.support.cli import status_of
from tests.support.game import EVERY_KEY
from tests.support.processes import HAS_PROC, most_memory
from tests.support.screen_driver import watched
from tests.support.soak import a_folder
from tests.support.students import play

SMALL, LONG = 40, 6000
LONGEST = 700  # the most characters of a refusal, most of which are the names of files
SLOWEST = 3.0  # the most seconds of processor time before a refusal
LARGEST = 1 << 30  # the most bytes of memory
STUCK = 60  # seconds after which a case has failed, whatever it does
LAST_FRAME = "the last frame"
HIDDEN = b"""name = "Stall"
talk = true
delta = 0.9
prices = { min = 0, max = 5 }
rounds = 3
[seller]
limits = [0, 2, 4]
weights = [1, 2, 1]
[buyer]
delta = 0.8
limits = { min = 1, max = 5, step = 2 }
"""
MARKET = b"""[[seller]]
name = "north"
count = 3
reservation = [1, 2, 3]
learning_rate = { min = 0.05, max = 0.2 }
exploration_end = 0
[[seller]]
reservation = 2
strategy = "boulware"
[[buyer]]
count = 2
reservation = { min = 3, max = 5 }
discount_rate = [0.9, 1]
[[team]]
name = "family"
members = ["north", "buyer-1"]
"""
CONFIGURATION = b"""theme = "light"
color = "auto"
animation = true
fps = 20
pace = 8
[keys]
quit = ["Q", "f10"]
run = "y"
"""
TOUR = b'{"bar": {"right": 1, "asked": 2}, "deadline": {"right": 0, "asked": 3}}'
SHORT = "--workers 1 --set cycles=2 --set episodes=5 --runs 2 --seed 3"
ROUND = "boulware conceder --negotiations 4 --seed 3 --workers 1"


class Kind(NamedTuple):
    """A kind of file: whole ones, the damage done to them, and the commands that read them."""

    name: str
    damage: Callable[[Random, bytes, bytes], bytes]
    commands: Sequence[str]
    whole: Sequence[bytes]


def attack(random: Random) -> None:
    """Damage a file, and give it to each command that reads its kind."""
    kind = random.choice(kinds())
    path, data = Path(kind.name), random.choice(kind.whole)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        damage = kind.damage if random.random() < 0.9 else damaged_bytes
        with contextlib.suppress(Exception):  # earlier damage made it something else
            data = damage(random, data, random.choice(kind.whole))
    put = random.choice(PLACES) if random.random() < 0.04 else partial(Path.write_bytes, data=data)
    for command in kind.commands:
        with a_folder():
            path.parent.mkdir(exist_ok=True)
            put(path)
            check(command, path)


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


PLACES: Sequence[Callable[[Path], object]] = (
    Path.mkdir,
    *((_sparse, os.mkfifo, _endless) if HAS_PROC else ()),
)


@cache
def kinds() -> Sequence[Kind]:
    with tempfile.TemporaryDirectory() as folder:

        def made(name: str, command: str) -> bytes:
            status, _, err = _called(command.format((Path(folder) / name).as_posix()), None)
            assert status == 0, err
            return (Path(folder) / name).read_bytes()

        def examined(name: str, rule: str, more: str) -> bytes:
            asked = f"'{bot(Path(folder), rule).spec}' --ask 2 --scenario 3x2 --role buyer {more}"
            return made(name, f"examine {asked} --cassette {{}}")

        aware = "--delta 0.9,0.8 --states opener-aware"
        short = "--seed 3 --cycles 3 --episodes 9"
        tables = made("a.npz", f"train {short} {aware} --save {{}}")
        of_limits = "train --scenario hidden --learner sampled-mmd --seed 3 --cycles 3 --save {}"
        market = made(
            "b.npz", "market --sellers 3 --buyers 2 --limit negotiations=20 --seed 3 --save {}"
        )
        watched = "--seed 3 --cycles 2 --episodes 4 --record {} --once"
        recording = made("c.jsonl", f"watch --talk {watched}")
        with_limits = made("g.jsonl", f"watch --scenario hidden {watched}")
        play(Path(folder) / "p.jsonl", "ann", 5, scenario=Scenario.of("hidden"))
        of_person = (Path(folder) / "p.jsonl").read_bytes()
        sweep, tournament = f"sweep {SHORT} --out {{}}", f"tournament {ROUND} --text --out {{}}"
        rows = {name: made(name, sweep) for name in ("d.csv", "d.jsonl")}
        games = {name: made(name, tournament) for name in ("e.csv", "e.jsonl")}
        by_moves = examined("h.cassette", "holds out", "--talk")
        by_odds = examined("i.cassette", "by odds", "--delta 0.9")
        of_tables = [tables, made("f.npz", of_limits)]
    text, table, lines = damaged_text, damaged_rows, damaged_json_lines
    tests = "test {} --negotiations 5", "solve --policy {}", "examine {} --delta 0.9,0.8"
    seated = f"watch --once --seed 1 --episodes 3 {aware} --buyer {{}}"
    return (
        Kind("a.toml", text, ["solve --scenario {}"], [EVERY_KEY.encode(), HIDDEN]),
        Kind("a.toml", text, ["market {} --limit steps=3 --text --seed 1"], [MARKET]),
        Kind("a.toml", text, ["config"], [CONFIGURATION]),
        Kind("a.npz", damaged_npz, [*tests, seated], of_tables),
        Kind("a.npz", damaged_npz, ["market --resume {} --text"], [market]),
        Kind("a.jsonl", lines, ["replay {} --once", LAST_FRAME], [recording, with_limits]),
        Kind("a.jsonl", lines, ["results ."], [of_person, recording]),
        Kind("negotiation-tui/tour.json", lines, ["tour --list", "results ."], [TOUR]),
        Kind("a.cassette", damaged_cassette, ["examine {}", "desk {}"], [by_moves, by_odds]),
        Kind("a.csv", table, [sweep], [rows["d.csv"]]),
        Kind("a.jsonl", lines, [sweep], [rows["d.jsonl"]]),
        Kind("a.csv", table, [tournament], [games["e.csv"]]),
        Kind("a.jsonl", lines, [tournament], [games["e.jsonl"]]),
    )


class _StuckError(BaseException):
    """Raised by the clock; nothing in the program catches it."""


def check(command: str, path: Path) -> None:
    """Assert that a command goes on, or refuses the file at once with one line."""
    start, largest = time.process_time(), _largest()
    try:
        with _clock():
            status, out, err = _called(command.format(path.as_posix()), path)
    except _StuckError:
        raise AssertionError(f"{command}: nothing after {STUCK} seconds") from None
    seconds, lines = time.process_time() - start, err.splitlines()
    wrong = {
        f"status {status}": status not in {0, 1, 2},
        "not one line": status and (len(lines) != 1 or err.count("\n") != 1 or bool(out)),
        "a long line": any(len(line) > LONGEST for line in lines),
        "a warning": "Warning" in err or "Traceback" in err,
        f"{seconds:.1f} s": status == 2 and seconds > SLOWEST,
        f"{_largest():,} bytes": _largest() > max(LARGEST, largest),
    }
    reasons = [reason for reason, true in wrong.items() if true]
    assert not reasons, f"{command}: {', '.join(reasons)}: {err!r}"[:1000]


def _largest() -> int:
    return most_memory(os.getpid()) if HAS_PROC else 0


def _called(command: str, path: Path | None) -> tuple[int, str, str]:
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    os.environ[VARIABLE] = str(path) if command == "config" else os.devnull
    os.environ["XDG_STATE_HOME"] = str(Path.cwd())
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("always")
        words = shlex.split(command)
        status = _last_frame(path) if path and command == LAST_FRAME else status_of(*words)
    os.environ[VARIABLE] = os.devnull
    out.seek(0)
    err.seek(0)
    return status, out.read(), err.read()


def _last_frame(path: Path) -> int:
    """Draw the screen after the last line of a recording; return the status."""
    try:
        recording = read(path)
        session = TrainingSession(recording.run, recording)
        for _ in range(100):
            if session.running:
                session.step()
    except BadInputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    watched(session).press("i").resize(40, 8).text()
    return 0


@contextlib.contextmanager
def _clock() -> Iterator[None]:
    """Raise _StuckError after STUCK seconds, where there is such a clock."""

    def stuck(*_: object) -> None:
        raise _StuckError

    has_alarm = hasattr(signal, "alarm")
    if has_alarm:
        signal.signal(signal.SIGALRM, stuck)
        signal.alarm(STUCK)
    try:
        yield
    finally:
        if has_alarm:
            signal.alarm(0)


NUMBERS = (
    *("0", "-1", "1.5", "-0.0", "nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "1e999"),
    *(str(2**63), str(-(2**63) - 1), str(10**30), "1" * 400, "9" * 5000, "0x" + "f" * 5000),
)
WORDS = (
    *('""', '"many"', '"\\u0000\\u001b[2J\\u009b"', f'"{"x" * 100_000}"', '"ε\\u202e"', "true"),
    *("null", "[]", "{}", "[1, 2]", "[" * 3000 + "]" * 3000, "[" * 200 + "]" * 200, "1979-05-27"),
    *("{a = " * 50 + "1" + "}" * 50, "a." * 5000 + "a", "[[[1]]]", '{"a": 1, "a": 2}'),
    "2024-13-99",
)
VALUES: tuple[Any, ...] = (
    *(None, True, "", "many", "x" * 100_000, [], {}, [[]], {"a": {"a": 1}}, [None], "\x00\x1b[2J"),
    *(0, -1, 1, 0.5, -0.0, 1e308, -1e308, 5e-324, float("nan"), float("inf"), -float("inf")),
    *(2**31, 2**62, 2**63, -(2**63), 2**64, 10**19, 10**400, -(10**400), 10**4000),
)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def damaged_bytes(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change some bytes: flip, insert, delete, repeat, cut, splice, or encode otherwise."""
    at, length = rng.randrange(len(data) + 1), rng.choice([1, 2, 5, 40])
    part, rest = data[at : at + length], data[at + length :]
    noise = bytes(rng.randrange(256) for _ in range(length))
    from_there = other[rng.randrange(len(other) + 1) :]
    ways: Sequence[Callable[[], bytes]] = (
        lambda: data[:at] + noise[: len(part)] + rest,
        lambda: data[:at] + noise + data[at:],
        lambda: data[:at] + rest,
        lambda: data[:at] + part * rng.choice([2, 3, 2000]) + rest,
        lambda: data[:at],
        lambda: data[at:],
        lambda: data[:at] + from_there,
        lambda: data[:at] + b"\0" * length + rest,
        lambda: b"\xef\xbb\xbf" + data,
        lambda: data.decode("latin-1").encode("utf-16"),
        lambda: data + data,
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: b"",
    )
    return rng.choice(ways)()


def damaged_text(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change a number, a value or a line of a text, such as TOML."""
    text = data.decode("utf-8", "replace")
    lines, found = text.split("\n"), list(_NUMBER.finditer(text))
    n, value, way = rng.randrange(len(lines)), rng.choice((*NUMBERS, *WORDS)), rng.randrange(6)
    if way <= 1 and found:
        one = rng.choice(found)
        return (text[: one.start()] + rng.choice(NUMBERS) + text[one.end() :]).encode()
    if way == 2 and "=" in lines[n]:
        lines[n] = f"{lines[n].partition('=')[0]}= {value}"
    elif way == 3:
        lines.insert(rng.randrange(len(lines)), lines[n])
    elif way == 4:
        lines[n] = f"{rng.choice(WORDS)} = {value}"
    else:
        return damaged_bytes(rng, data, other)
    return "\n".join(lines).encode()


def damaged_rows(rng: Random, data: bytes, other: bytes) -> bytes:
    rows = [line.split(",") for line in data.decode("utf-8", "replace").split("\n")]
    row = rng.choice(rows)
    at = rng.randrange(len(row))
    way = rng.randrange(6)
    if way <= 2:
        row[at] = rng.choice((*NUMBERS, *WORDS, "", "many", '"', "a,b", "1_000"))
    elif way == 3:
        row.insert(at, rng.choice(NUMBERS))
    elif way == 4:
        rows.insert(rng.randrange(len(rows)), row)
    else:
        return damaged_bytes(rng, data, other)
    return "\n".join(map(",".join, rows)).encode()


def damaged_value(rng: Random, value: Any) -> Any:
    """Change something in a JSON value: another value, one too many or one too few."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        ways: Sequence[Callable[[], Any]] = (
            lambda: {name: value[name] for name in value if name != key},
            lambda: {**value, "x" * rng.choice([1, 1000]): value[key]},
            *(lambda: {**value, key: damaged_value(rng, value[key])},) * 18,
        )
        return rng.choice(ways)()
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        ways = (
            lambda: [*value[:at], *value[at + 1 :]],
            lambda: [*value[:at], value[at], *value[at:]],
            *(lambda: [*value[:at], damaged_value(rng, value[at]), *value[at + 1 :]],) * 8,
        )
        return rng.choice(ways)()
    return rng.choice(VALUES)


def damaged_json_lines(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change a value in a line of JSON; a line with a check sum gets a new one."""
    lines = data.decode("utf-8", "replace").split("\n")
    at = rng.randrange(len(lines))
    try:
        table = json.loads(lines[at])
        checked = table.pop("check", None) is not None
    except (ValueError, AttributeError):
        return damaged_bytes(rng, data, other)
    if rng.random() < 0.3:
        return damaged_bytes(rng, data, other)
    changed = damaged_value(rng, table)
    text = json.dumps(changed, ensure_ascii=False, separators=(",", ":") if checked else None)
    if rng.random() < 0.1:
        deep = "[" * 900 + "]" * 900
        text = f'{text[:-1]},"{next(iter(table))}":{deep}}}'
    if checked:
        text = f'{text[:-1]},"check":"{zlib.crc32(text.encode("utf-8", "replace")):08x}"}}'
    lines[at] = text
    return "\n".join(lines).encode("utf-8", "replace")


def damaged_cassette(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change the settings in the first line, or any line."""
    head, _, rest = data.partition(b"\n")
    if rng.random() < 0.5:
        return damaged_json_lines(rng, head, other) + b"\n" + rest
    return damaged_text(rng, data, other)


def damaged_npz(rng: Random, data: bytes, other: bytes) -> bytes:
    """Change a member of an `.npz` file, or its bytes."""
    if rng.random() < 0.25:
        return damaged_bytes(rng, data, other)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(members))
    if rng.random() < 0.3:
        name = "about.npy"
    way = rng.random()
    packing = zipfile.ZIP_DEFLATED
    if way < 0.1:
        del members[name]
    elif way < 0.15:
        members[f"extra{name}"] = members[name]
    elif way < 0.2:
        packing = rng.choice([zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    elif way < 0.35:
        members[name] = damaged_bytes(rng, members[name], rng.choice(list(members.values())))
    elif way < 0.45:
        shape = rng.choice([(10**11,), (2**62, 4), (10**30,), (-1,), (), (0,), (1, 1, 1), (2**27,)])
        kind = rng.choice(["<f8", ">f8", "<i8", "<i4", "|O", "<U3", "|V9", "<c16", "<M8[s]", "|b1"])
        header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117)
        magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118)
        members[name] = magic + header.encode() + b"\n" + b"\0" * rng.choice([0, 8, 1000])
    else:
        members[name] = _array(rng, members[name])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", packing) as archive:
        for each, contents in members.items():
            archive.writestr(each, contents)
    return packed.getvalue()


def _array(rng: Random, member: bytes) -> bytes:
    """Return the bytes of an array with other values, of another type or shape."""
    array = np.load(io.BytesIO(member))
    if array.ndim == 0 and rng.random() < 0.9:
        table = damaged_value(rng, json.loads(str(array)))
        array = np.array(json.dumps(table))
    elif rng.random() < 0.6 and array.size:
        array = array.copy()
        at = rng.randrange(array.size)
        small: tuple[Any, ...] = (0, 1, -1, 2, 7, 2**31, 2**62, -(2**63), 2**63 - 1)
        large = (np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0, 0.5, 2.0, -1.0)
        texts = ("", "many", "x" * 50, "learned", "boulware", "mine.py", "seller-1", "\x1b[2J")
        choices = {"f": large, "i": small, "U": texts}[array.dtype.kind]
        array.reshape(-1)[at if rng.random() < 0.8 else slice(None)] = rng.choice(choices)
    else:
        ways: Sequence[Callable[[], Any]] = (
            lambda: array.astype(rng.choice(["f4", "i4", ">f8", ">i8", "U9", "c16", "b1", "f8"])),
            lambda: array.reshape(-1)[: array.size // 2],
            lambda: np.concatenate([array.reshape(-1)] * 2),
            lambda: array.reshape(-1, 1),
            lambda: np.asfortranarray(array),
            lambda: np.array(rng.choice(NUMBERS)),
            lambda: np.empty(0),
        )
        try:
            with np.errstate(invalid="ignore"):
                array = rng.choice(ways)()
        except ValueError:  # text is not a number
            array = np.zeros(3)
    packed = io.BytesIO()
    np.save(packed, array, allow_pickle=False)
    return packed.getvalue()
