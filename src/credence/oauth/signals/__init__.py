"""Shared signals: events to receivers about ended logins and changed accounts (Shared Signals Framework 1.0)."""
