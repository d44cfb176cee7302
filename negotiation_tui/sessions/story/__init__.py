"""The story of a training: facts computed from its plans and its play, and their sentences."""
