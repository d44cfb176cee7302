"""The screen of a tournament. May import `negotiation` and `toolkit`."""
