"""Parts of panes that several screens draw, from small frozen values. May import `toolkit`."""
