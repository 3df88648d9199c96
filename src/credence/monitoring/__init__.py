"""Portfolios of watched companies, the rules by which changes become events, and the feed of events (D31)."""
