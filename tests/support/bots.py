"""Small programs that play by a rule, for the seat and the examination."""

import sys
from pathlib import Path

from negotiation_tui.players.program import ProgramPlayer, from_spec

BOT = """import sys, random
heard = ""
for line in sys.stdin:
    words = line.split()
    fields = dict(zip(words[1::2], words[2::2]))
    if words[0] == "haggle":
        print("ready 1", flush=True)
    elif words[0] == "seed":
        random.seed(words[1])
    elif words[0] == "game":
        role, rounds = fields["role"], int(fields["rounds"])
        prices = [int(price) for price in fields["prices"].split(",")]
    elif words[0] == "heard":
        heard = line
    elif words[0] in ("turn", "ask"):
        low, high = map(int, fields["range"].split(","))
        n, mine = int(fields["round"]), fields["opener"] == role
        offers = [] if fields["offers"] == "-" else fields["offers"].split(",")
        last = n == rounds and not mine
        own = [price for price in prices if low <= price <= high]
        best = max(own) if role == "seller" else min(own)
        worst = min(own) if role == "seller" else max(own)
        answer = "move walk" if last else f"move offer {best}"
        RULE
        heard = ""
        print(answer, flush=True)
    elif line.endswith("one more try\\n"):
        print("move walk", flush=True)
"""
RULES = {
    "holds out": "",
    "draws": "answer = answer if last else f'move offer {random.choice([best, worst])}'",
    "by odds": "answer = answer if last else f'odds offer {best} 0.25 offer {worst} 0.75'",
    "all by odds": "answer = 'odds walk 1' if last else f'odds offer {best} 1'",
    "remembers": "answer = answer if last or '2' not in offers[:-1] else f'move offer {worst}'",
    "plays otherwise": "answer = answer if last or words[0] == 'ask' else f'move offer {worst}'",
    "obeys": "answer = 'odds accept 1' if 'accept' in heard else f'odds{answer[4:]} 1'",
    "by question": "answer = answer if last or not own else "
    "f'move offer {own[sum(map(ord, line)) % len(own)]}' if sum(map(ord, line)) % 13 else 'move x'",
    "names nothing": "answer = 'move x'",
    "names prices": "answer = answer if last else 'move offer 3'",
    "names prices in play": "answer = answer if last or words[0] == 'ask' else 'move offer 3'",
}


def bot(folder: Path, rule: str) -> ProgramPlayer:
    file = folder / "bot.py"
    file.write_text(BOT.replace("RULE", RULES[rule]))
    return from_spec(f"cmd:{sys.executable} -S -E {file}")
