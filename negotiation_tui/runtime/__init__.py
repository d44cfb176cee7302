"""Services that any long-running command-line program needs. Nothing here knows negotiation.

May import `errors` only.
"""
