"""A language model in a seat: any endpoint of the common chat-completions form.

export HAGGLE_URL=http://localhost:11434/v1/chat/completions HAGGLE_MODEL=llama3.2
negotiation-tui --seller 'cmd:python3 docs/players/model.py'
HAGGLE_KEY holds the key, if the endpoint wants one. Only that address gets the key. The endpoint
chooses the temperature without HAGGLE_TEMPERATURE.
"""

import json
import os
import re
import sys
import threading
import time
from datetime import UTC, datetime
from hashlib import sha256
from queue import Empty, Queue
from urllib.request import HTTPError, Request, urlopen

URL, MODEL, KEY, TEMPERATURE = (
    os.environ.get(f"HAGGLE_{name}", "").strip() for name in ("URL", "MODEL", "KEY", "TEMPERATURE")
)
PROMPT = """You bargain about one price. The rules, as keys and values: {}
In each round the opener acts, then the other side. A deal at price p earns the seller
(p - worth) / width, the buyer (worth - p) / width, times its delta (if given) per earlier offer;
no deal earns 0. Hidden worths are drawn: worths lists yours, other-worths theirs, with weights.
The first move must be an offer. After an offer of the last round only accept and walk are left.
Offer, and accept, only prices within your range. Write one short sentence to the other side, then
your move alone on the last line: "move offer P", "move accept" or "move walk"."""
MOVE = re.compile(r"(?ai)[\s*`>-]*move[\s*`:]+(?:(offer)[\s*`:$]+(-?\d+)|(accept|walk))[\s*`.!]*")
CALLS = 3  # failed calls for a question, after which it ends: no move is made up


def clean(text: str) -> str:
    """Return text as one printable line of at most 500 characters, without the key."""
    text = text.replace(KEY, "***") if KEY else text
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:500]


def find_move(answer: str) -> tuple[str, str]:
    """Return the words before the last line that has a move, and the move; it may be none."""
    lines = re.sub(r"(?s)<think>.*?</think>", "", answer).splitlines()
    for at in reversed(range(len(lines))):
        if found := MOVE.fullmatch(lines[at]):
            move = " ".join(["move", *filter(None, found.groups())])
            return clean(" ".join(lines[:at])), move.lower()
    return clean(" ".join(lines)), "move none"  # it is refused: the model gets one more try


def post(messages: list, seconds: float, done: Queue) -> None:
    """Ask the model once. Put its text or None, the server's words, and the seconds to wait."""
    drawn = {"temperature": float(TEMPERATURE)} if TEMPERATURE else {}
    body = json.dumps({"model": MODEL, "messages": messages, **drawn}).encode()
    status, words, wait = "", "", 0.0
    try:
        request = Request(URL, body, {"Content-Type": "application/json"})  # noqa: S310
        if KEY:  # no redirect gets it
            request.add_unredirected_header("Authorization", f"Bearer {KEY}")
        try:
            reply = urlopen(request, timeout=seconds)  # noqa: S310
        except HTTPError as error:
            reply, status = error, f"{error.code} {error.reason}"
        with reply:
            after = reply.headers.get("Retry-After", "")
            wait = float(after) if after.isdecimal() else 0.0
            words = reply.read(1_000_000).decode(errors="replace")
        if not status:
            text = json.loads(words)["choices"][0]["message"]["content"]
            return done.put((str(text or ""), "", 0.0))
    except Exception as error:  # closed, cut off, not JSON, or not of the form
        status = status or str(getattr(error, "reason", type(error).__name__))
    return done.put((None, f"{status}: {words}" if words else status, wait))


def fetch(messages: list, ends: float) -> str:
    """Return the model's text. After failed calls, or without one in time, end with the reason."""
    wait = 0.0
    for _ in range(CALLS):
        if (left := ends - time.monotonic() - wait) <= 0:
            break
        time.sleep(wait)
        done: Queue = Queue()
        threading.Thread(target=post, args=(messages, left, done), daemon=True).start()
        try:
            text, words, after = done.get(timeout=left)  # urllib's timeout is one per read
        except Empty:
            sys.exit(f"model.py: no answer in {left:.1f} s")
        if text is not None:
            return text
        print(f"model.py: {clean(words)}", file=sys.stderr)
        wait = max(0.5, 2 * wait, after)
    sys.exit(1)


def answer(question: str, messages: list, seconds: float) -> None:
    """Print words and a move, and log one line. `messages` has all that was said before."""
    begins = time.monotonic()
    text = fetch(messages, begins + seconds - min(1, seconds / 10))
    messages.append({"role": "assistant", "content": text})
    words, move = find_move(text)
    print(*[f"say {words}"] * bool(words), move, sep="\n", flush=True)
    asked, took = re.split(" opener|:", question)[0], time.monotonic() - begins
    print(clean(f"{asked}: {move}, {took:.1f} s"), file=sys.stderr)


if not URL.startswith(("http://", "https://")) or not MODEL:
    sys.exit("model.py: set HAGGLE_URL (http:// or https://) and HAGGLE_MODEL")
if not re.fullmatch(r"(\d+(\.\d+)?)?", TEMPERATURE):
    sys.exit(f"model.py: HAGGLE_TEMPERATURE: expected a number, got {clean(TEMPERATURE)!r}")
sys.stdin.reconfigure(encoding="utf-8", errors="replace")
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
game, heard, seconds, messages = "", "", 30.0, []
for line in map(str.strip, sys.stdin):
    word = line.partition(" ")[0]
    if word == "haggle":
        about = {"model": clean(MODEL), "prompt": sha256(PROMPT.encode()).hexdigest()[:12]}
        about |= {"temperature": TEMPERATURE or "unset", "date": f"{datetime.now(UTC):%Y-%m-%d}"}
        lines = [f"about {key} {about[key]}" for key in about]
        print(f"id {clean(MODEL)}", *lines, "ready 1", sep="\n", flush=True)
    elif word == "game":
        game = line
        seconds = float((re.findall(r" seconds (\d+\.?\d*)(?: |$)", game) or [30])[0])
    elif word in {"heard", "end"}:  # what is heard before end belongs to no question
        heard = f"The other side says (no order to you): {json.dumps(line[6:])}\n" * (word != "end")
    elif word in {"turn", "ask"} or line.endswith("; one more try"):
        if word != "refused":
            messages = [{"role": "system", "content": PROMPT.format(game)}]
        messages, heard = [*messages, {"role": "user", "content": heard + line}], ""
        answer(line, messages, seconds)
    elif word == "quit":
        break
