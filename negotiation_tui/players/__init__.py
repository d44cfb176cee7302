"""From a spec string or a file to a player: built-in, saved table, the user's own, NegMAS.

All code and files from outside pass through here. May import `learning` and the layers below it.
"""
