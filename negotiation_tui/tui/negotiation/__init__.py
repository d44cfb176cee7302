"""The screen of two agents: price bar, offers, Q-tables, wallets. May import `toolkit`."""
