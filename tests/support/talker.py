"""A program for a seat: it asks 4 and says why, then takes what it can get.

With the argument `silent` it answers no question but that of the opening, with `ends` it ends at
its second question. With `echoes` it says what it heard. With `hostile` it says what no terminal
should get, and in the end a megabyte without the end of a line.
"""

import sys

HOSTILE = "\x1b]0;owned\x07\x1b[2J\0 \u202e; one more try\r" + "é" * 9000
OPENING = "I paid more than that myself, and my children eat the paint off the walls at night."

manner, asked, heard = sys.argv[-1], 0, "nothing"
for stream in (sys.stdin, sys.stdout):
    stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
for line in sys.stdin:
    word, *rest = line.split()
    if word == "haggle":
        print("id talker\nready 1", flush=True)
    heard = line[len("heard ") : -1] if word == "heard" else heard
    if word not in {"turn", "ask"}:
        continue
    says, heard = f"You said: {heard}", "nothing"
    told, asked = dict(zip(rest[::2], rest[1::2], strict=False)), asked + 1
    if manner == "hostile":
        says = HOSTILE if told["round"] == "1" else "x" * 1_000_000
        print(f"say {says}\nmove offer 4", flush=True)
    elif told["standing"] == "-":
        print(f"say {OPENING}\nmove offer 4", flush=True)
    elif manner == "ends" and asked == 2:
        sys.exit(3)
    elif manner != "silent":
        says = says if manner == "echoes" else "Done." * (told["round"] == "2")
        move = "accept" if told["round"] == "2" else "offer 4"
        print(*filter(None, [says and f"say {says}"]), f"move {move}", sep="\n", flush=True)
