"""The terminal by its environment variables: which characters it shows, and if in colour."""

import locale
import os
import sys
from collections.abc import Mapping


def is_utf8(environ: Mapping[str, str]) -> bool:
    """True if the user's locale uses UTF-8.

    Python itself sets LC_CTYPE to C.UTF-8 if it finds the C locale, so that value means nothing
    unless LANG agrees.
    """
    if sys.platform == "win32":
        return True
    lang, ctype = environ.get("LANG", ""), environ.get("LC_CTYPE", "")
    if ctype.upper() in {"C.UTF-8", "C.UTF8", "UTF-8"} and lang in {"", "C", "POSIX"}:
        ctype = ""
    chosen = environ.get("LC_ALL") or ctype or lang
    return chosen.lower().replace("-", "").endswith("utf8")


def wants_colour(choice: str, environ: Mapping[str, str]) -> bool:
    """True if the choice (`auto`, `always` or `never`) and NO_COLOR (no-color.org) allow colour."""
    return choice == "always" or (choice == "auto" and not environ.get("NO_COLOR"))


def set_locale() -> bool:
    """Set the user's locale; return True if characters beyond ASCII may be written."""
    try:
        locale.setlocale(locale.LC_ALL, "")
    except locale.Error:
        return False
    return is_utf8(os.environ)
