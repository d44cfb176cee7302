"""Typing into a line, and the words that it finds. Pure."""


def edited(text: str, key: str) -> str | None:
    """Return the text after a letter or Backspace; None for any other key."""
    if key == "backspace" and text:
        return text[:-1]
    letter = " " if key == "space" else key
    return text + letter if len(letter) == 1 and letter.isprintable() else None


def found(text: str, words: str) -> bool:
    """True if every one of the words is in the text."""
    return all(word in text.lower() for word in words.lower().split())
