"""The appearance of each style: five themes, each with 256, 16, 8 colours or none.

Normal text has the terminal's own colours, except in `high-contrast`, which sets the background.
The colours of heat maps rise or fall in brightness, so they are safe for colour-blind readers.
They have one hue, which no seat has, and with 16 or 8 colours none. The best is bold, and with few
colours underlined too, because bold may be missing there.
With few colours, bold, reverse and the characters themselves say what colour would say.

A test demands a contrast of at least 4.5 to 1, and of 7 to 1 in `high-contrast`; of 3 to 1 for the
fills of bars, which have no text. Another test demands seat colours that differ for colour-blind
readers, with 256 and with 16 colours: there the dark red and the bright green.
"""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

OWN_COLOUR = -1  # the terminal's own colour; the others are numbers of xterm's palette
LEVELS = 7  # number of colours in a heat map
_STYLES = """
style        | all | dark             | light            | mono | high-contrast   | blue-orange
normal       |     | -1 -1 -1         | -1 -1 -1         |      | 231/16 15/0 7/0 | -1 -1 -1
bold         | b   |                  |                  |      |                 |
title        | r   |                  |                  |      |                 |
faint        |     | 244 -1 -1        | 241 -1 -1        |      |                 | 244 -1 -1
heading      |     | 244 -1 -1        | 241 -1 -1        |      |                 | 244 -1 -1
focus        | b   | 75 14 6          | 25 4 4           |      | 226/16 11/0 3/0 | 231 15 7
key          | b   |                  |                  |      |                 |
message      | b   |                  |                  |      |                 |
buyer        | b   | 40 10 2          | 29 4 4           |      | 123/16 14/0 6/0 | 39 14 6
seller       | b   | 167 9 1          | 160 1 1          |      | 228/16 11/0 3/0 | 208 3 3
buyer-range  |     | 40 10 2          | 29 4 4           |      | 80/16 14/0 6/0  | 39 14 6
seller-range |     | 167 1 1          | 160 1 1          |      | 185/16 11/0 3/0 | 208 3 3
buyer-trail  |     | 40 10 2          | 29 4 4           |      | 80/16 14/0 6/0  | 39 14 6
seller-trail |     | 167 1 1          | 160 1 1          |      | 185/16 11/0 3/0 | 208 3 3
buyer-mark   | b   | 16/120 0/10 0/2  | 231/23 15/4 7/4  | r    | 16/123 0/14 0/6 | 16/117 0/14 0/6
seller-mark  | b   | 231/160 15/1 7/1 | 231/88 15/1 7/1  | r    | 16/228 0/11 0/3 | 16/214 0/3 0/3
deal         | b   | 16/202 0/11 0/3  | 16/214 0/10 0/2  | rb   | 16/46 0/10 0/2  | 16/252 0/7 0/7
no-deal      | b   | 202 9 1          | 160 1 1          |      | 16/231 0/15 0/7 | 231 15 7
wrong        | b   | 231/124 15/1 7/1 | 231/124 15/1 7/1 | r    | 16/231 0/15 0/7 | 231/124 15/1 7/1
chosen       | bu  |                  |                  |      |                 |
heat0        |     | 231/54 15/0 7/0  | 16/225 0/15 0/7  |      | 231/233 15/0 7/0 | 231/54 15/0 7/0
heat1        |     | 231/91 15/0 7/0  | 16/183 0/7 0/7   |      | 231/236 15/0 7/0 | 231/91 15/0 7/0
heat2        |     | 231/97 0/8 7/0   | 16/140 0/7 0/7   |      | 231/239 15/0 7/0 | 231/97 0/8 7/0
heat3        |     | 16/134 0/8 7/0   | 16/134 0/8 7/0   |      | 16/247 0/7 7/0  | 16/134 0/8 7/0
heat4        |     | 16/140 0/7 0/7   | 231/97 0/8 7/0   |      | 16/250 0/7 0/7  | 16/140 0/7 0/7
heat5        |     | 16/183 0/7 0/7   | 231/91 15/0 7/0  |      | 16/253 0/7 0/7  | 16/183 0/7 0/7
heat6        |     | 16/225 0/15 0/7  | 231/54 15/0 7/0  |      | 16/231 0/15 0/7 | 16/225 0/15 0/7
"""
"""The attributes of each style in all themes, then its colours in each: the foreground, or
foreground/background, with 256, 16 and 8 colours; those of `normal` if there are none. `mono` has
other attributes, if any, in place of colours."""
_ATTRIBUTES = {"b": "bold", "r": "reverse", "u": "underline"}
_VARIANTS = {"": "", "-best": "b", "-chosen": "bu"}
"""The attributes of the variants of each colour in a heat map."""


class Appearance(NamedTuple):
    """Foreground and background by number, and attributes."""

    foreground: int = OWN_COLOUR
    background: int = OWN_COLOUR
    attributes: frozenset[str] = frozenset()


_KINDS = 256, 16, 8, 0
Style = Mapping[int, Appearance]  # one style on each kind of terminal, by its number of colours
Theme = Mapping[str, Style]  # every style by its name


def kind_of(colours: int) -> int:
    """Return the number of colours that a terminal makes use of."""
    return next(kind for kind in _KINDS if kind <= max(0, colours))


@cache
def styles_of(theme: str) -> Theme:
    """Return the styles of a theme of `THEMES`."""
    styles = {}
    for style, row in _ROWS.items():
        for variant, text in (_VARIANTS if style[-1].isdigit() else {"": row["all"]}).items():
            c256 = c16 = c8 = mono = _appearance("", row["mono"] or text)
            if theme != "mono":
                colours = row[theme] or _ROWS["normal"][theme]
                first, *few = colours.split()
                c256 = _appearance(first, text)
                looks = (_appearance(each, "bu" if variant else text) for each in few)
                c16, c8 = (_steady(look, on_light=theme == "light") for look in looks)
            styles[style + variant] = dict(zip(_KINDS, (c256, c16, c8, mono), strict=True))
    return styles


def _appearance(colours: str, text: str) -> Appearance:
    foreground, _, background = colours.partition("/")
    attributes = frozenset(_ATTRIBUTES[letter] for letter in text)
    return Appearance(int(foreground or OWN_COLOUR), int(background or OWN_COLOUR), attributes)


def _steady(look: Appearance, on_light: bool) -> Appearance:
    """Drop bold if it would make the text too bright to read.

    With few colours many terminals show bold black as grey, and bold colours as light ones,
    which can be read on a dark background only.
    """
    fades = look.foreground == 0 or (look.foreground > 0 and on_light)
    return look._replace(attributes=look.attributes - {"bold"}) if fades else look


_HEAD, *_LINES = ([cell.strip() for cell in line.split("|")] for line in _STYLES.split("\n")[1:-1])
_ROWS = {style: dict(zip(_HEAD[1:], row, strict=True)) for style, *row in _LINES}
THEMES = tuple(_HEAD[2:])
"""For a dark background, for a light one, without colour, with the highest contrast, and for a dark
background with the buyer blue and the seller orange."""


def heat(share: float) -> str:
    """Return the style of a value by its share, 0 to 1, of the way from low to high."""
    return f"heat{max(0, min(LEVELS - 1, int(share * LEVELS)))}"
