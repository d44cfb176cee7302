"""Our players and rules offered to other frameworks."""
