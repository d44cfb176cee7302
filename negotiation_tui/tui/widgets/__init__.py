"""Parts of panes that several screens draw, from small immutable views. May import `toolkit`."""
