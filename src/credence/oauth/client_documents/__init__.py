"""Clients that are unverified until a person allows them: most are described by a document at their client_id. Off by default."""
