"""Metadata by which clients and resource servers configure themselves (RFC 8414, RFC 9728, OpenID Connect Discovery)."""
