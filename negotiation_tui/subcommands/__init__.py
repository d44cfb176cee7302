"""One module a subcommand: its words (`add_arguments`) and what they lead to (`run`)."""
