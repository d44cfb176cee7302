"""Ways of learning, one file per algorithm; `learning.learner_registry` lists them."""
