"""Applications that register themselves, as far as an operator invited them to (RFC 7591, RFC 7592). Off by default."""
