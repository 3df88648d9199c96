"""How the points of the score are fitted and judged (credit §7.2, §8).

It needs the extra `training`; the service never imports it. The results are files in `scoring/data/` and the model card.
"""
