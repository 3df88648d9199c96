"""Checks that several endpoints share: client, bearer token, sender constraint, rate limits."""
