"""The command line: options in, calls out. May import `api` and all layers below it."""
