"""Tokens: how they are granted, refreshed, revoked, checked, and what is published about them.

Every act takes the time and the store as arguments and returns a value or raises a refusal; none knows of HTTP.
"""
