"""The screen of a tournament. May import `widgets` and `toolkit`."""
