"""Attacks on the program with random keys, sizes, files and signals.

A driver is a module of this folder with `run(count, seed)`. It tries `count` cases, numbered from
`seed` on, and returns a text for each failure; the number of a case decides all that is random in
it. `SMALL` is the count of the ordinary test, `LONG` that of `python -m tests.soak`, which finds
every driver by itself.
"""
