"""How far two clocks may differ, for each pair of machines (threats T11).

Every comparison of an instant from another machine with our time uses one of these.
"""

NODE_TOLERANCE_MS = 10_000
"""Between two nodes of one deployment: a token of one may seem to come from the future at the other."""

VERIFIER_TOLERANCE_MS = 60_000
"""Between a node and a verifier elsewhere, which caches the key set and checks the expiry of tokens."""

ASSERTION_TOLERANCE_SECONDS = 10
"""Between a node and a client that signs an assertion, whose clock may be ahead (RFC 7523 §3)."""

DPOP_PROOF_TOLERANCE_SECONDS = 300
"""Between a node and a client that signs a DPoP proof, ahead or behind.

The nonce limits the age of a proof, so this can be large.
"""

DOCTOR_TOLERANCE_MS = 5_000
"""Between the machine of `credence doctor` and the service; a larger difference is reported."""
