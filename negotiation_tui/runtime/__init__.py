"""Services that any long-running program needs. Nothing here knows negotiation."""
