"""Fits the points of the score and measures how well they predict failure (credit §7.2, §8).

Run it from a checkout as `python -m training`; `make develop` installs the packages it needs (extra `training`). The
service never imports it. Its results are the tables in `src/credence/scoring/data/` and the model card.
"""
