"""Parts of which every screen is made: canvas, colours, keys, layout, terminal. Knows no screen."""
