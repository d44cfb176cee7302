"""Turn a spec or a file into a player: built-in, saved table, user's own, NegMAS.

All of the user's code and files are loaded and checked here.
May import `learning` and the layers below it.
"""
