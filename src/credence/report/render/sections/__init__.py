"""The sections of a page: each takes members of the report and returns blocks."""
