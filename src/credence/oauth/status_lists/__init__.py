"""Status lists: one download informs a verifier elsewhere of all revocations (threats §7).

They follow draft-ietf-oauth-status-list; `docs/verifying.md` gives the version and the omissions.
"""
