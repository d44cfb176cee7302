"""The screen of a market. May import `widgets` and `toolkit`."""
