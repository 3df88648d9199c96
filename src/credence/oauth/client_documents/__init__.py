"""Unverified clients: described by a document at their client_id, or registered without an invitation. Off by default."""
