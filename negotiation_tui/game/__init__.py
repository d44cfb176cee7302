"""The bargaining game: roles, scenarios, one negotiation, and policies as tables.

May import `runtime` and `errors`.
"""
