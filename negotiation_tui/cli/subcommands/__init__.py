"""One module per subcommand: EXAMPLES, add_arguments(parser) and run(options).

A module imports at the top only what its parser needs, so that `--help` is fast.
"""
