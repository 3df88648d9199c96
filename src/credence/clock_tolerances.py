"""How far clocks may differ, by whose clocks they are (threats T11).

Every comparison of an instant from another machine with our time uses one of these.
"""

NODE_TOLERANCE_MS = 10_000
"""Two nodes of one deployment: a token of one may seem to come from the future at the other."""

VERIFIER_TOLERANCE_MS = 60_000
"""A node and a verifier elsewhere, which caches the key set and judges the expiry of tokens."""

ASSERTION_TOLERANCE_SECONDS = 10
"""A client that signs an assertion, whose clock may be ahead (RFC 7523 §3)."""

DPOP_PROOF_TOLERANCE_SECONDS = 300
"""A client that signs a DPoP proof, either way. The nonce limits the age of a proof, so its clock may be far off."""

DOCTOR_TOLERANCE_MS = 5_000
"""The machine of `credence doctor` and the service: a larger difference is reported."""
