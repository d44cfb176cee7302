"""The themes: contrast as one would measure it, and no fact told by colour alone."""

from itertools import product
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from negotiation_tui.tui.toolkit.svg import xterm
from negotiation_tui.tui.toolkit.theme import (
    LEVELS,
    OWN_COLOUR,
    THEMES,
    Appearance,
    kind_of,
    styles_of,
)

COLOURS = (256, 16, 8)
GROUNDS = {"dark": (7, 0), "light": (0, 15), "high-contrast": (7, 0), "blue-orange": (7, 0)}
"""Colours in place of the terminal's own: grey on black, black on white."""
LEAST = {"dark": 4.5, "light": 4.5, "high-contrast": 7.0, "blue-orange": 4.5}
FILLS = {f"{role}-{kind}" for role in ("seller", "buyer") for kind in ("range", "trail")}
"""What has no text, and so needs a contrast of 3 (WCAG 2.1, 1.4.11)."""
BASIC = bytes.fromhex(
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"
    "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
)
"""Red, green and blue of each of 16 colours, as xterm has them."""
HEAT = [f"heat{level}" for level in range(LEVELS)]


def linear(colour: int) -> NDArray[np.float64]:
    """Linear red, green and blue of a colour of xterm's usual palette, each from 0 to 1."""
    basic = BASIC[3 * colour : 3 * colour + 3]
    parts = np.array([*(basic or bytes.fromhex(xterm(colour, "")[1:]))]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(colour: int) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(look: Appearance, theme: str, bold_is_bright: bool) -> float:
    usual = GROUNDS[theme]
    ink = usual[0] if look.foreground == OWN_COLOUR else look.foreground
    paper = usual[1] if look.background == OWN_COLOUR else look.background
    if bold_is_bright and "bold" in look.attributes and 0 <= look.foreground < 8:
        ink += 8
    low, high = sorted((luminance(ink), luminance(paper)))
    return (high + 0.05) / (low + 0.05)


def test_colours_change_on_purpose_only() -> None:
    """They were chosen by eye: after another choice write its number here."""
    looks = sorted(
        (theme, name, *(f"{look[:2]} {sorted(look.attributes)}" for look in style.values()))
        for theme, styles in ((each, styles_of(each)) for each in THEMES)
        for name, style in styles.items()
    )
    assert crc32(repr(looks).encode()) == 1967732711
    assert len({frozenset(theme) for theme in map(styles_of, THEMES)}) == 1, (
        "all have the same styles"
    )


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("theme", LEAST)
def test_text_can_be_read(theme: str, colours: int) -> None:
    """With 8 colours bold red on black is bright, as xterm shows it: there is no other."""
    looks = {name: style[colours] for name, style in styles_of(theme).items()}
    bright = {name: contrast(look, theme, True) for name, look in looks.items()}
    plain = {name: contrast(look, theme, False) for name, look in looks.items()}
    few_reds = {"seller", "no-deal"} if (theme, colours) == ("dark", 8) else set()
    for contrasts, known in ((bright, set()), (plain, few_reds)):
        low = {name for name, found in contrasts.items() if found < LEAST[theme]}
        assert low - FILLS == known
        assert all(contrasts[name] >= 3 for name in FILLS)


@pytest.mark.parametrize(
    ("colours", "limit"), [(1 << 24, 256), (256, 256), (88, 16), (16, 16), (8, 8), (0, 0)]
)
@pytest.mark.parametrize("theme", THEMES)
def test_a_style_keeps_to_the_colours_there_are(theme: str, colours: int, limit: int) -> None:
    for style in styles_of(theme).values():
        look = style[kind_of(colours)]
        assert {look.foreground, look.background} <= {OWN_COLOUR, *range(limit)}
        assert look.attributes <= {"bold", "reverse", "underline"}


@pytest.mark.parametrize(
    ("theme", "rises"), [("dark", 1), ("light", -1), ("high-contrast", 1), ("blue-orange", 1)]
)
def test_a_heat_ramp_goes_one_way_in_brightness(theme: str, rises: int) -> None:
    """From the ground away, so that what is worth most stands out most, in grey as well."""
    steps = [rises * luminance(styles_of(theme)[name][256].background) for name in HEAT]
    assert steps == sorted(steps)
    assert len(set(steps)) == LEVELS


def test_values_have_no_hue_of_a_seat() -> None:
    """With few colours they are shades; light and dark give them one hue."""
    for theme, colours in product(LEAST, COLOURS):
        styles, seats = styles_of(theme), ("seller", "buyer", "seller-range", "buyer-range")
        for look in (styles[name][colours] for name in HEAT):
            if colours < 256:
                assert {look.foreground, look.background} <= {0, 7, 8, 15}
                continue
            for seat in seats:
                assert difference(look.background, styles[seat][256].foreground, "usual") >= 25
    dark, light = ([styles_of(each)[name][256][:2] for name in HEAT] for each in ("dark", "light"))
    assert dark == light[::-1]


def matrix(numbers: str) -> NDArray[np.float64]:
    return np.array(numbers.split(), np.float64).reshape(3, 3)


LINEAR_TO_XYZ = matrix("""
    0.4124564 0.3575761 0.1804375
    0.2126729 0.7151522 0.0721750
    0.0193339 0.1191920 0.9503041""")
"""From linear sRGB with the white D65 (IEC 61966-2-1)."""
SIGHTS = {
    "usual": np.eye(3),
    "protanopia": matrix("""
        0.152286 1.052583 -0.204868
        0.114503 0.786281 0.099216
        -0.003882 -0.048116 1.051998"""),
    "deuteranopia": matrix("""
        0.367322 0.860646 -0.227968
        0.280085 0.672501 0.047413
        -0.011820 0.042940 0.968881"""),
}
"""What linear RGB becomes (Machado, Oliveira and Fernandes 2009, severity 1.0)."""


def lab(colour: int, sight: str) -> NDArray[np.float64]:
    """CIE 1976 L*a*b* of a colour of xterm's palette."""
    seen = np.clip(SIGHTS[sight] @ linear(colour), 0, 1)
    xyz = LINEAR_TO_XYZ @ seen / LINEAR_TO_XYZ.sum(axis=1)
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(one: int, other: int, sight: str) -> float:
    """ΔE (CIE 1976): about 2.3 is just noticeable."""
    return float(np.linalg.norm(lab(one, sight) - lab(other, sight)))


def test_colour_differences_are_those_of_others() -> None:
    """L*a*b* of sRGB's red and green (Lindbloom's calculator); greys look alike to all."""
    assert lab(196, "usual") == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    assert lab(46, "usual") == pytest.approx([87.73, -86.18, 83.18], abs=0.02)
    assert difference(196, 46, "usual") == pytest.approx(170.6, abs=0.1)
    for sight in SIGHTS:
        assert lab(244, sight) == pytest.approx(lab(244, "usual"), abs=0.01)
    assert difference(1, 10, "deuteranopia") == pytest.approx(42.3, abs=0.1)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("theme", LEAST)
def test_seats_differ_for_colour_blind_readers(theme: str, colours: int, sight: str) -> None:
    """In xterm's palette, with bold bright or not."""
    for kind, bright in product(("", "-range", "-trail", "-mark"), (False, True)):
        seen = []
        for role in ("seller", "buyer"):
            look = styles_of(theme)[f"{role}{kind}"][colours]
            colour = look.background if kind == "-mark" else look.foreground
            brightens = bright and "bold" in look.attributes and colour == look.foreground < 8
            seen.append(colour + 8 * brightens)
        assert difference(seen[0], seen[1], sight) >= (25 if colours > 8 else 20), kind


@pytest.mark.parametrize("theme", THEMES)
def test_what_stands_out_in_colour_stands_out_without(theme: str) -> None:
    styles = styles_of(theme)
    for name in ("seller-mark", "buyer-mark", "deal", "title"):
        assert "reverse" in styles[name][0].attributes
