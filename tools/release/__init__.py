"""Builds a release: `make release`, and docs/releasing.md for who makes or verifies one.

One commit gives one release, byte by byte: times are those of the commit, lists are sorted, and what is downloaded is locked
by its hash. No step needs a container engine or root.
"""
