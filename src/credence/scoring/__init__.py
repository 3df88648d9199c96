"""The Credence score: a points table whose every point is accounted for (credit §7).

Three layers, in this order: the legal state of the company (`legal`), points on balance-sheet ratios fitted on public
data (`ratios`), and points on what the register says, set by experts (`conduct`). `score` adds them up from the base of
the sector; nothing else moves a score. All weights are dated files in `data/`, none is in the code.
"""
