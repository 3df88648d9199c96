"""The layout of the register's data set: one SQLite file, written once by a load and only read from then on.

Each company is one row whose `entry` is a whole `RegisterEntry`. The rows keep the order of the snapshot and are found
through an index on the number: a primary key of text without row ids would put these wide rows into the inner pages of
the tree and make it twice as deep. What a company is found by stands beside it: `name` holds each name written as one
word, in order, so that a whole name and its beginning are found at once; `search` holds the words, no texts, under the
row ids of `company`; `word` says which words of names there are. `docs/adr/search.md` gives the reasons.
"""

from collections.abc import Iterable

import msgspec

from credence.companies.facts.register import RegisterEntry
from credence.datasets.misspelling import skeleton

LAYOUT = 2
"""Written to `user_version`. A data set of another layout must be loaded again."""

TABLES = f"""
CREATE TABLE about (source TEXT NOT NULL, snapshot TEXT, loaded_at INTEGER NOT NULL, companies INTEGER NOT NULL);
CREATE TABLE company (id INTEGER PRIMARY KEY, number TEXT NOT NULL, entry BLOB NOT NULL);
CREATE TABLE name (
    name TEXT NOT NULL, former INTEGER NOT NULL, company INTEGER NOT NULL,
    PRIMARY KEY (name, former, company)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5(
    terms, content='', columnsize=0, detail='none', tokenize="ascii tokenchars '@#~'"
);
CREATE TABLE word (word TEXT PRIMARY KEY, companies INTEGER NOT NULL, skeleton TEXT) WITHOUT ROWID;
CREATE TABLE place (place TEXT PRIMARY KEY, companies INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE division (division TEXT PRIMARY KEY, companies INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA user_version = {LAYOUT};
"""
"""`place` holds the addresses of two companies or more; `division` counts companies by their first activity."""

INDEXES = (
    "CREATE UNIQUE INDEX company_number ON company (number)",
    "CREATE INDEX word_skeleton ON word (skeleton) WHERE skeleton IS NOT NULL",
)
"""Made after the rows, which is several times faster."""

TOWN, POSTCODE, DISSOLVED = "@", "#", "~"
"""Marks that tell the terms of an office, and the one of a dissolved company, from the words of names."""

MIN_SKELETON_WORD_LETTERS = 6
"""A shorter word has so few consonants that too many others share them."""

encode_entry = msgspec.msgpack.Encoder().encode
decode_entry = msgspec.msgpack.Decoder(RegisterEntry).decode


def search_terms(names: Iterable[str], town: Iterable[str], postcode: Iterable[str], *, dissolved: bool) -> str:
    """Return the text under which `search` finds a company."""
    found = dict.fromkeys(names)
    found.update((TOWN + word, None) for word in town)
    found.update((POSTCODE + word, None) for word in postcode)
    if dissolved:
        found[DISSOLVED] = None
    return " ".join(found)


def skeleton_of(word: str) -> str | None:
    """Return what the index of skeletons holds for a word."""
    return skeleton(word) if len(word) >= MIN_SKELETON_WORD_LETTERS else None
