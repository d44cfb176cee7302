"""A program for a seat: it asks 4 and says why, then takes what it can get.

With the argument `silent` it answers no question but that of the opening, with `ends` it ends at
its second question.
"""

import sys

OPENING = "I paid more than that myself, and my children eat the paint off the walls at night."

manner, asked = sys.argv[-1], 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "haggle":
        print("id talker\nready 1", flush=True)
    if word not in {"turn", "ask"}:
        continue
    told, asked = dict(zip(rest[::2], rest[1::2], strict=False)), asked + 1
    if told["standing"] == "-":
        print(f"say {OPENING}\nmove offer 4", flush=True)
    elif manner == "ends" and asked == 2:
        sys.exit(3)
    elif manner != "silent":
        print("say Done.\nmove accept" if told["round"] == "2" else "move offer 4", flush=True)
