"""The embedded store: one file, one writer."""
