"""The colours of each theme, as numbers of xterm's palette; −1 is the terminal's default.

A pair is a foreground on a background; each style has three pairs, for 256, 16 and 8 colours.
A test demands a contrast of at least 4.5 to 1, and of 7 to 1 in `high-contrast`; of 3 to 1 for the
fills of bars, which have no text. Another test demands seat colours that differ for colour-blind
readers, with 256 and with 16 colours: there the dark red and the bright green.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

DEFAULT = -1
LEVELS = 7
"""Number of colours in a heat map."""
HEIGHTS = "▁▂▃▄▅▆▇"
"""A sign for each of these colours, in the same order."""
Pair = tuple[int, int]
Pairs = tuple[Pair, Pair, Pair]
_USUAL = ((DEFAULT, DEFAULT),) * 3

ATTRIBUTES = {
    "normal": "",
    "bold": "bold",
    "title": "reverse",
    "faint": "",
    "heading": "",
    "focus": "bold",
    "key": "bold",
    "message": "bold",
    "buyer": "bold",
    "seller": "bold",
    "buyer-range": "",
    "seller-range": "",
    "buyer-trail": "",
    "seller-trail": "",
    "buyer-mark": "bold",
    "seller-mark": "bold",
    "deal": "bold",
    "deal-flash": "bold",
    "no-deal": "bold",
    "wrong": "bold",
    "chosen": "bold underline",
}
"""The attributes of each style, in every theme."""
WITHOUT_COLOUR = {
    "buyer-mark": "reverse",
    "seller-mark": "reverse",
    "deal": "reverse bold",
    "wrong": "reverse",
}
"""Other attributes of a style, on a terminal without colour."""


class Palette(NamedTuple):
    """The colours of a theme."""

    pairs: Mapping[str, Pairs]
    """The colours by style; every other style has those of `normal`."""
    heat: Sequence[Pairs]
    """From the lowest values to the highest."""
    signs: Sequence[Pairs]
    """The colours of HEIGHTS, on the ground of normal text."""
    normal: Pairs = _USUAL
    """The colours of normal text."""
    on_light: bool = False


def _seats(
    texts: tuple[Pairs, Pairs], marks: tuple[Pairs, Pairs], fills: tuple[Pairs, Pairs] | None = None
) -> Mapping[str, Pairs]:
    """Return the styles of buyer and seller; without `fills` bars have the colours of text."""
    kinds = {"": texts, "-mark": marks, "-range": fills or texts, "-trail": fills or texts}
    return {
        f"{seat}{kind}": pairs
        for kind, both in kinds.items()
        for seat, pairs in zip(("buyer", "seller"), both, strict=True)
    }


def _signs(
    many: Sequence[int], sixteen: Sequence[int], eight: Sequence[int], ground: Pairs
) -> Sequence[Pairs]:
    inks = many, sixteen, eight
    pairs = ([(ink, on) for ink in some] for some, (_, on) in zip(inks, ground, strict=True))
    return _ramp(*pairs)


def _ramp(many: Sequence[Pair], sixteen: Sequence[Pair], eight: Sequence[Pair]) -> Sequence[Pairs]:
    return tuple(zip(many, sixteen, eight, strict=True))


DARK = Palette(
    {
        "faint": ((244, -1), (-1, -1), (-1, -1)),
        "heading": ((244, -1), (-1, -1), (-1, -1)),
        **_seats(
            (((40, -1), (10, -1), (2, -1)), ((167, -1), (9, -1), (1, -1))),
            (((16, 120), (0, 10), (0, 2)), ((231, 160), (15, 1), (7, 1))),
            (((40, -1), (10, -1), (2, -1)), ((167, -1), (1, -1), (1, -1))),
        ),
        "focus": ((75, -1), (14, -1), (6, -1)),
        "deal": ((16, 202), (0, 11), (0, 3)),
        "deal-flash": ((16, 46), (0, 15), (0, 7)),
        "no-deal": ((202, -1), (9, -1), (1, -1)),
        "wrong": ((231, 124), (15, 1), (7, 1)),
    },
    _ramp(
        ((231, 53), (231, 24), (16, 30), (16, 36), (16, 78), (16, 148), (16, 220)),
        ((15, 5), (15, 4), (0, 6), (0, 6), (0, 10), (0, 11), (0, 11)),
        ((7, 4), (7, 4), (7, 4), (0, 6), (0, 6), (0, 2), (0, 3)),
    ),
    _signs(
        (133, 69, 38, 43, 78, 148, 220), (13, 13, 14, 14, 10, 10, 11), (6, 6, 6, 2, 2, 3, 3), _USUAL
    ),
)
BLUE_ORANGE = DARK._replace(
    pairs={
        **DARK.pairs,
        "focus": ((231, -1), (15, -1), (7, -1)),
        **_seats(
            (((39, -1), (14, -1), (6, -1)), ((208, -1), (3, -1), (3, -1))),
            (((16, 117), (0, 14), (0, 6)), ((16, 214), (0, 3), (0, 3))),
        ),
        "deal": ((16, 252), (0, 7), (0, 7)),
        "deal-flash": ((16, 231), (0, 15), (0, 2)),
        "no-deal": ((231, -1), (15, -1), (7, -1)),
    }
)
LIGHT = Palette(
    {
        "faint": ((241, -1), (-1, -1), (-1, -1)),
        "heading": ((241, -1), (-1, -1), (-1, -1)),
        **_seats(
            (((29, -1), (4, -1), (4, -1)), ((160, -1), (1, -1), (1, -1))),
            (((231, 23), (15, 4), (7, 4)), ((231, 88), (15, 1), (7, 1))),
        ),
        "focus": ((25, -1), (4, -1), (4, -1)),
        "deal": ((16, 214), (0, 10), (0, 2)),
        "deal-flash": ((16, 46), (0, 11), (0, 3)),
        "no-deal": ((160, -1), (1, -1), (1, -1)),
        "wrong": ((231, 124), (15, 1), (7, 1)),
    },
    _ramp(
        ((16, 230), (16, 193), (16, 115), (16, 73), (16, 31), (231, 25), (231, 18)),
        ((0, 11), (0, 14), (0, 10), (0, 6), (0, 6), (15, 4), (15, 4)),
        ((0, 3), (0, 3), (0, 6), (0, 6), (0, 2), (7, 4), (7, 4)),
    ),
    _signs((94, 28, 29, 24, 25, 19, 18), (5, 5, 12, 12, 4, 4, 4), (5, 5, 5, 4, 4, 4, 4), _USUAL),
    on_light=True,
)
_WHITE_ON_BLACK = ((231, 16), (15, 0), (7, 0))
HIGH_CONTRAST = Palette(
    {
        "focus": ((226, 16), (11, 0), (3, 0)),
        **_seats(
            (((123, 16), (14, 0), (6, 0)), ((228, 16), (11, 0), (3, 0))),
            (((16, 123), (0, 14), (0, 6)), ((16, 228), (0, 11), (0, 3))),
            (((80, 16), (14, 0), (6, 0)), ((185, 16), (11, 0), (3, 0))),
        ),
        "deal": ((16, 46), (0, 10), (0, 2)),
        "deal-flash": ((16, 231), (0, 15), (0, 7)),
        "no-deal": ((16, 231), (0, 15), (0, 7)),
        "wrong": ((16, 231), (0, 15), (0, 7)),
    },
    _ramp(
        ((231, 17), (231, 54), (231, 24), (16, 37), (16, 78), (16, 148), (16, 226)),
        ((15, 0), (15, 4), (15, 4), (0, 6), (0, 10), (0, 14), (0, 11)),
        ((7, 0), (7, 4), (7, 4), (0, 2), (0, 6), (0, 3), (0, 7)),
    ),
    _signs(
        (219, 183, 117, 123, 120, 191, 226),
        (14, 14, 14, 10, 10, 11, 11),
        (6, 6, 6, 2, 2, 3, 3),
        _WHITE_ON_BLACK,
    ),
    _WHITE_ON_BLACK,
)
