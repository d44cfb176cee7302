"""The screen of a contest: a tournament or a league. May import `widgets` and `toolkit`."""
