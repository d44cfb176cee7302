"""Specs of programs for a seat."""

import sys
from pathlib import Path

_FILE = Path(__file__).with_name("talker.py")
TALKER = f"cmd:{sys.executable} {_FILE}"  # it talks, asks 4, and accepts in round 2
SILENT = f"{TALKER} silent"  # it makes an opening offer and answers nothing else
ECHOES = f"{TALKER} echoes"  # it says what it heard
HOSTILE = f"{TALKER} hostile"  # it says what no terminal should get
ENDS = f"{TALKER} ends"  # it ends at its second question
