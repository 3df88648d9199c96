"""Published failure models, computed for the report and never part of the score (credit §6).

inputs.py   the lines of the accounts that the models need
model.py    a model as a value, and its outcome for one period
models.py   the six models, and their outcomes for one company
"""
