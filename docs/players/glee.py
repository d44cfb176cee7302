"""An agent of GLEE's bargaining game in a seat: GLEE's messages in, our words out, and back.

cmd:python3 docs/players/glee.py simple    even splits; it accepts 40 % (an example of glee-sdk)
cmd:python3 docs/players/glee.py naive     even splits; it accepts every offer (of glee-sdk, too)
cmd:python3 docs/players/glee.py demo      all by chance (DemoPlayer of the framework)
cmd:python3 docs/players/glee.py reject    as demo, but it rejects every offer
cmd:python3 docs/players/glee.py FILE.py   your strategy(game), as for glee-sdk: it is run

In GLEE (arXiv 2410.05254) Alice and Bob divide money. In each round one of them makes an offer, and
the other accepts or rejects; then they change places. In the seat Alice is the opener, and the
money is what a deal earns both. An offer becomes the nearest price in range. Where GLEE has no
rule, there is one here: an offer out of range is rejected, because in GLEE nobody can lose; and
with hidden limits the money is what the best price earns.
"""

import random
import runpy
import sys
from collections.abc import Callable


def simple(game: dict, least: float = 0.4) -> dict:
    state = game["game_state"]
    if game["phase"] == "offer":
        half = state["money_to_divide"] / 2
        return {"alice_gain": half, "bob_gain": half, "message": "Fair split?"}
    enough = state["last_offer"][game["your_player"] + "_gain"] >= least * state["money_to_divide"]
    return {"decision": "accept" if enough else "reject"}


def naive(game: dict) -> dict:
    return simple(game, least=0)


def demo(game: dict, accepts: bool = True) -> dict:
    state = game["game_state"]
    if game["phase"] == "decision":  # in the first round it is Bob's first turn: it rejects
        accepts = accepts and state["round"] > 1 and random.randint(0, 1)  # noqa: S311
        return {"decision": "accept" if accepts else "reject"}
    own = random.randint(0, state["money_to_divide"])  # noqa: S311
    gains = own, state["money_to_divide"] - own
    alice, bob = gains if game["your_player"] == "player_1" else gains[::-1]
    return {"alice_gain": alice, "bob_gain": bob, "message": "I think this is a fair deal"}


def reject(game: dict) -> dict:
    return demo(game, accepts=False)


def pairs(line: str) -> dict:
    words = line.split()[1:]
    return dict(zip(words[::2], words[1::2], strict=False))


def read(asked: dict, rules: dict) -> dict:
    """Return a question in GLEE's terms. Raises KeyError or ValueError for another line."""
    low, high = map(int, asked["range"].split(","))
    own = [price for price in map(int, rules["prices"].split(",")) if low <= price <= high]
    worth, sign = int(asked["worth"]), 1 if rules["role"] == "seller" else -1
    gains = {price: sign * (price - worth) for price in own}
    other, mine = rules["other-worth"], asked["opener"] == rules["role"]
    money = max(gains.values()) if other == "-" else sign * (int(other) - worth)
    standing = None if asked["standing"] == "-" else int(asked["standing"])
    gained = None if standing is None else sign * (standing - worth)
    number = 2 * int(asked["round"]) - 1 - mine  # GLEE's round of the offer on the table
    deltas = [float(rules.get(key, 1)) for key in ("delta", "other-delta")]
    return {
        "gains": gains,
        "money": money,
        "standing": standing,
        "gained": gained,
        "number": number,
        "last": 2 * int(rules["rounds"]) - 1,
        "me": "player_1" if mine else "player_2",
        "other": "player_2" if mine else "player_1",
        "deltas": deltas if mine else deltas[::-1],
    }


def glee(phase: str, number: int, place: dict, heard: str) -> dict:
    """Return a position as GLEE's message that asks for an offer or a decision."""
    me, other, money, offer = place["me"], place["other"], place["money"], None
    if place["standing"] is not None:
        offer = {f"{me}_gain": place["gained"], f"{other}_gain": money - place["gained"]}
        offer |= {"message": heard, "proposer": other, "round": place["number"]}
    fields = {"decision": "'accept', 'reject', or 'walkaway'"}
    if phase == "offer":
        fields = {"alice_gain": "number", "bob_gain": "number", "message": "string (optional)"}
    state = {
        "phase": phase,
        "current_player": me,
        "proposer": me if phase == "offer" else other,
        "round": number,
        "max_rounds": place["last"],
        "horizon_known": True,
        "money_to_divide": money,
        "delta_1": place["deltas"][0],
        "delta_2": place["deltas"][1],
        "last_offer": offer,
        "messages_allowed": True,
        "complete_information": True,
    }
    return {
        "game_id": "haggle",
        "game_family": "bargaining",
        "your_player": me,
        "phase": phase,
        "opponent": {"type": "hidden", "name": None},
        "game_state": state,
        "valid_actions": {"type": phase, "fields": fields},
        "prompt": f"Divide {money}. It is round {number}: send your {phase}.",
    }


def answer(place: dict, heard: str, strategy: Callable[[dict], dict]) -> list[str]:
    """Return the words, if any, and the move of an agent in a position."""
    gains, number = place["gains"], place["number"]
    if place["standing"] is not None:
        decision = "reject"
        if place["standing"] in gains:
            decision = strategy(glee("decision", number, place, heard))["decision"]
        if decision == "accept":
            return ["move accept"]
        if decision == "walkaway" or number == place["last"]:
            return ["move walk"]
    action = strategy(glee("offer", number + 1, place, heard))
    alice, bob = action["alice_gain"], action["bob_gain"]
    if alice + bob != place["money"]:
        return [f"say The gains must be {place['money']} in all.", "move none"]
    own, said = alice if place["me"] == "player_1" else bob, str(action.get("message") or "")
    price = min(gains, key=lambda each: (abs(gains[each] - own), -gains[each]))
    return [*[f"say {' '.join(said.split())[:500]}"] * bool(said), f"move offer {price}"]


NAMED = {"simple": simple, "naive": naive, "demo": demo, "reject": reject}
name = sys.argv[-1]
if name not in NAMED and not (len(sys.argv) == 2 and name.endswith(".py")):
    sys.exit(f"glee.py: expected {', '.join(NAMED)} or FILE.py, got {sys.argv[1:]}")
strategy = NAMED.get(name) or runpy.run_path(name)["strategy"]
sys.stdin.reconfigure(encoding="utf-8", errors="replace")
sys.stdout.reconfigure(encoding="utf-8", errors="replace")
rules, asked, heard = {}, {}, ""
for line in map(str.strip, sys.stdin):
    word = line.partition(" ")[0]
    if word == "haggle":
        print(f"id glee {name}\nready 1", flush=True)
    elif word == "seed":
        random.seed(line)
    elif word == "game":
        rules = pairs(line)
    elif word in {"heard", "end"}:  # what is heard before end belongs to no question
        heard = line[6:] * (word == "heard")
    elif word in {"turn", "ask"} or line.endswith("; one more try"):
        asked = asked if word == "refused" else pairs(line)
        try:
            place = read(asked, rules)
        except (KeyError, ValueError):
            print("move none", flush=True)  # half a question
            continue
        print(*answer(place, heard, strategy), sep="\n", flush=True)
        heard = ""
    elif word == "quit":
        break
