"""The error table as values, one file for each subject (spec §7, D3, D9, D21).

Any part may raise `refusal.Refused` with a row of one of these files; only the pipeline turns it into an answer.
"""
