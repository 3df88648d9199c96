"""Shared signals: what receivers learn of logins that end and accounts that change (Shared Signals Framework 1.0)."""
