"""Specs of programs for a seat."""

import sys
from pathlib import Path

_FILE = Path(__file__).with_name("talker.py")
TALKER = f"cmd:{sys.executable} {_FILE}"
"""It talks, asks 4, and accepts in round 2."""
SILENT = f"{TALKER} silent"
"""It makes an opening offer and answers nothing else."""
ENDS = f"{TALKER} ends"
"""It ends at its second question."""
