"""Portfolios of watched companies, the rules that make events of what changes, and the feed of events (D31)."""
