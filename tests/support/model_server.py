"""An endpoint on this machine that answers as a language model, well or badly."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

PATIENCE = 30.0  # seconds for an answer on a busy machine


class Reply(NamedTuple):
    """An answer of the server: a text, a status, and how it is sent."""

    text: str = ""
    status: int = 200
    reason: str | None = None
    hold: str = ""
    header: tuple[str, str] = ("Server", "test")


class Server(ThreadingHTTPServer):
    """A model's endpoint on this machine, which gives replies one after the other."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies: list[Reply | Callable[[list[Any]], str]] = [sensible]
        self.requests: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.keys: list[str | None] = []
        self.over = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}/v1/chat/completions"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The player left: no traceback."""


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing is printed."""

    def do_POST(self) -> None:
        server = self.server
        server.over.set()  # an earlier reply that was held comes now
        over = server.over = threading.Event()
        server.times.append(time.monotonic())
        server.keys.append(self.headers["Authorization"])
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        server.requests.append(body)
        reply = server.replies.pop(0) if len(server.replies) > 1 else server.replies[0]
        if not isinstance(reply, Reply):
            reply = says(reply(body["messages"]))
        if reply.hold == "closed" or (reply.hold == "silent" and over.wait(PATIENCE)):
            return
        self.send_response(reply.status, reply.reason)
        self.send_header(*reply.header)
        data = reply.text.encode()
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        while reply.hold == "dripping" and not over.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.wfile.write(data[:20] if reply.hold == "cut" else data)

    do_GET = do_POST  # noqa: N815


def says(content: object, hold: str = "") -> Reply:
    message = {"role": "assistant", "content": content}
    return Reply(json.dumps({"choices": [{"message": message}]}), hold=hold)


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


@contextmanager
def serving() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join(PATIENCE)
