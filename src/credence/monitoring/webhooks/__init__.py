"""Webhooks (Standard Webhooks 1.0.0): signed messages about events, sent to addresses of applications (D31)."""
