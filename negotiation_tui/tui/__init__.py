"""The screens. Inside, from the ground up: `toolkit`, `widgets`, then a package per screen.

May import `sessions` and the layers below it; knows no argparse.
"""
