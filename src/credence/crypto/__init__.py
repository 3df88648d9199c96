"""Keys, signatures, digests and chance. Nothing above this room touches a cryptographic library."""
