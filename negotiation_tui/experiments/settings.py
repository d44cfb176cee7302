"""Names of the settings that a sweep can vary."""

from dataclasses import fields

from negotiation_tui.learning.hyperparameters import Parameters

PARAMETERS = {field.name: field.default for field in fields(Parameters)}
"""The default of each training parameter."""
_OTHERS = ("prices", "rounds", "delta", "states", "recipe", "seller", "buyer", "learner", "opener")
SETTING_NAMES = (*_OTHERS, "train_both", "train_agent", *PARAMETERS)  # all settings
