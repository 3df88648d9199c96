"""The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2): requests, redirect URIs, codes and decisions."""
