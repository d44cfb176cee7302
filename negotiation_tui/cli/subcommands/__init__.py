"""One module per subcommand: SUMMARY, EXAMPLES, add_arguments(parser) and run(options)."""
