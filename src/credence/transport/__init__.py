"""Deadlines of connections and request bodies, and the number of connections per address (threats P13)."""
