"""Our players and rules offered to other frameworks: a PettingZoo environment, a NegMAS negotiator.

May import `api` and the layers below it.
"""
