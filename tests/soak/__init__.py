"""Attacks on the program with random keys, sizes, files and signals.

A driver is a module of this folder with `attack(random)`, which tries one case, and raises if
something is wrong. The number of a case decides all that is random in it. `SMALL` is the count of
the ordinary test, `LONG` that of `python -m tests.soak`, which finds every driver by itself.
"""
