"""Put console.dll between PDCurses and the console, if CONSOLE is set; see console.c.

Take out what Wine 8 ends the process for: copying files as Python does from 3.12 on.
"""

import os
import sys

if sys.platform == "win32":
    import _winapi

    if hasattr(_winapi, "CopyFile2"):
        del _winapi.CopyFile2

if os.environ.get("CONSOLE") and sys.platform == "win32":
    import _curses
    from ctypes import CDLL, WinDLL, c_void_p

    module = WinDLL(_curses.__file__)._handle
    replaced = CDLL(os.path.join(sys.prefix, "console.dll")).stand_between(c_void_p(module))  # noqa: PTH118
    if replaced != 2:
        sys.exit(f"console.dll replaced {replaced} functions of PDCurses, expected 2")
