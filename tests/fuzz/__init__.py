"""Fuzzers of everything that reads foreign bytes; `python -m tests.fuzz` runs one."""
