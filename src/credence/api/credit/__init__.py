"""The endpoints of the credit API: search, report, decisions, directors and disputes."""
