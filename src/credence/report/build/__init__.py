"""Builds the report on a registered company from its facts (D21, report schema §8 and §9; docs/report.md).

`report.py` builds the whole report; every other file builds the member of its name, or facts that several members share
(events, group, years, completion, durations). `schema/` and `render/sections/` have files of the same names. A member
without a source and an unknown field are left out. The same report answers v1 and v2.
"""
