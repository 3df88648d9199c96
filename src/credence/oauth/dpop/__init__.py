"""DPoP: the sender of a request proves possession of a private key (RFC 9449).

`proof` verifies a proof, `nonce` and `memory` prevent its reuse, `address` compares `htu` with the request.
"""
