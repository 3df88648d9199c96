"""Keys, signatures, digests and randomness. No other part of the program imports a cryptographic library."""
