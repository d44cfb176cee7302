"""The screen of the results of people. May import `widgets` and `toolkit`."""
