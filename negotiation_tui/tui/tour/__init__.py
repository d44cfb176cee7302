"""The tour: lessons on the real screens, with predictions that the program scores."""
