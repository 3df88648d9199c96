"""Dynamic registration: clients with an invitation register themselves (RFC 7591, RFC 7592). Off by default."""
