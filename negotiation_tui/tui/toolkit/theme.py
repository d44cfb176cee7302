"""The appearance of each style: five themes, each with 256, 16, 8 colours or none.

Normal text has the terminal's own colours, except in `high-contrast`, which sets the background.
The colours of heat maps rise or fall in brightness, so they are safe for colour-blind readers.
With few colours, bold, reverse and the characters themselves say what colour would say.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from negotiation_tui.tui.toolkit import palettes
from negotiation_tui.tui.toolkit.palettes import DEFAULT, LEVELS, Palette


class Appearance(NamedTuple):
    """Foreground and background by number (−1 is the terminal's default), and attributes."""

    foreground: int = DEFAULT
    background: int = DEFAULT
    attributes: frozenset[str] = frozenset()


class Style(NamedTuple):
    """One style on each kind of terminal."""

    c256: Appearance
    c16: Appearance
    c8: Appearance
    mono: Appearance

    def appearance(self, colours: int) -> Appearance:
        """Return the appearance on a terminal with this number of colours."""
        if colours >= 256:
            return self.c256
        if colours >= 16:
            return self.c16
        return self.c8 if colours >= 8 else self.mono


Theme = Mapping[str, Style]
"""Every style by its name."""


def _theme(palette: Palette) -> Theme:
    styles = {}
    for name, attributes in palettes.ATTRIBUTES.items():
        words = frozenset(attributes.split())
        plain = palettes.WITHOUT_COLOUR.get(name, attributes)
        mono = Appearance(attributes=frozenset(plain.split()))
        pairs = palette.pairs.get(name, palette.normal)
        styles[name] = _style([Appearance(*pair, words) for pair in pairs], mono, palette)
    for level in range(LEVELS):
        for name, attributes in (("", ""), ("-best", "bold"), ("-chosen", "bold underline")):
            words = frozenset(attributes.split())
            for ramp, colours in (("heat", palette.heat), ("sign", palette.signs)):
                cells = [Appearance(*pair, words) for pair in colours[level]]
                style = _style(cells, Appearance(attributes=words), palette)
                styles[f"{ramp}{level}{name}"] = style
    return styles


def _style(cells: Sequence[Appearance], mono: Appearance, palette: Palette) -> Style:
    c256, c16, c8 = cells
    return Style(c256, _steady(c16, palette), _steady(c8, palette), mono)


def _steady(appearance: Appearance, palette: Palette) -> Appearance:
    """Drop bold if it would make the text too bright to read.

    With few colours many terminals show bold black as grey, and bold colours as light ones,
    which can be read on a dark background only.
    """
    fades = appearance.foreground == 0 or (appearance.foreground > 0 and palette.on_light)
    return appearance._replace(attributes=appearance.attributes - {"bold"}) if fades else appearance


def _without_colour(theme: Theme) -> Theme:
    return {name: Style(*[style.mono] * 4) for name, style in theme.items()}


THEMES: Mapping[str, Theme] = {
    "dark": _theme(palettes.DARK),
    "light": _theme(palettes.LIGHT),
    "mono": _without_colour(_theme(palettes.DARK)),
    "high-contrast": _theme(palettes.HIGH_CONTRAST),
    "blue-orange": _theme(palettes.BLUE_ORANGE),
}
"""For a dark background, for a light one, without colour, with the highest contrast, and for a dark
background with the buyer blue and the seller orange."""
