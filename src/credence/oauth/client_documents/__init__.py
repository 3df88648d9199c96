"""Clients that a document at their client_id describes (draft-ietf-oauth-client-id-metadata-document). Off by default."""
