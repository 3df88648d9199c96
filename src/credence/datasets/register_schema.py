"""The schema of the register's data set, one SQLite file.

`company` has one row for each company, with a whole `RegisterEntry`, in the order of the snapshot. An index on the number
finds the rows: a text primary key without row ids would store these wide rows in the inner pages of the tree and make it
twice as deep. `name` has each name written as one word, sorted, for whole names and prefixes; `search` has the words, under
the row ids of `company`; `word` lists the words of all names. `docs/adr/search.md` gives the reasons.
"""

from collections.abc import Iterable

import msgspec

from credence.companies.facts.register import RegisterEntry
from credence.datasets.misspelling import skeleton

LAYOUT = 2
"""The file's `user_version`. A data set of another layout must be loaded again."""

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
"""`place` counts the companies at each address with two or more; `division` counts companies by first activity."""

INDEXES = (
    "CREATE UNIQUE INDEX company_number ON company (number)",
    "CREATE INDEX word_skeleton ON word (skeleton) WHERE skeleton IS NOT NULL",
)
"""Created after the rows, which is several times faster."""

TOWN, POSTCODE, DISSOLVED = "@", "#", "~"
"""Prefixes of the search terms for town and postcode, and the term of a dissolved company; no name has these characters."""

MIN_SKELETON_WORD_LETTERS = 6
"""The minimum length of a word with an indexed skeleton; shorter words share their few consonants with too many others."""

encode_entry = msgspec.msgpack.Encoder().encode
decode_entry = msgspec.msgpack.Decoder(RegisterEntry).decode


def search_terms(names: Iterable[str], town: str, postcode: str, dissolved: bool) -> str:
    """Return the text that the table `search` indexes for a company: words of names, `town_terms` and `postcode_terms`."""
    end = f" {DISSOLVED}" if dissolved else ""
    return f"{' '.join(dict.fromkeys(names))}{town}{postcode}{end}".lstrip()


def town_terms(words: Iterable[str]) -> str:
    """Return the search terms for the words of a town, each after a space."""
    return "".join([f" {TOWN}{word}" for word in dict.fromkeys(words)])


def postcode_terms(words: Iterable[str]) -> str:
    """Return the search terms for the words of a postcode, each after a space."""
    return "".join([f" {POSTCODE}{word}" for word in words])


def indexed_skeleton(word: str) -> str | None:
    """Return the skeleton that is indexed for a word; None for a short word."""
    return skeleton(word) if len(word) >= MIN_SKELETON_WORD_LETTERS else None
