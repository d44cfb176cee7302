"""A market: many sellers and buyers who meet in pairs, negotiate and learn, tick by tick.

May import `players` and the layers below it.
"""
