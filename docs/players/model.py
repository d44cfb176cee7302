"""A language model in a seat: any endpoint of the common chat-completions form.

export HAGGLE_URL=http://localhost:11434/v1/chat/completions HAGGLE_MODEL=llama3.2
negotiation-tui --seller 'cmd:python3 docs/players/model.py'
HAGGLE_KEY holds the key, if the endpoint wants one. Only that address gets the key.
"""

import json
import os
import re
import sys
import threading
import time
from http.client import HTTPException
from queue import Empty, Queue
from urllib.request import HTTPError, Request, urlopen

URL, MODEL, KEY = (os.environ.get(f"HAGGLE_{n}", "").strip() for n in ("URL", "MODEL", "KEY"))
PROMPT = """You bargain about one price. The rules, as keys and values: {}
In each round the opener acts, then the other side. A deal at price p earns the seller
(p - worth) / width, the buyer (worth - p) / width, times its delta (if given) per earlier offer;
no deal earns 0. Hidden worths are drawn: worths lists yours, other-worths theirs, with weights.
The first move must be an offer. After an offer of the last round only accept and walk are left.
Offer, and accept, only prices within your range. Write one short sentence to the other side, then
your move alone on the last line: "move offer P", "move accept" or "move walk"."""
MOVE = re.compile(r"(?ai)[\s*`>-]*move[\s*`:]+(?:(offer)[\s*`:$]+(-?\d+)|(accept|walk))[\s*`.!]*")
TRIES = 2  # answers of the model per question


def clean(text: str) -> str:
    """Return text as one printable line of at most 500 characters, without the key."""
    text = text.replace(KEY, "***") if KEY else text
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:500]


def find_move(answer: str) -> tuple[str, str]:
    """Return the words before the last line that has a move, and the move."""
    lines = re.sub(r"(?s)<think>.*?</think>", "", answer).splitlines()
    for at in reversed(range(len(lines))):
        if found := MOVE.fullmatch(lines[at]):
            move = " ".join(["move", *filter(None, found.groups())])
            return clean(" ".join(lines[:at])), move.lower()
    return "", ""


def post(messages: list, seconds: float, done: Queue) -> None:
    """Ask the model once. Put the text, the seconds to wait before another try, and a note."""
    body = json.dumps({"model": MODEL, "messages": messages}).encode()
    try:
        request = Request(URL, body, {"Content-Type": "application/json"})  # noqa: S310
        if KEY:
            request.add_unredirected_header("Authorization", f"Bearer {KEY}")
        with urlopen(request, timeout=seconds) as reply:  # noqa: S310
            text = json.loads(reply.read(1_000_000))["choices"][0]["message"]["content"]
        done.put((str(text), None, ""))
    except HTTPError as error:
        after = error.headers.get("Retry-After", "")
        wait = float(after) if after.isdecimal() else 0
        busy = error.code == 429 or error.code >= 500
        done.put((None, wait if busy else None, f"{error.code} {error.reason}"))
    except (OSError, HTTPException) as error:  # refused, closed, cut off
        done.put((None, 0, str(getattr(error, "reason", type(error).__name__))))
    except Exception as error:  # not JSON, or not of the form
        done.put(("", None, f"unreadable answer ({type(error).__name__})"))


def fetch(messages: list, ends: float, notes: list[str]) -> str | None:
    """Return the model's text, or None without one in time. A busy server is asked again."""
    wait = 0.0
    while (left := ends - time.monotonic() - wait) > 0:
        time.sleep(wait)
        done: Queue = Queue()
        threading.Thread(target=post, args=(messages, left, done), daemon=True).start()
        try:
            text, after, note = done.get(timeout=left)  # urllib's timeout is one per read
        except Empty:
            break
        notes.append(note)
        if after is None:
            return text
        wait = max(0.5, 2 * wait, after)
    return None


def answer(question: str, messages: list, seconds: float) -> None:
    """Print words and a move, and log one line. `messages` has all that was said before."""
    begins = time.monotonic()
    ends, notes, words, move = begins + seconds - min(1, seconds / 10), [], "", ""
    while not move and len(messages) < 2 + 2 * TRIES:  # each try adds its answer and a complaint
        if (text := fetch(messages, ends, notes)) is None:
            break
        messages.append({"role": "assistant", "content": text})
        words, move = find_move(text)
        messages += [] if move else [{"role": "user", "content": "The last line must be a move."}]
    if words:
        print("say", words)
    print(move or "move walk", flush=True)
    log = [*filter(None, notes), move or "no move: walk", f"{time.monotonic() - begins:.1f} s"]
    print(clean(f"{re.split(' opener|:', question)[0]}: {', '.join(log)}"), file=sys.stderr)


if not URL.startswith(("http://", "https://")) or not MODEL:
    sys.exit("model.py: set HAGGLE_URL (http:// or https://) and HAGGLE_MODEL")
sys.stdin.reconfigure(encoding="utf-8", errors="replace")
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
game, seconds, messages = "", 30.0, []
for line in map(str.strip, sys.stdin):
    word = line.partition(" ")[0]
    if word == "haggle":
        print(f"id {clean(MODEL)}\nready 1", flush=True)
    elif word == "game":
        game = line
        seconds = float((re.findall(r" seconds (\d+\.?\d*)(?: |$)", game) or [30])[0])
    elif word in {"turn", "ask"} or line.endswith("; one more try"):
        if word != "refused":
            messages = [{"role": "system", "content": PROMPT.format(game)}]
        messages.append({"role": "user", "content": line})
        answer(line, messages, seconds)
    elif word == "quit":
        break
