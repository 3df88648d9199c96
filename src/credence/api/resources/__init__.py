"""Shared by the JSON resources (monitoring, management): preconditions, merge patch, pages, idempotency keys, bodies.

Their routes set `problems`, so every refusal is a problem detail (RFC 9457) with reason code and request id.
"""
