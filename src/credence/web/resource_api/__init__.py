"""What the JSON resources share (monitoring, management): preconditions, merge patch, pages, idempotency keys, bodies.

Their routes have `problems`, so every refusal is a problem detail (RFC 9457) with reason code and request id.
"""
