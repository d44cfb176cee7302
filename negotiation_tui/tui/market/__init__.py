"""The screen of a market. May import `negotiation` and `toolkit`."""
