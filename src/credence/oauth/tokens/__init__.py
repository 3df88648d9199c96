"""Formats and claims of access, refresh and ID tokens."""
