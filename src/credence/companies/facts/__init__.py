"""Facts about companies, as frozen values, one file for each subject.

Reports, searches and scores are built from facts and never read a source. An unknown value is None, or empty where a source
leaves a cell blank; it is never zero. Zero and an empty tuple mean "counted, none found". A part of `company.Company` whose
source is not loaded is None.
"""
