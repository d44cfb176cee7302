"""One process opens hundreds of screens of a few games, and keeps the tables of their rules."""

from functools import lru_cache

from negotiation_tui.strategies import base

base._cached_table = lru_cache(maxsize=64)(base.tabulate)
