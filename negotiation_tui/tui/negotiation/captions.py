"""The text of captions, in pages that fit on one line of the screen. Pure."""

import textwrap

from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.tui.toolkit.keys import Keys

_LEAST = 20
"""The narrowest page in columns."""
_ON = " …"
"""The end of a page in mid-sentence."""
_MARGINS = 4
"""The columns of the mark and of the margins."""


def pages(fact: Fact, keys: Keys, width: int) -> list[str]:
    """Return the sentences of a fact for a screen, as many on a page as fit; long ones divided."""
    sentences = [keys.format(sentence) for sentence in fact.says]
    if fact.cycle:
        sentences[0] = f"Cycle {fact.cycle:,}: {sentences[0]}"
    room, filled = max(_LEAST, width - _MARGINS), list[str]()
    for sentence in sentences:
        if filled and len(f"{filled[-1]} {sentence}") <= room:
            filled[-1] += f" {sentence}"
        elif len(sentence) <= room:
            filled.append(sentence)
        else:
            *begun, last = textwrap.wrap(sentence, room - len(_ON))
            filled += [*(part + _ON for part in begun), last]
    return filled
