"""The Credence score: a sum of points, each with its reason (credit §7).

A score starts at the base of the sector (`sectors`). Balance-sheet ratios add points fitted on public data (`ratios`),
register facts add points set by experts (`conduct`), and the legal state overrides the sum (`legal`). All weights are
dated files in `data/`; the code contains none.
"""
