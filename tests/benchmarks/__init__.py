"""How fast, as ratios within one run: `python -m pytest tests/benchmarks --benchmarks`."""
