"""What is known about companies, as frozen values, one file per kind of fact.

Reports, search and scoring are built from these and never read a source. Unknown is None, or empty where a source
leaves a cell blank; it is never zero. Zero and an empty list of a part that is held mean "counted, and none found";
a part that is not held at all is None (`company.Company`).
"""
