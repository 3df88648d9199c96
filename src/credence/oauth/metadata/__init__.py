"""What clients and resource servers read to configure themselves (RFC 8414, RFC 9728, OpenID Connect Discovery 1.0)."""
