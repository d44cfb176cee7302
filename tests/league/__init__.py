"""The league of learners."""
