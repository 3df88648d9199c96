"""How the points of the score are fitted and judged (credit §7.2, §8).

Needs the extra `training`; the service never imports it. What comes out is a file in `scoring/data/` and the model card.
"""
