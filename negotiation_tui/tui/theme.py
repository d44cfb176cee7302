"""What style names look like with 256, 16, 8 colours or none.

Normal text keeps the terminal's own colours. The heat map's ramp is safe for colour-blind eyes.
Where colours are few, bold, reverse and the glyphs themselves carry what colour would.
"""

from typing import NamedTuple

DEFAULT = -1
HEAT = (53, 24, 30, 36, 78, 148, 220)


class Look(NamedTuple):
    """Foreground and background by number (−1 the terminal's own), and attributes."""

    foreground: int = DEFAULT
    background: int = DEFAULT
    attributes: frozenset[str] = frozenset()


class Style(NamedTuple):
    """One style on each kind of terminal."""

    c256: Look
    c16: Look
    c8: Look
    mono: Look

    def look(self, colours: int) -> Look:
        """How it looks on a terminal with so many colours."""
        if colours >= 256:
            return self.c256
        if colours >= 16:
            return self.c16
        return self.c8 if colours >= 8 else self.mono


def _look(foreground: int, background: int, attributes: str = "") -> Look:
    return Look(foreground, background, frozenset(attributes.split()))


def _style(
    c256: tuple[int, int],
    c16: tuple[int, int],
    c8: tuple[int, int],
    attributes: str = "",
    mono: str = "",
) -> Style:
    return Style(
        _look(*c256, attributes),
        _look(*c16, attributes),
        _look(*c8, attributes),
        _look(DEFAULT, DEFAULT, mono),
    )


def _plain(attributes: str = "") -> Style:
    nothing = DEFAULT, DEFAULT
    return _style(nothing, nothing, nothing, attributes, attributes)


def _heat(level: int) -> Style:
    dark = level < 3
    return _style(
        (231 if dark else 16, HEAT[level]),
        (15 if dark else 0, (5, 4, 6, 6, 10, 11, 11)[level]),
        (7 if dark else 0, (5, 4, 4, 6, 6, 2, 3)[level]),
    )


STYLES: dict[str, Style] = {
    "normal": _plain(),
    "bold": _plain("bold"),
    "title": _plain("reverse"),
    "faint": _style((244, -1), (-1, -1), (-1, -1)),
    "heading": _style((244, -1), (-1, -1), (-1, -1)),
    "focus": _plain("bold"),
    "key": _plain("bold"),
    "message": _plain("bold"),
    "buyer": _style((35, -1), (2, -1), (2, -1), "bold", "bold"),
    "seller": _style((167, -1), (1, -1), (1, -1), "bold", "bold"),
    "buyer-range": _style((29, 158), (2, -1), (2, -1)),
    "seller-range": _style((131, 217), (1, -1), (1, -1)),
    "buyer-trail": _style((36, 158), (10, -1), (2, -1), "bold"),
    "seller-trail": _style((130, 217), (9, -1), (1, -1), "bold"),
    "buyer-mark": _style((231, 29), (15, 2), (7, 2), "bold", "reverse"),
    "seller-mark": _style((231, 124), (15, 1), (7, 1), "bold", "reverse"),
    "deal": _style((46, 202), (10, 9), (2, 1), "bold", "reverse bold"),
    "deal-flash": _style((202, 46), (9, 10), (1, 2), "bold", "bold"),
    "no-deal": _style((202, -1), (9, -1), (1, -1), "bold", "bold"),
    "wrong": _style((231, 124), (15, 1), (7, 1), "bold", "reverse"),
    "chosen": _plain("bold underline"),
    **{f"heat{level}": _heat(level) for level in range(len(HEAT))},
}


def _with(style: Style, attribute: str) -> Style:
    return Style(*(look._replace(attributes=look.attributes | {attribute}) for look in style))


for _level in range(len(HEAT)):
    STYLES[f"heat{_level}-best"] = _with(STYLES[f"heat{_level}"], "bold")
    STYLES[f"heat{_level}-chosen"] = _with(STYLES[f"heat{_level}-best"], "underline")
