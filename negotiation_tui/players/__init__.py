"""Turn a spec or a file into a player; check all of the user's code and files. Above `learning`."""
