"""Players that remember the offers so far, as the solvers ask them."""
