"""Services that any long-running command-line program needs. Nothing in here knows negotiation.

May import `errors` only.
"""
