"""The programs in docs/players/ keep to the protocol, whatever they read and get."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Self

import pytest

from tests.support.cli import python
from tests.support.paths import DOCS

PLAYERS = DOCS / "players"
PATIENCE = 30.0  # seconds for an answer on a busy machine
KEY = "sk-secret-0123"
HAGGLE = "haggle 1"
GAME = (
    "game role seller prices 1,2,3,4,5 rounds 5 range 1,5 worth 0 other-worth 5 width 5"
    " discount 0.99 seconds 30"
)
QUESTIONS = (
    "turn round 1 opener seller range 1,5 worth 0 standing - offers -",
    "turn round 2 opener seller range 1,5 worth 0 standing 2 offers 5,2",
    "turn round 3 opener seller range 1,5 worth 0 standing 3 offers 5,2,4,3",
    "ask round 5 opener buyer range 1,5 worth 0 standing 1 offers 1,5,1,5,1,5,1,5,1",
)
LIMITS = (
    "game role buyer prices 0,1,2,3,4,5 rounds 5 range 0,5 worth - other-worth - width 5"
    " discount 0.99 seconds 30 worths 1:1,2:1,3:0.5 other-worths 0:1,1:1,2:2 later 1"
)
NEGATIVE = (
    "game role {} prices -3,-1,0,2 rounds 3 range -3,2 worth 0 other-worth 2 width 5"
    " discount 1 seconds 30"
)
HOSTILE = (
    b"",
    b" ",
    b"*",
    b"qui*",
    b"; touch planted",
    b"$(touch planted) `touch planted`",
    b"-e \\c",
    b"turning round 1",
    b"%s%n%s",
    b"\xff\xfe\x00\x80",
    b"later " + b"9" * 300_000,
    b"seed 17",
    b"negotiation 1",
    b"end deal 3 seller round 3 reward 0.6",
)
TRUNCATED = (
    *(b"turn", b"turn round", b"ask round x opener", b"turn round 1 opener seller range"),
    *(b"game", b"game role", b"game role x prices , rounds -1 seconds nan", b"ask", b"refused"),
    *(b"turn round 2 opener seller range , worth 0 standing 2 offers", b"ask" + b" x 1" * 9999),
)


class Player:
    """A running player. No wait is without an end, and nothing of it is left behind."""

    def __init__(self, words: Sequence[str], log: Path, **environment: str) -> None:
        inherited = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**inherited, "NO_PROXY": "*", **environment},
            )
        self._log = log
        self._lines: Queue[str | None] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.said: list[str] = []

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode())
        self._lines.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for each in (self.process.stdin, self.process.stdout):
            assert each is not None
            each.close()

    def send(self, *lines: str | bytes) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else line.encode()) + b"\n")
        self.process.stdin.flush()

    def line(self) -> str:
        try:
            line = self._lines.get(timeout=PATIENCE)
        except Empty:
            pytest.fail("no answer in time")
        assert line is not None, f"its output ended: {self.log}"
        return line.rstrip("\r\n")

    def begin(self, *lines: str | bytes) -> None:
        self.send(HAGGLE)
        while (line := self.line()) != "ready 1":
            assert line.startswith("id ")
        self.send(*lines)

    def ask(self, question: str | bytes) -> str:
        self.send(question)
        return self.answer()

    def answer(self) -> str:
        """Return the next answer; words beside it go to `said`."""
        while not (line := self.line()).startswith(("move ", "odds ")):
            assert line.startswith("say ")
            self.said.append(line)
        return line

    def quit(self, *last: str) -> str:
        """End it by a last line or the end of its input; return all that it wrote meanwhile."""
        self.send(*last)
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0, self.log
        return "".join(line for line in iter(self._lines.get, None) if line)

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")


class Reply:
    """An answer of the server: a status, a text, and how it is sent."""

    def __init__(
        self, text: str = "", status: int = 200, reason: str = "", hold: str = "", **headers: str
    ) -> None:
        self.text, self.status, self.reason = text, status, reason
        self.hold, self.headers = hold, headers


class Server(ThreadingHTTPServer):
    """A model's endpoint on this machine, which gives replies one after the other."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[Reply | Callable[[list[Any]], str]] = []
        self.requests: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.keys: list[str | None] = []
        self.over = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1/chat/completions"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The player left: no traceback."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is printed."""

    def do_GET(self) -> None:
        self.do_POST()

    def do_POST(self) -> None:
        server = self.server
        server.times.append(time.monotonic())
        server.keys.append(self.headers["Authorization"])
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        server.requests.append(body)
        reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
        if not isinstance(reply, Reply):
            reply = Reply(text_of(reply(body["messages"])))
        if reply.hold == "closed":
            return
        if reply.hold == "silent":
            server.over.wait(PATIENCE)
            return
        self.send_response(reply.status, reply.reason or None)
        for name, value in reply.headers.items():
            self.send_header(name.replace("_", "-"), value)
        data = reply.text.encode()
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if reply.hold == "dripping":
            while not server.over.wait(0.05):
                self.wfile.write(b" ")
                self.wfile.flush()
        self.wfile.write(data[:20] if reply.hold == "cut" else data)


def text_of(content: object) -> str:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]})


def says(content: object) -> Reply:
    return Reply(text_of(content))


def sensible(messages: list[Any]) -> str:
    """A model that offers the lowest price of its range, and at the last decision walks away."""
    game = re.search(r"game .*", messages[0]["content"])
    if game is None or "offers " not in (question := messages[1]["content"]):
        return "move walk"
    given, asked = pairs(game[0]), pairs(question)
    last = asked["round"] == given.get("rounds") and asked["opener"] != given.get("role")
    return "No more.\nmove walk" if last else f"Well.\nmove offer {asked['range'].split(',')[0]}"


def pairs(line: str) -> dict[str, str]:
    words = line.split()[1:]
    return dict(zip(words[::2], words[1::2], strict=True))


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    server.replies = [sensible]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()
    thread.join(PATIENCE)


@pytest.fixture(scope="session")
def conceder(tmp_path_factory: pytest.TempPathFactory) -> str:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs cc")
    made = tmp_path_factory.mktemp("conceder") / "conceder"
    strict = ("-O2", "-Wall", "-Wextra", "-Werror", "-pedantic")
    subprocess.run(
        [compiler, *strict, "-o", str(made), str(PLAYERS / "conceder.c")], check=True, timeout=100
    )
    return str(made)


Start = Callable[..., Player]


@pytest.fixture
def model(server: Server, tmp_path: Path) -> Iterator[Start]:
    started: list[Player] = []

    def start(game: str | None = GAME, key: str = KEY) -> Player:
        player = Player(
            [sys.executable, str(PLAYERS / "model.py")],
            tmp_path / f"model{len(started)}.log",
            HAGGLE_URL=server.url,
            HAGGLE_MODEL="small",
            HAGGLE_KEY=key,
        )
        started.append(player)
        if game is not None:
            player.begin(game)
        return player

    yield start
    for player in started:
        player.__exit__()


@pytest.fixture(params=["hardliner.sh", "conceder.c", "model.py"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Start:
    """How to start each of the players."""
    if request.param == "model.py":
        return partial(request.getfixturevalue("model"), None)
    if request.param == "hardliner.sh":
        shell = shutil.which("sh")
        if shell is None:
            pytest.skip("needs sh")
        words = [shell, str(PLAYERS / "hardliner.sh")]
    else:
        words = [request.getfixturevalue("conceder")]
    return lambda: Player(words, tmp_path / "player.log")


def check(game: str, question: str, answer: str) -> None:
    """Fail unless an answer is one that the rules and the protocol allow."""
    given, asked = pairs(game), pairs(question)
    low, high = map(int, asked["range"].split(","))
    standing = None if asked["standing"] == "-" else int(asked["standing"])
    legal = set()
    if standing is not None:
        legal.add("walk")
        legal |= {"accept"} if low <= standing <= high else set()
    if asked["round"] != given["rounds"] or asked["opener"] == given["role"]:
        prices = map(int, given["prices"].split(","))
        legal |= {f"offer {price}" for price in prices if low <= price <= high}
    word, _, rest = answer.partition(" ")
    if word == "move":
        assert rest in legal, (question, answer)
        return
    odds = re.findall(r"(offer -?\d+|accept|walk) (\S+)(?: |$)", rest)
    assert " ".join(map(" ".join, odds)) == rest
    assert all(move in legal and float(chance) >= 0 for move, chance in odds), (question, answer)
    assert sum(float(chance) for _, chance in odds) == pytest.approx(1, abs=1e-3)


def questions(game: str, low: int, high: int) -> Iterator[str]:
    """Every question of a role with a range, by the standing offer, the round and the opener."""
    given = pairs(game)
    role, rounds = given["role"], int(given["rounds"])
    other = "buyer" if role == "seller" else "seller"
    tail = f"range {low},{high} worth 0 standing"
    yield f"turn round 1 opener {role} {tail} - offers -"
    for price, at, opener in product(given["prices"].split(","), range(rounds), (role, other)):
        if opener == other or at:
            yield f"ask round {at + 1} opener {opener} {tail} {price} offers {price} later 1"


def test_the_dialogue_of_the_page(start: Start) -> None:
    with start() as player:
        player.begin("seed 17", GAME, "negotiation 1")
        first, second, third, last = QUESTIONS
        for question in (first, second):
            check(GAME, question, player.ask(question))
        again = player.ask("refused move offer 9: expected one of the prices; one more try")
        check(GAME, second, again)
        player.send("refused move offer 8: expected one of the prices, accept or walk")  # the last
        check(GAME, third, player.ask(third))
        player.send("end deal 3 seller round 3 reward 0.6")
        check(GAME, last, player.ask(last))
        assert player.quit("quit") == ""


@pytest.mark.parametrize(
    ("game", "low", "high"),
    [
        (GAME, 1, 5),
        (GAME.replace("seller", "buyer").replace("rounds 5", "rounds 1"), 1, 4),
        (LIMITS, 0, 2),
        (NEGATIVE.format("seller"), -1, 2),
        (NEGATIVE.format("buyer"), -3, 0),
        (NEGATIVE.format("buyer"), -1, -1),
    ],
    ids=["original", "one round", "limits", "negative seller", "negative buyer", "one price"],
)
def test_every_answer_is_legal(start: Start, game: str, low: int, high: int) -> None:
    with start() as player:
        player.begin(GAME, QUESTIONS[0], game)  # the rules change after the first question
        player.answer()
        for question in questions(game, low, high):
            check(game, question, player.ask(question))
        assert player.quit() == ""


def test_what_it_does_not_know_is_ignored(start: Start, tmp_path: Path) -> None:
    (tmp_path / "quit").touch()  # the pattern above is no list of files
    with start() as player:
        player.begin(GAME)
        expected = [player.ask(question) for question in QUESTIONS]
        for hostile in HOSTILE:
            player.send(hostile)
        assert [player.ask(question) for question in QUESTIONS] == expected
        for question in QUESTIONS:
            player.send(*HOSTILE)
            player.send(f"{GAME} later 1,2 more -")
            assert player.ask(f"{question} later x\r") == expected[QUESTIONS.index(question)]
        assert not (tmp_path / "planted").exists()
        assert player.quit() == ""


def test_truncated_lines_end_nothing(start: Start) -> None:
    with start() as player:
        player.begin(*TRUNCATED, GAME, *TRUNCATED)
        for line in player.quit("quit").splitlines():
            assert line.startswith(("move ", "odds ", "say "))


@pytest.mark.parametrize("end", [b"quit", b"quit\r"])
def test_it_ends_when_it_is_told(end: bytes, start: Start) -> None:
    with start() as player:
        player.begin(GAME, end)
        assert player.process.wait(PATIENCE) == 0


def test_it_ends_in_the_midst_of_a_line(start: Start) -> None:
    with start() as player:
        player.begin(GAME, QUESTIONS[0])
        player.answer()
        assert player.process.stdin is not None
        player.process.stdin.write(b"turn rou")
        player.quit()


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("seller", ["offer 5", "offer 4", "offer 3", "offer 2", "accept", "accept"]),
        ("buyer", ["offer 1", "offer 2", "accept", "accept", "accept", "accept"]),
    ],
)
def test_the_conceder_concedes(
    role: str, expected: list[str], conceder: str, tmp_path: Path
) -> None:
    other = "buyer" if role == "seller" else "seller"
    tail = "range 1,5 worth 0 standing"
    with Player([conceder], tmp_path / "log") as player:
        player.begin(GAME.replace("role seller", f"role {role}"))
        first = player.ask(f"turn round 1 opener {role} {tail} - offers -")
        found = [first] + [
            player.ask(f"turn round {n} opener {role} {tail} {1 if n < 5 else 2} offers 1")
            if role == "seller"
            else player.ask(f"turn round {n} opener {role} {tail} 3 offers 3")
            for n in range(2, 6)
        ]
        found.append(player.ask(f"turn round 5 opener {other} {tail} 2 offers 2"))
        assert found == [f"odds {each} 1" for each in expected]


def test_the_conceder_draws_between_two_prices(conceder: str, tmp_path: Path) -> None:
    with Player([conceder], tmp_path / "log") as player:
        player.begin(GAME)
        tail = "range 2,5 worth 2 standing 1 offers 1"
        answer = player.ask(f"turn round 2 opener seller {tail}")
        assert answer == "odds offer 4 0.750000 offer 5 0.250000"  # 4.25 on average


@pytest.mark.parametrize("file", ["hardliner.sh", "model.py", "conceder.c"])
def test_it_is_short(file: str) -> None:
    """A player to learn from is read in a minute, and by any shell."""
    lines = (PLAYERS / file).read_text(encoding="ascii").splitlines()
    assert len(lines) <= {"hardliner.sh": 19, "model.py": 120, "conceder.c": 120}[file]


@pytest.mark.parametrize(
    ("text", "move", "said"),
    [
        ("move offer 4", "move offer 4", ""),
        ("I paid more.\n\nmove offer 4\n", "move offer 4", "say I paid more."),
        ("move walk\nNo:\nmove accept\nas I said", "move accept", "say move walk No:"),
        ("**Move: offer -4**", "move offer -4", ""),
        ("Fine.\r\n> `move accept`.", "move accept", "say Fine."),
        ("<think>move walk\nor?</think>Ok\nMOVE OFFER 2", "move offer 2", "say Ok"),
        ("a\x1b[2Jb\u202e\tc\nmove walk", "move walk", "say a [2Jb c"),
        ("x" * 700 + "\nmove walk", "move walk", "say " + "x" * 500),
        (f"my key is {KEY}\nmove walk", "move walk", "say my key is ***"),
        ("Größe 💰\nmove walk", "move walk", "say Größe 💰"),
        ("a\ud800b\nmove offer ٤\nmove offer 4\n٤", "move offer 4", "say a b move offer ٤"),
    ],
)
def test_the_move_is_the_last_line_that_has_one(
    text: str, move: str, said: str, server: Server, model: Start
) -> None:
    server.replies = [says(text)]
    player = model()
    assert player.ask(QUESTIONS[1]) == move
    assert "".join(player.said) == said
    player.quit("quit")
    (log,) = player.log.splitlines()
    assert log.startswith(f"turn round 2: {move}, ")
    (request,), (key,) = server.requests, server.keys
    assert request["model"] == "small"
    assert [each["role"] for each in request["messages"]] == ["system", "user"]
    assert GAME in request["messages"][0]["content"]
    assert key == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "bad",
    [
        says("I would move offer 4, if I could."),
        says("move offer 4.5\nmove offer +4\nmove offer 4e0\nmove offer four"),
        says(""),
        says(None),
        says([1]),
        Reply("<html>"),
        Reply(""),
        Reply("[]"),
        Reply('{"choices": []}'),
        Reply(text_of("move walk"), hold="cut"),
        Reply('{"choices": ' + "[" * 5000),
    ],
)
def test_two_answers_without_a_move_are_a_walk(bad: Reply, server: Server, model: Start) -> None:
    server.replies = [bad, says("Sorry.\nmove offer 3"), bad]
    player = model()
    assert player.ask(QUESTIONS[1]) == "move offer 3"
    assert player.ask(QUESTIONS[1]) == "move walk"
    assert len(server.requests) == 4
    messages = server.requests[1]["messages"]
    assert [each["role"] for each in messages] == ["system", "user", "assistant", "user"]
    assert player.said == ["say Sorry."]
    player.quit()
    assert [line.split(",")[-1][-2:] for line in player.log.splitlines()] == [" s", " s"]


def test_a_refused_move_is_told_to_the_model_once(server: Server, model: Start) -> None:
    server.replies = [says("move offer 9"), says("Oh.\nmove offer 8"), says("move offer 4")]
    player = model()
    refused = "refused move offer 9: expected one of the prices, accept or walk; one more try"
    assert player.ask(QUESTIONS[1]) == "move offer 9"
    assert player.ask(refused) == "move offer 8"
    assert server.requests[1]["messages"][-1] == {"role": "user", "content": refused}
    assert player.ask(refused) == "move walk"
    assert len(server.requests) == 2
    assert player.ask(QUESTIONS[1]) == "move offer 4"
    player.quit()
    assert [line.split(",")[0] for line in player.log.splitlines()] == [
        "turn round 2: move offer 9",
        "refused move offer 9: move offer 8",
        "refused move offer 9: no move: walk",
        "turn round 2: move offer 4",
    ]


QUICK = GAME.replace("seconds 30", "seconds 0.6")


@pytest.mark.slow
@pytest.mark.parametrize("hold", ["silent", "dripping"])
def test_a_slow_model_walks_in_time(hold: str, server: Server, model: Start) -> None:
    server.replies = [Reply(text_of("move offer 4"), hold=hold)]
    player = model(QUICK)
    begun = time.monotonic()
    assert player.ask(QUESTIONS[1]) == "move walk"
    assert 0.5 < time.monotonic() - begun < 5
    server.over.set()
    server.replies = [says("move offer 3")]
    player.send(GAME)
    assert player.ask(QUESTIONS[2]) == "move offer 3", "not the late answer"
    player.quit()
    assert re.search(r"no move: walk, [0-4]\.\d s", player.log)


@pytest.mark.slow
@pytest.mark.parametrize(
    "bad",
    [
        Reply(status=429, Retry_After="0"),
        Reply(status=429, Retry_After="2"),
        Reply(status=429, Retry_After="Wed, 21 Oct 2026 07:28:00 GMT"),
        Reply(status=500, reason="Oh dear"),
        Reply(status=503),
        Reply(hold="closed"),
    ],
)
def test_a_busy_or_broken_server_is_asked_again(bad: Reply, server: Server, model: Start) -> None:
    server.replies = [bad, says("move offer 4")]
    player = model()
    assert player.ask(QUESTIONS[1]) == "move offer 4"
    first, second = server.times
    assert (1.9 if "2" in bad.headers.values() else 0.45) <= second - first < 20
    assert server.requests[0] == server.requests[1]
    player.quit()
    (log,) = player.log.splitlines()
    assert f"{bad.status} " in log or bad.hold


def test_nobody_waits_longer_than_the_table(server: Server, model: Start) -> None:
    server.replies = [Reply(status=429, Retry_After="31")]
    player = model()
    begun = time.monotonic()
    assert player.ask(QUESTIONS[1]) == "move walk"
    assert time.monotonic() - begun < 20
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 404])
def test_an_error_of_ours_is_not_repeated(status: int, server: Server, model: Start) -> None:
    server.replies = [Reply(f"wrong key {KEY}", status, f"No {KEY}")]
    player = model()
    assert player.ask(QUESTIONS[1]) == "move walk"
    assert len(server.requests) == 1
    player.quit()
    assert f"{status} No ***, no move: walk" in player.log


@pytest.mark.parametrize("status", [302, 307])
def test_the_key_is_sent_to_its_address_alone(status: int, server: Server, model: Start) -> None:
    server.replies = [Reply(status=status, Location=f"{server.url}/elsewhere"), says("move walk")]
    player = model()
    assert player.ask(QUESTIONS[1]) == "move walk"
    assert server.keys[0] == f"Bearer {KEY}"
    assert not any(server.keys[1:])


def test_a_key_that_no_header_can_hold_is_not_shown(server: Server, model: Start) -> None:
    player = model(key="first\nsecond")
    assert player.ask(QUESTIONS[1]) == "move walk"
    player.quit()
    assert "first" not in player.log
    assert "second" not in player.log
    assert not server.requests


def test_an_endpoint_without_a_key(server: Server, model: Start) -> None:
    player = model(key="")
    check(GAME, QUESTIONS[0], player.ask(QUESTIONS[0]))
    assert server.keys == [None]


@pytest.mark.parametrize(
    ("url", "name"), [("", "small"), ("http://127.0.0.1:9", ""), ("file:///etc/passwd", "small")]
)
def test_it_says_what_is_missing_before_it_is_ready(url: str, name: str) -> None:
    file, sent = str(PLAYERS / "model.py"), f"{HAGGLE}\nquit\n"
    done = python(file, sent=sent, HAGGLE_URL=url, HAGGLE_MODEL=name, HAGGLE_KEY=KEY)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "model.py: set HAGGLE_URL (http:// or https://) and HAGGLE_MODEL\n"


def test_the_page_begins_with_the_first_of_them_and_has_what_the_tests_ask() -> None:
    page = (DOCS / "programs.md").read_text(encoding="utf-8")
    (shell,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    assert shell == (PLAYERS / "hardliner.sh").read_text(encoding="utf-8")
    for line in (HAGGLE, GAME, *QUESTIONS):
        assert f"> {line}\n" in page
    assert len(page.split()) <= 1150
