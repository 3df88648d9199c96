"""Loading: the files of a source become a data set, which then replaces the old one (credit §11).

load.py               the whole load, of facts or of the register
staging.py            the staging file: one load at a time, and no file left after a failed one
facts_writing.py      records -> the data set of one kind of fact
gathering.py          records -> temporary tables
merging.py            temporary tables -> facts, as the source is renewed
events.py             events of a stream -> changes of single facts
history.py            the same for facts whose corrections are kept
register_rows.py      rows of a snapshot -> what is stored of them, on every core
register_writing.py   these rows -> the data set of the register
address_counts.py     companies at each address, sorted by a thread
workers.py            processes that share the work
summary.py            counts
retention.py          deletes expired personal data, removes sources
refresh.py            finds the files that are newer than the loaded ones
"""
