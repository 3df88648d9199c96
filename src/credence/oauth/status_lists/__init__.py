"""Status lists: how a verifier far away learns of revocations without asking for each token (threats §7).

As draft-ietf-oauth-status-list has it; `docs/verifying.md` says in which version and what is left out.
"""
