"""The screen of two agents: bar, offers, Q-tables, wallets. May import `widgets` and `toolkit`."""
