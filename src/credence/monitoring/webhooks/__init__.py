"""Webhooks by Standard Webhooks 1.0.0: signed messages to addresses of applications about events (D31)."""
