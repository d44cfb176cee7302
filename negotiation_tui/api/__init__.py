"""One call per task for notebooks, a module per subject, so that one task loads no other."""
