"""A module per subcommand, which imports at the top only what its parser needs, for `--help`."""
