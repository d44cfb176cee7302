"""The themes: contrast as one would measure it, and no fact told by colour alone."""

import pytest

from negotiation_tui.tui.toolkit.palettes import DEFAULT, LEVELS
from negotiation_tui.tui.toolkit.theme import THEMES, Appearance

COLOURS = (256, 16, 8)
GROUNDS = {"dark": (7, 0), "light": (0, 15), "high-contrast": (7, 0)}
"""Colours in place of the terminal's own: grey on black, black on white."""
LEAST = {"dark": 4.5, "light": 4.5, "high-contrast": 7.0}
_BASIC = [
    "000000",
    "cd0000",
    "00cd00",
    "cdcd00",
    "0000ee",
    "cd00cd",
    "00cdcd",
    "e5e5e5",
    "7f7f7f",
    "ff0000",
    "00ff00",
    "ffff00",
    "5c5cff",
    "ff00ff",
    "00ffff",
    "ffffff",
]
HEAT = [f"heat{level}" for level in range(LEVELS)]


def rgb(colour: int) -> tuple[int, int, int]:
    """A colour of xterm's usual palette."""
    if colour < 16:
        red, green, blue = bytes.fromhex(_BASIC[colour])
        return red, green, blue
    if colour >= 232:
        return (8 + 10 * (colour - 232),) * 3
    steps = (0, 95, 135, 175, 215, 255)
    rest = colour - 16
    return steps[rest // 36], steps[rest // 6 % 6], steps[rest % 6]


def luminance(colour: int) -> float:
    """Relative luminance (WCAG 2)."""
    red, green, blue = (
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in rgb(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(look: Appearance, theme: str, bold_is_bright: bool) -> float:
    """Of the text on its ground, from 1 to 21."""
    usual = GROUNDS[theme]
    ink = usual[0] if look.foreground == DEFAULT else look.foreground
    paper = usual[1] if look.background == DEFAULT else look.background
    if bold_is_bright and "bold" in look.attributes and 0 <= look.foreground < 8:
        ink += 8
    low, high = sorted((luminance(ink), luminance(paper)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("theme", LEAST)
def test_text_can_be_read(theme: str, colours: int) -> None:
    """With 8 colours bold red on black is bright, as xterm shows it: there is no other."""
    looks = {name: style.appearance(colours) for name, style in THEMES[theme].items()}
    bright = {name: contrast(look, theme, True) for name, look in looks.items()}
    plain = {name: contrast(look, theme, False) for name, look in looks.items()}
    reds = {"seller", "seller-trail", "no-deal"}
    few_reds = reds if (theme, colours) == ("dark", 8) else set()
    assert {name for name, found in bright.items() if found < LEAST[theme]} == set()
    assert {name for name, found in plain.items() if found < LEAST[theme]} == few_reds


def test_the_themes_have_the_same_styles() -> None:
    assert len({frozenset(theme) for theme in THEMES.values()}) == 1


@pytest.mark.parametrize(
    ("colours", "limit"), [(1 << 24, 256), (256, 256), (88, 16), (16, 16), (8, 8), (0, 0)]
)
@pytest.mark.parametrize("theme", THEMES)
def test_a_style_keeps_to_the_colours_there_are(theme: str, colours: int, limit: int) -> None:
    for style in THEMES[theme].values():
        look = style.appearance(colours)
        assert {look.foreground, look.background} <= {DEFAULT, *range(limit)}
        assert look.attributes <= {"bold", "reverse", "underline"}


@pytest.mark.parametrize("theme", ["dark", "light", "mono"])
def test_normal_text_keeps_the_colours_of_the_terminal(theme: str) -> None:
    assert set(THEMES[theme]["normal"]) == {Appearance(DEFAULT, DEFAULT, frozenset())}


@pytest.mark.parametrize("colours", COLOURS)
def test_high_contrast_brings_its_ground_along(colours: int) -> None:
    """So that it is as readable on any terminal."""
    for style in THEMES["high-contrast"].values():
        look = style.appearance(colours)
        assert DEFAULT not in {look.foreground, look.background}


@pytest.mark.parametrize(("theme", "rises"), [("dark", 1), ("light", -1), ("high-contrast", 1)])
def test_a_heat_ramp_goes_one_way_in_brightness(theme: str, rises: int) -> None:
    """From the ground away, so that what is worth most stands out most, in grey as well."""
    steps = [rises * luminance(THEMES[theme][name].c256.background) for name in HEAT]
    assert steps == sorted(steps)
    assert len(set(steps)) == LEVELS


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize("theme", LEAST)
def test_seller_and_buyer_differ_in_colour(theme: str, colours: int) -> None:
    for kind in ("", "-range", "-trail", "-mark"):
        seller, buyer = (
            THEMES[theme][f"{role}{kind}"].appearance(colours) for role in ("seller", "buyer")
        )
        assert seller != buyer


@pytest.mark.parametrize("theme", THEMES)
def test_what_stands_out_in_colour_stands_out_without(theme: str) -> None:
    styles = THEMES[theme]
    for name in ("seller-mark", "buyer-mark", "deal", "title"):
        assert "reverse" in styles[name].appearance(0).attributes
    for colours in (*COLOURS, 0):
        assert styles["deal"].appearance(colours) != styles["deal-flash"].appearance(colours)
