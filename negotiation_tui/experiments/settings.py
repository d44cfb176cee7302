"""Names of the settings that a sweep can vary, and the names and defaults of `reproduce`."""

from dataclasses import fields

from negotiation_tui.learning.hyperparameters import Parameters

PARAMETERS = {field.name: field.default for field in fields(Parameters)}
"""The default of each training parameter."""
EVERY = "all"  # the name that stands for every claim
USUAL_RUNS = 200  # default number of seeds of each of the original's experiments
_OTHERS = ("prices", "rounds", "delta", "states", "recipe", "seller", "buyer", "learner", "opener")
SETTING_NAMES = (*_OTHERS, "train_both", "train_agent", *PARAMETERS)  # all settings
