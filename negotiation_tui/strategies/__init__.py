"""Static strategies from the literature: fixed rules that do not learn, one small file each.

To add one, write a file with its source here and list its class in `registry`.
May import `solvers`, `game`, `runtime` and `errors`.
"""
