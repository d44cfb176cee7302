"""`python -m negotiation_tui`."""

import sys

from negotiation_tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
