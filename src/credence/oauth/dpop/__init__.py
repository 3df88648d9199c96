"""Proofs of possession: whoever sends a request shows that they hold a key (DPoP, RFC 9449).

`proof` is the check itself, `nonce` and `memory` keep one proof from serving twice, `address` compares what it was made for.
"""
