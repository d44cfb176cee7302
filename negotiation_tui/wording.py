"""How names and numbers are written, on the screen and off it. Pure."""


def clipped(text: str, width: int) -> str:
    """Text in at most so many characters."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…"


def numbered(number: int, thing: str) -> str:
    """So many things."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
