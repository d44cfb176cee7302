"""The screens. Inside, from the ground up: `toolkit`, `negotiation`, `market` and `tournament`.

May import `sessions` and the layers below it; knows no argparse.
"""
