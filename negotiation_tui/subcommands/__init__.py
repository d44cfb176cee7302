"""One module a subcommand.

Its `SUMMARY` and `EXAMPLES`, its words (`add_arguments`) and what they lead to (`run`).
"""
