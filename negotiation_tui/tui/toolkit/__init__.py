"""What every screen is made of: canvas, colours, keys, layout, terminal. Knows no screen."""
