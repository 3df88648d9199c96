"""The layout of the register's data set: one SQLite file, written once by a load and only read from then on.

Each company is one row whose `entry` is a whole `RegisterEntry`. The rows keep the order of the snapshot and are found
through an index on the number: a primary key of text without row ids would put these wide rows into the inner pages of
the tree and make it twice as deep. `search` holds only words, no texts; its row ids are those of `company`.
"""

import msgspec

from credence.credit.facts.register import RegisterEntry

LAYOUT = 1
"""Written to `user_version`. A data set of another layout must be loaded again."""

TABLES = f"""
CREATE TABLE about (source TEXT NOT NULL, snapshot TEXT, loaded_at INTEGER NOT NULL);
CREATE TABLE company (id INTEGER PRIMARY KEY, number TEXT NOT NULL, entry BLOB NOT NULL);
CREATE VIRTUAL TABLE search USING fts5(
    whole, former_whole, name, former, town, postcode,
    content='', columnsize=0, detail='column', tokenize='ascii'
);
PRAGMA user_version = {LAYOUT};
"""
"""`whole` is a name's words written as one, so that JP MORGAN finds J P MORGAN and a whole name is found at once."""

NUMBER_INDEX = "CREATE INDEX company_number ON company (number)"
"""Made after the rows, which is several times faster; the load removes duplicates, so it need not be unique."""

encode_entry = msgspec.msgpack.Encoder().encode
decode_entry = msgspec.msgpack.Decoder(RegisterEntry).decode
